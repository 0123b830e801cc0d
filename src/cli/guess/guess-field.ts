import { beginsAsUrl } from "../../formats/detect-format.ts";
import { listNames } from "../../formats/excerpt.ts";
import {
  cellsIn,
  firstRecords,
  type Head,
  isTable,
  type TableFormat,
} from "../../formats/head/head.ts";
import type { UrlFieldOptions } from "../../formats/index.ts";
import { parseObject } from "../../formats/json/json-object.ts";
import { BYTES } from "../../formats/row.ts";
import type { CsvDialect } from "../../formats/tables/csv.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { type InputFormat, isTableOfUrls } from "./guess-format.ts";

/** The field whose name says that it holds the URL. */
const URL_NAME = "url";
/** The most records to look at. */
const SAMPLE = 1000;
/** How deep a URL may lie in the objects of a record. */
const MAX_DEPTH = 4;

/** Says how a field may be chosen that the caller did not name. */
export interface FieldWishes extends CsvDialect {
  /** Says whether the first row names the columns; undefined to find out. */
  readonly header: boolean | undefined;
  /** Names the flag for which only a field named `url` is taken; null to take the only one with URLs. */
  readonly onlyByName: string | null;
}

/**
 * Returns the field that has the URLs of a list, as `--field` and `--header` would give it; null, if more must be read.
 * Throws a CommandFailure if it is not clear.
 */
export function guessField(
  head: Head,
  format: InputFormat,
  wishes: FieldWishes,
): UrlFieldOptions | null {
  return isTable(format) ? guessColumn(head, format, wishes) : guessMember(head, wishes.onlyByName);
}

/** Returns the column `url`, or else the only one whose values are URLs. */
function guessColumn(
  head: Head,
  format: TableFormat,
  { header, onlyByName, ...dialect }: FieldWishes,
): UrlFieldOptions | null {
  const rows = cellsIn(head, format, SAMPLE, dialect);
  const [first] = rows;
  if (first === undefined) return head.isLast ? { field: "1", header } : null;
  const hasHeader = header ?? !first.some(beginsAsUrl);
  if (hasHeader && first.includes(URL_NAME)) return named();
  const names = hasHeader ? first : first.map((_, column) => String(column + 1));
  if (onlyByName !== null) {
    // A lone column is clear, and rows of it are never taken for a header.
    const isLone = first.length === 1 && flagFor(head, format, rows) === undefined;
    if (isLone) return { field: "1", header: header ?? false };
    throw unclear(
      names,
      `with ${onlyByName} only one named ${URL_NAME} is taken unasked: give --field`,
    );
  }
  if (!head.isLast) return null;
  const data = hasHeader ? rows.slice(1) : rows;
  const found = names.flatMap((_, column) =>
    data.some((cells) => beginsAsUrl(cells[column] ?? "")) ? [column] : [],
  );
  if (data.length === 0 || names.length === 1) found.splice(0, found.length, 0);
  const [column] = found;
  const flag = flagFor(head, format, rows);
  if (column === undefined || found.length > 1 || flag !== undefined) {
    throw unclear(names, clueOf(found, names, flag));
  }
  return { field: nameOf(column, names), header: hasHeader };
}

/** Returns the name of a column, or its number if the name means another one. */
function nameOf(column: number, names: readonly string[]): string {
  const name = names[column] as string;
  const isUnique = names.indexOf(name) === column && !names.includes(name, column + 1);
  return isUnique && !/^\d/.test(name) ? name : String(column + 1);
}

/** Returns the member `url`, or else the only one whose values are URLs. It may lie in an object of the record. */
function guessMember(head: Head, onlyByName: string | null): UrlFieldOptions | null {
  const found = new Set<string>();
  for (const record of firstRecords(head, SAMPLE)) {
    const object = parseObject(BYTES.decode(record) ?? "");
    if (typeof object === "string") continue;
    if (Object.hasOwn(object, URL_NAME)) return named();
    addUrlPaths(object, "", found);
  }
  if (onlyByName !== null) return named();
  if (!head.isLast) return null;
  const [path, another] = found;
  if (another !== undefined) {
    throw new CommandFailure(`URLs are in ${listNames([...found])}: give --field`, 2);
  }
  return path === undefined ? named() : { field: path };
}

/** Adds the path of each member whose value is a URL. */
function addUrlPaths(object: object, before: string, found: Set<string>, depth = 1): void {
  for (const [name, value] of Object.entries(object)) {
    const path = before + name;
    if (typeof value === "string") {
      if (beginsAsUrl(value)) found.add(path);
    } else if (depth < MAX_DEPTH && value !== null && !Array.isArray(value)) {
      addUrlPaths(value, `${path}.`, found, depth + 1);
    }
  }
}

function named(): UrlFieldOptions {
  return { field: URL_NAME };
}

/** Returns the flag for the fields that the only column of a table has inside, or undefined. */
function flagFor(
  head: Head,
  format: TableFormat,
  [first = [], second = []]: readonly string[][],
): string | undefined {
  const [name = "", another] = first;
  if (another !== undefined) return undefined;
  const delimiter = /[;|\t]/.exec(name)?.[0];
  if (delimiter !== undefined) return `--delimiter ${DELIMITER_NAMES[delimiter]}`;
  const isUrl = beginsAsUrl(name) || beginsAsUrl(second[0] ?? "");
  return format !== "csv" && !isUrl && isTableOfUrls(cellsIn(head, "csv", 2))
    ? "--format csv"
    : undefined;
}

/** How a shell is given a delimiter. */
const DELIMITER_NAMES: Readonly<Record<string, string>> = { ";": "';'", "|": "'|'", "\t": "tab" };

/** Says why no column was chosen. `found`: the columns with URLs. */
function clueOf(found: readonly number[], names: readonly string[], flag?: string): string {
  if (found.length > 1)
    return `URLs are in ${listNames(found.map((at) => names[at] as string))}: give --field`;
  if (flag !== undefined) return `give ${flag}, or --field`;
  return "no column has URLs: give --field";
}

function unclear(names: readonly string[], clue: string): CommandFailure {
  return new CommandFailure(`the columns are ${listNames(names)}; ${clue}`, 2);
}
