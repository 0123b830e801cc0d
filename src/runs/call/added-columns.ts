import { UrlmillError } from "../../base/errors.ts";
import { ADDED_LETTERS, fieldsOfHeader, isCdxHeader } from "../../formats/archives/cdx.ts";
import type { AddedColumn } from "../../formats/format.ts";
import { fieldNames, firstRecords } from "../../formats/head/head.ts";
import { toByteString } from "../../url/bytes.ts";
import type { CommandOptions } from "./options.ts";

type AddingOptions = Pick<CommandOptions, "emit" | "count" | "format" | "field">;

/** Names the flag that adds a column or member. */
const FLAGS: Readonly<Record<AddedColumn, string>> = {
  normalized_url: "--emit both",
  count: "--count",
};
/** The most header lines of CDXJ before its first record. */
const CDXJ_HEADERS = 16;

/** Returns the columns or members that a run adds to its records, in order. */
export function addedColumns({
  emit,
  count,
}: Pick<AddingOptions, "emit" | "count">): AddedColumn[] {
  const columns: AddedColumn[] = [];
  if (emit === "both") columns.push("normalized_url");
  if (count === true) columns.push("count");
  return columns;
}

/** Throws `BAD_OPTION` if the header or the first record of an input has what the run adds. `bytes`: its first records. */
export function refuseAdded(options: AddingOptions, input: string, bytes: Uint8Array): void {
  if (addedColumns(options).length === 0) return;
  refuseNames(options, input, namesIn(toByteString(bytes), options));
}

/** Throws `BAD_OPTION` if the names of an input's columns or members have one that the run adds. */
export function refuseNames(options: AddingOptions, input: string, names: readonly string[]): void {
  const { format } = options;
  for (const column of addedColumns(options)) {
    const name = format === "cdx" ? ADDED_LETTERS[column] : column;
    if (!names.includes(name)) continue;
    const what = format === "jsonl" || format === "cdxj" ? "member" : "column";
    throw new UrlmillError(
      "BAD_OPTION",
      `${FLAGS[column]} adds the ${what} ${name}, which ${input} has already; rename that first`,
    );
  }
}

/** Returns the names that the first record of a text has for its fields; none if they have no names. */
function namesIn(text: string, { format, field }: AddingOptions): readonly string[] {
  const head = { text, isWhole: true, isLast: true };
  if (format === "cdx") {
    const [line = ""] = firstRecords(head, 1);
    return isCdxHeader(line) ? fieldsOfHeader(line).letters : [];
  }
  if (format === "cdxj") {
    const record = firstRecords(head, CDXJ_HEADERS).find((line) => !/^[!@]/.test(line)) ?? "";
    const object = record.slice(record.indexOf("{"));
    return fieldNames({ ...head, text: object }, { format: "jsonl", hasHeader: false });
  }
  const { hasHeader, delimiter, escapeChar } = field;
  return fieldNames(head, { format, hasHeader, delimiter, escapeChar });
}
