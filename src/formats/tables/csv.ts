import { COMMA, QUOTE } from "../../url/chars.ts";
import { beforeLineEnd, contentEnd, type Format, isEmptyLine, type RecordEnd } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName, Malformed } from "../row.ts";
import { Columns } from "./columns.ts";
import { type CsvMarks, closingQuote, csvEndSearch, csvRecordEnd, mendCsv } from "./csv-records.ts";
import { type TableKind, TableReader, tablePlace } from "./table.ts";

/** Says how a list writes CSV, if not as RFC 4180 does. */
export interface CsvDialect {
  /** The ASCII character between fields, if it is not a comma. */
  readonly delimiter?: string | undefined;
  /** A backslash if in quotes it makes data of the next character. */
  readonly escapeChar?: string | undefined;
}

/** Returns how the fields of a list are told apart. */
export function marksOf({ delimiter, escapeChar }: CsvDialect): CsvMarks {
  return { separator: delimiter?.charCodeAt(0) ?? COMMA, escapes: escapeChar !== undefined };
}

/** Holds the positions of the fields of a record, including their quotes. */
class CsvColumns extends Columns {
  override encoded(field: number): string | undefined {
    const written = super.encoded(field);
    if (written?.charCodeAt(0) !== QUOTE) return written;
    return this.unescape(written.slice(1, -1));
  }

  protected unescape(written: string): string {
    return written.replaceAll('""', '"');
  }
}

/** Does the same where a backslash escapes quotes and backslashes. */
class EscapedColumns extends CsvColumns {
  override unescape(written: string): string {
    return written.replaceAll(/""|\\["\\]/g, (pair) => pair[1] as string);
  }
}

/**
 * Reads CSV (RFC 4180): fields with commas between, or another separator. A field with a separator, a line end or a quote
 * is quoted.
 */
export function csvKind(marks: CsvMarks): TableKind & Required<Pick<TableKind, "isPreface">> {
  const Kept = marks.escapes ? EscapedColumns : CsvColumns;
  return {
    name: "CSV",
    columns: (encoding, places, kept) => new Kept(encoding, places, kept),
    split: (columns, row) => splitCsv(columns, row, marks),
    isPreface: (line) => line === `sep=${String.fromCharCode(marks.separator)}`, // tells Excel the separator
  };
}

function splitCsv(columns: Columns, row: string, marks: CsvMarks): number | Malformed {
  columns.begin(row);
  let count = 0;
  for (let from = 0; ; ) {
    const end = fieldEnd(row, from, marks);
    if (end < 0) return new Malformed("a quote that is not closed");
    const isQuoted = row.charCodeAt(from) === QUOTE;
    if (isQuoted && !closes(row, from, end, marks)) {
      return new Malformed("text after the closing quote of a field");
    }
    columns.place(count++, from, end);
    if (end === row.length) return count;
    from = end + 1;
  }
}

/** Returns where the field ends that begins at `from`, or -1 if its quote is not closed. */
function fieldEnd(row: string, from: number, { separator, escapes }: CsvMarks): number {
  let at = from;
  if (row.charCodeAt(from) === QUOTE) {
    at = closingQuote(row, from, escapes) + 1;
    if (at > row.length) return -1;
  }
  while (at < row.length && row.charCodeAt(at) !== separator) at++;
  return at;
}

/** Returns whether the quote before `to` closes the one at `from`. */
function closes(row: string, from: number, to: number, { escapes }: CsvMarks): boolean {
  return closingQuote(row, from, escapes) === to - 1;
}

/** Makes the search for the end of the record that begins at `start`. */
export function csvRowEnd(marks: CsvMarks): RecordEnd {
  return (text, start, isWhole = true) => csvRecordEnd(text, start, marks, isWhole, null);
}

/** Returns the format of CSV with the URL in a field. With escapes, its rows are read in JavaScript. */
export function csv(field: FieldName, hasHeader: boolean, dialect: CsvDialect = {}): Format {
  const { delimiter = "," } = dialect;
  const marks = marksOf(dialect);
  const { separator, escapes } = marks;
  const kind = csvKind(marks);
  return lineFormat({
    open: () => new TableReader(kind, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    isPreface: kind.isPreface,
    lastEnd: csvEndSearch(marks),
    recordEnd: csvRowEnd(marks),
    mend: (text, isWhole, most) => mendCsv(text, marks, isWhole, most),
    quote: (key) => quote(key, delimiter, escapes),
    addition: {
      place: "end",
      before: delimiter,
      after: "",
      quoting: "csv",
      none: "",
    },
    layout(header) {
      if (escapes) return null;
      const place = tablePlace(kind, field, hasHeader, header);
      return place && { kind: "csv", separator, ...place };
    },
    appendToHeader: (header, name) =>
      isEmptyLine(header) || kind.isPreface(header.slice(0, contentEnd(header, 0, header.length)))
        ? header
        : beforeLineEnd(header, delimiter + name),
  });
}

/** Writes a field. With escapes, a backslash is data only where nothing is quoted. */
function quote(key: string, delimiter: string, escapes: boolean): string {
  if (!/["\r\n]/.test(key) && !key.includes(delimiter)) return key;
  return `"${escapes ? key.replaceAll(/["\\]/g, "\\$&") : key.replaceAll('"', '""')}"`;
}
