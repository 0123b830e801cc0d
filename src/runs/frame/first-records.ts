import { counted } from "../../base/counted.ts";
import { suggestion } from "../../base/nearest.ts";
import { listNames } from "../../formats/excerpt.ts";
import { cellsIn, fieldNames, type Head, isTable } from "../../formats/head/head.ts";
import { hasFields, type UrlField } from "../../formats/index.ts";
import { firstBytesOf, type PlainFile } from "../../io/files/plain-file.ts";
import { CommandFailure } from "../base/failure.ts";
import type { PreparedRun } from "./prepare.ts";

/** The most bytes of an input that are looked at. */
export const FIRST_BYTES = 1 << 16;

/** Returns the first bytes of the first file; none if it went away. */
export function firstOfFiles([first]: readonly PlainFile[]): Buffer {
  try {
    if (first !== undefined) return firstBytesOf(first, FIRST_BYTES);
  } catch {
    // The run has read it, and its result is not about these bytes.
  }
  return Buffer.alloc(0);
}

/** Throws a CommandFailure if there are records, and no one has the field of the URL. `first`: the first bytes of the input. */
export function checkField({ options, tally }: PreparedRun, first: () => Buffer): void {
  const { format, field } = options;
  if (format === "parquet" || !hasFields(format) || tally.located > 0 || tally.errors === 0) return;
  throw new CommandFailure(`no record has ${lackingOf(headOf(first()), format, field)}`, 1);
}

export function headOf(bytes: Buffer): Head {
  const isWhole = bytes.length < FIRST_BYTES;
  return { text: bytes.toString("latin1"), isWhole, isLast: true };
}

/** Names what no record has, and says what fields the first one has. */
function lackingOf(head: Head, format: string, { field, hasHeader, ...dialect }: UrlField): string {
  const { name, column } = field;
  if (column !== undefined) {
    const [cells] = isTable(format) ? cellsIn(head, format, 1, dialect) : [];
    const has = cells === undefined ? "" : `: the first one has ${counted(cells.length, "field")}`;
    return `a field number ${name}${has}`;
  }
  const names = fieldNames(head, { format, hasHeader, ...dialect });
  if (names.length === 0) return `the field ${name}`;
  const has = `: the first one has ${listNames(names)}`;
  if (names.includes(name)) return `a text in the field ${name}${has}`;
  return `the field ${name}${has}${suggestion(name, names)}`;
}
