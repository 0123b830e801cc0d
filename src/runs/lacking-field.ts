import { counted } from "../base/counted.ts";
import { suggestion } from "../base/nearest.ts";
import { listNames } from "../formats/excerpt.ts";
import { cellsIn, isTable } from "../formats/head/cells.ts";
import { fieldNames } from "../formats/head/field-names.ts";
import type { Head } from "../formats/head/head.ts";
import { hasFields, type UrlField } from "../formats/index.ts";
import { CommandFailure } from "./failure.ts";
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
  const { name, column } = field.field;
  const what = column === undefined ? `the field ${name}` : `a field number ${name}`;
  throw new CommandFailure(`no record has ${what}${clueOf(head, format, field)}`, 1);
}

/** Says what fields the first record has. */
function clueOf(head: Head, format: string, { field, hasHeader, delimiter }: UrlField): string {
  if (isTable(format) && field.column !== undefined) {
    const [cells] = cellsIn(head, format, 1, delimiter);
    return cells === undefined ? "" : `: the first one has ${counted(cells.length, "field")}`;
  }
  const names = fieldNames(head, { format, hasHeader, delimiter });
  if (names.length === 0) return "";
  return `: the first one has ${listNames(names)}${suggestion(field.name, names)}`;
}
