import { lineEnd, type RecordEnd } from "../format.ts";
import { BYTES, Malformed } from "../row.ts";
import { csvKind, csvRowEnd } from "../tables/csv.ts";
import { TAB_SEPARATED, tabSeparatedRowEnd } from "../tables/tab-separated.ts";
import { cellsOf, type TableKind } from "../tables/table.ts";
import { TSV } from "../tables/tsv.ts";
import { firstRecords, type Head } from "./head.ts";

const TSV_RECORDS = { kind: TSV, recordEnd: lineEnd };
const TABLES = {
  tsv: () => TSV_RECORDS,
  TSVRaw: () => TSV_RECORDS,
  TabSeparated: () => ({ kind: TAB_SEPARATED, recordEnd: tabSeparatedRowEnd }),
  csv: (separator) => ({ kind: csvKind(separator), recordEnd: csvRowEnd(separator) }),
} satisfies Record<string, (separator: number) => { kind: TableKind; recordEnd: RecordEnd }>;

/** Names a format whose records are rows of cells. */
export type TableFormat = keyof typeof TABLES;

/** Returns whether the records of a format are rows of cells. */
export function isTable(format: string): format is TableFormat {
  return Object.hasOwn(TABLES, format);
}

/**
 * Returns the cells of the first rows that are whole, at most `count` rows. Leaves out rows that cannot be read. `delimiter`:
 * the character between the fields of CSV.
 */
export function cellsIn(
  head: Head,
  format: TableFormat,
  count: number,
  delimiter = ",",
): string[][] {
  const { kind, recordEnd } = TABLES[format](delimiter.charCodeAt(0));
  return firstRecords(head, count, recordEnd).flatMap((record) => {
    const cells = cellsOf(kind, record, BYTES);
    return cells instanceof Malformed ? [] : [cells];
  });
}
