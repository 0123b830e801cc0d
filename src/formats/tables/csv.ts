import { COMMA, LF, QUOTE } from "../../url/chars.ts";
import { beforeLineEnd, type Format, isEmptyLine } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName, Malformed } from "../row.ts";
import type { LastEnd } from "../scan/layout.ts";
import type { Scanner } from "../scan/scanner.ts";
import { Columns } from "./columns.ts";
import { type TableKind, TableReader, tablePlace } from "./table.ts";

/**
 * The state of a scan, as in assembly/records/csv.ts: at the start of a field or after a quote that closes one, in an
 * unquoted field, or in a quoted field.
 */
const BEGIN = 0;
const PLAIN = 1;
const QUOTED = 2;

/**
 * Follows CSV (RFC 4180) character by character. A quote opens a field only as its first character. Inside an unquoted
 * field, it is data.
 */
class CsvScan {
  #state: number;

  constructor(state = BEGIN) {
    this.#state = state;
  }

  get state(): number {
    return this.#state;
  }

  /** Takes the next character. Returns whether it ends the field: a comma or LF outside of quotes. */
  take(code: number): boolean {
    if (this.#state === QUOTED) {
      if (code === QUOTE) this.#state = BEGIN;
      return false;
    }
    if (code === QUOTE && this.#state !== PLAIN) {
      this.#state = QUOTED; // two quotes in a field with quotes are one
      return false;
    }
    const isEnd = code === COMMA || code === LF;
    this.#state = isEnd ? BEGIN : PLAIN;
    return isEnd;
  }

  /** Returns whether a quoted field lacks its closing quote. */
  get isOpen(): boolean {
    return this.#state === QUOTED;
  }
}

/** Finds where the last record ends, which may hold line ends in quotes. */
export function csvLastEnd(bytes: Uint8Array, state: number, scanner: Scanner | null): LastEnd {
  if (scanner !== null) return scanner.csvEnd(bytes, COMMA, state);
  const scan = new CsvScan(state);
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (scan.take(code) && code === LF) end = at + 1;
  }
  return { end, state: scan.state };
}

/** Returns the position after the LF of the record that begins at `start`, or the end of the text if it has none. */
export function csvRecordEnd(text: string, start: number): number {
  const scan = new CsvScan();
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (scan.take(code) && code === LF) return at + 1;
  }
  return text.length;
}

/** Holds the positions of the fields of a record, including their quotes. */
class CsvColumns extends Columns {
  override encoded(field: number): string | undefined {
    const written = super.encoded(field);
    if (written?.charCodeAt(0) !== QUOTE) return written;
    return written.slice(1, -1).replaceAll('""', '"');
  }
}

/** Reads CSV (RFC 4180): fields separated by commas. A field with a comma, a line end or a quote is quoted. */
export const CSV: TableKind = {
  name: "CSV",
  columns: (encoding, places, kept) => new CsvColumns(encoding, places, kept),
  split: splitCsv,
};

function splitCsv(columns: Columns, row: string): number | Malformed {
  const scan = new CsvScan();
  columns.begin(row);
  let from = 0;
  let count = 0;
  for (let at = 0; at <= row.length; at++) {
    const isLast = at === row.length;
    if (!isLast && !scan.take(row.charCodeAt(at))) continue;
    if (isLast && scan.isOpen) return new Malformed("a quote that is not closed");
    const isQuoted = row.charCodeAt(from) === QUOTE;
    if (isQuoted && (at - from < 2 || !closes(row, from, at))) {
      return new Malformed("text after the closing quote of a field");
    }
    columns.place(count++, from, at);
    from = at + 1;
  }
  return count;
}

/** Returns whether the last character before `to` is the first to close the quote at `from`. */
function closes(row: string, from: number, to: number): boolean {
  const inner = row.slice(from + 1, to - 1).replaceAll('""', "");
  return row.charCodeAt(to - 1) === QUOTE && !inner.includes('"');
}

/** Returns the format of CSV with the URL in a field. */
export function csv(field: FieldName, hasHeader: boolean): Format {
  return lineFormat({
    open: () => new TableReader(CSV, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    lastEnd: csvLastEnd,
    recordEnd: csvRecordEnd,
    quote,
    addition: {
      place: "end",
      before: ",",
      after: "",
      quoting: "csv",
      none: "",
    },
    layout(header) {
      const place = tablePlace(CSV, field, hasHeader, header);
      return place && { kind: "csv", separator: COMMA, ...place };
    },
    appendToHeader: (header, name) =>
      isEmptyLine(header) ? header : beforeLineEnd(header, `,${name}`),
  });
}

function quote(key: string): string {
  return /[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key;
}
