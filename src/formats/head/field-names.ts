import { parseObject } from "../json/json-object.ts";
import { BYTES } from "../row.ts";
import { cellsIn, isTable } from "./cells.ts";
import { firstRecords, type Head } from "./head.ts";

/** Says where the names of a list's fields are. */
export interface NamedFields {
  readonly format: string;
  /** Says whether the first row of a table has the names. */
  readonly hasHeader: boolean;
  /** The character between the fields of CSV. */
  readonly delimiter?: string | undefined;
}

/**
 * Returns the names of the fields that a list's first record has: the columns of a table, the members of JSON lines. Returns an
 * empty array if its fields have no names, or if the head does not hold the whole record.
 */
export function fieldNames(head: Head, { format, hasHeader, delimiter }: NamedFields): string[] {
  if (isTable(format)) return hasHeader ? (cellsIn(head, format, 1, delimiter)[0] ?? []) : [];
  return format === "jsonl" ? memberNames(head) : [];
}

function memberNames(head: Head): string[] {
  const [record = ""] = firstRecords(head, 1);
  const object = parseObject(BYTES.decode(record) ?? "");
  return typeof object === "string" ? [] : Object.keys(object);
}
