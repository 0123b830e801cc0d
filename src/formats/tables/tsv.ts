import { beforeLineEnd, type Format, isEmptyLine } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName } from "../row.ts";
import { Columns } from "./columns.ts";
import { type TableKind, TableReader, tabLayout, tablePlace } from "./table.ts";

const TAB = "\t";

/** Reads TSV: fields separated by tabs, without quotes. */
export const TSV: TableKind = {
  name: "TSV",
  columns: (encoding, places, kept) => new Columns(encoding, places, kept),
  split: (columns, row) => columns.split(row, TAB),
};

/** Returns the format of TSV with the URL in a field. */
export function tsv(field: FieldName, hasHeader: boolean): Format {
  return lineFormat({
    open: () => new TableReader(TSV, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    quote: (key) => key,
    addition: {
      place: "end",
      before: TAB,
      after: "",
      quoting: "none",
      none: "",
    },
    layout: (header) => tabLayout(tablePlace(TSV, field, hasHeader, header), false),
    appendToHeader: (header, name) =>
      isEmptyLine(header) ? header : beforeLineEnd(header, `${TAB}${name}`),
  });
}
