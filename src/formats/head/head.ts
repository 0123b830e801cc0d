import { lineEnd, type RecordEnd } from "../format.ts";
import { parseObject } from "../json/json-object.ts";
import { BYTES, Malformed } from "../row.ts";
import { type CsvDialect, csvKind, csvRowEnd, marksOf } from "../tables/csv.ts";
import type { CsvMarks } from "../tables/csv-records.ts";
import { TAB_SEPARATED, tabSeparatedRowEnd } from "../tables/tab-separated.ts";
import { cellsOf, type TableKind } from "../tables/table.ts";
import { TSV } from "../tables/tsv.ts";

/** Holds the beginning of a list, as far as it was read. */
export interface Head {
  /** Holds its bytes as a byte string, without a byte order mark. */
  readonly text: string;
  /** Says whether the list ends there. */
  readonly isWhole: boolean;
  /** Says whether no more of the list will be read before an answer. */
  readonly isLast: boolean;
}

/** Returns the first line of a list without its line end, or null if it is not whole. */
export function firstLine({ text, isWhole }: Head): string | null {
  const end = lineEnd(text, 0);
  return text[end - 1] === "\n" || (isWhole && end > 0) ? withoutLineEnd(text.slice(0, end)) : null;
}

function withoutLineEnd(line: string): string {
  return line.replace(/\r?\n$/, "");
}

/** Returns the first records of a list that are whole and not blank, without their line ends, at most `count`. */
export function firstRecords(
  { text, isWhole }: Head,
  count: number,
  recordEnd: RecordEnd = lineEnd,
): string[] {
  const records: string[] = [];
  for (let from = 0; from < text.length && records.length < count; ) {
    const end = recordEnd(text, from, isWhole);
    if (!isWhole && (end < 0 || text[end - 1] !== "\n")) break;
    const record = withoutLineEnd(text.slice(from, end));
    if (record.trim() !== "") records.push(record);
    from = end;
  }
  return records;
}

interface Table {
  readonly kind: TableKind;
  readonly recordEnd: RecordEnd;
}

const TSV_RECORDS: Table = { kind: TSV, recordEnd: lineEnd };
const TABLES = {
  tsv: () => TSV_RECORDS,
  TSVRaw: () => TSV_RECORDS,
  TabSeparated: () => ({ kind: TAB_SEPARATED, recordEnd: tabSeparatedRowEnd }),
  csv: (marks) => ({ kind: csvKind(marks), recordEnd: csvRowEnd(marks) }),
} satisfies Record<string, (marks: CsvMarks) => Table>;

/** Names a format whose records are rows of cells. */
export type TableFormat = keyof typeof TABLES;

/** Returns whether the records of a format are rows of cells. */
export function isTable(format: string): format is TableFormat {
  return Object.hasOwn(TABLES, format);
}

/**
 * Returns the cells of the first rows that are whole, at most `count` rows. Leaves out rows that cannot be read, and a line for
 * Excel. `dialect`: how CSV is written.
 */
export function cellsIn(
  head: Head,
  format: TableFormat,
  count: number,
  dialect: CsvDialect = {},
): string[][] {
  const { kind, recordEnd }: Table = TABLES[format](marksOf(dialect));
  const records = firstRecords(head, count + 1, recordEnd);
  const from = records[0] !== undefined && kind.isPreface?.(records[0]) ? 1 : 0;
  return records.slice(from, from + count).flatMap((record) => {
    const cells = cellsOf(kind, record, BYTES);
    return cells instanceof Malformed ? [] : [cells];
  });
}

/** Says where the names of a list's fields are. */
interface NamedFields extends CsvDialect {
  readonly format: string;
  /** Says whether the first row of a table has the names. */
  readonly hasHeader: boolean;
}

/**
 * Returns the names of the fields that a list's first record has: the columns of a table, the members of JSON lines. Returns an
 * empty array if its fields have no names, or if the head does not hold the whole record.
 */
export function fieldNames(head: Head, { format, hasHeader, ...dialect }: NamedFields): string[] {
  if (isTable(format)) return hasHeader ? (cellsIn(head, format, 1, dialect)[0] ?? []) : [];
  return format === "jsonl" ? memberNames(head) : [];
}

function memberNames(head: Head): string[] {
  const [record = ""] = firstRecords(head, 1);
  const object = parseObject(BYTES.decode(record) ?? "");
  return typeof object === "string" ? [] : Object.keys(object);
}
