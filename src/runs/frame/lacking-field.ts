import { counted } from "../../base/counted.ts";
import { suggestion } from "../../base/nearest.ts";
import { listNames } from "../../formats/excerpt.ts";
import { cellsIn, fieldNames, type Head, isTable } from "../../formats/head/head.ts";
import { hasFields, type UrlField } from "../../formats/index.ts";
import { CommandFailure } from "../base/failure.ts";
import type { PreparedRun } from "./prepare.ts";

/** The most bytes of an input that are looked at. */
export const FIRST_BYTES = 1 << 16;

/** Throws a CommandFailure if there are records, and no one has the field of the URL. `first`: the first bytes of the input. */
export function checkField({ options, tally }: PreparedRun, first: () => Buffer): void {
  const { format, field } = options;
  if (format === "parquet" || !hasFields(format) || tally.located > 0 || tally.errors === 0) return;
  const bytes = first();
  const head = {
    text: bytes.toString("latin1"),
    isWhole: bytes.length < FIRST_BYTES,
    isLast: true,
  };
  throw new CommandFailure(`no record has ${lackingOf(head, format, field)}`, 1);
}

/** Names what no record has, and says what fields the first one has. */
function lackingOf(head: Head, format: string, { field, hasHeader, delimiter }: UrlField): string {
  const { name, column } = field;
  if (column !== undefined) {
    const [cells] = isTable(format) ? cellsIn(head, format, 1, delimiter) : [];
    const has = cells === undefined ? "" : `: the first one has ${counted(cells.length, "field")}`;
    return `a field number ${name}${has}`;
  }
  const names = fieldNames(head, { format, hasHeader, delimiter });
  if (names.length === 0) return `the field ${name}`;
  const has = `: the first one has ${listNames(names)}`;
  if (names.includes(name)) return `a text in the field ${name}${has}`;
  return `the field ${name}${has}${suggestion(name, names)}`;
}
