import { QUOTE } from "../../url/chars.ts";
import { beforeLineEnd, type Format, isEmptyLine, type RecordEnd } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName, Malformed } from "../row.ts";
import { Columns } from "./columns.ts";
import { closingQuote, csvEndSearch, csvRecordEnd, mendCsv } from "./csv-records.ts";
import { type TableKind, TableReader, tablePlace } from "./table.ts";

/** Holds the positions of the fields of a record, including their quotes. */
class CsvColumns extends Columns {
  override encoded(field: number): string | undefined {
    const written = super.encoded(field);
    if (written?.charCodeAt(0) !== QUOTE) return written;
    return written.slice(1, -1).replaceAll('""', '"');
  }
}

/**
 * Reads CSV (RFC 4180): fields with commas between, or another separator. A field with a separator, a line end or a quote
 * is quoted.
 */
export function csvKind(separator: number): TableKind {
  return {
    name: "CSV",
    columns: (encoding, places, kept) => new CsvColumns(encoding, places, kept),
    split: (columns, row) => splitCsv(columns, row, separator),
  };
}

function splitCsv(columns: Columns, row: string, separator: number): number | Malformed {
  columns.begin(row);
  let count = 0;
  for (let from = 0; ; ) {
    const end = fieldEnd(row, from, separator);
    if (end < 0) return new Malformed("a quote that is not closed");
    const isQuoted = row.charCodeAt(from) === QUOTE;
    if (isQuoted && !closes(row, from, end)) {
      return new Malformed("text after the closing quote of a field");
    }
    columns.place(count++, from, end);
    if (end === row.length) return count;
    from = end + 1;
  }
}

/** Returns where the field ends that begins at `from`, or -1 if its quote is not closed. */
function fieldEnd(row: string, from: number, separator: number): number {
  let at = from;
  if (row.charCodeAt(from) === QUOTE) {
    at = closingQuote(row, from) + 1;
    if (at > row.length) return -1;
  }
  while (at < row.length && row.charCodeAt(at) !== separator) at++;
  return at;
}

/** Returns whether the quote before `to` closes the one at `from`. */
function closes(row: string, from: number, to: number): boolean {
  return closingQuote(row, from) === to - 1;
}

/** Makes the search for the end of the record that begins at `start`. */
export function csvRowEnd(separator: number): RecordEnd {
  return (text, start, isWhole = true) => csvRecordEnd(text, start, separator, isWhole, null);
}

/** Returns the format of CSV with the URL in a field. `delimiter`: the ASCII character between fields. */
export function csv(field: FieldName, hasHeader: boolean, delimiter = ","): Format {
  const separator = delimiter.charCodeAt(0);
  const kind = csvKind(separator);
  return lineFormat({
    open: () => new TableReader(kind, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    lastEnd: csvEndSearch(separator),
    recordEnd: csvRowEnd(separator),
    mend: (text, isWhole, most) => mendCsv(text, separator, isWhole, most),
    quote: (key) => quote(key, delimiter),
    addition: {
      place: "end",
      before: delimiter,
      after: "",
      quoting: "csv",
      none: "",
    },
    layout(header) {
      const place = tablePlace(kind, field, hasHeader, header);
      return place && { kind: "csv", separator, ...place };
    },
    appendToHeader: (header, name) =>
      isEmptyLine(header) ? header : beforeLineEnd(header, delimiter + name),
  });
}

function quote(key: string, delimiter: string): string {
  return /["\r\n]/.test(key) || key.includes(delimiter) ? `"${key.replaceAll('"', '""')}"` : key;
}
