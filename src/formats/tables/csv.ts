import { LF, QUOTE } from "../../url/chars.ts";
import {
  beforeLineEnd,
  type EndSearch,
  type Format,
  isEmptyLine,
  type RecordEnd,
} from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName, Malformed } from "../row.ts";
import type { LastEnd } from "../scan/layout.ts";
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
  readonly #separator: number;
  #state: number;

  constructor(separator: number, state = BEGIN) {
    this.#separator = separator;
    this.#state = state;
  }

  get state(): number {
    return this.#state;
  }

  /** Takes the next character. Returns whether it ends the field: a separator or LF outside of quotes. */
  take(code: number): boolean {
    if (this.#state === QUOTED) {
      if (code === QUOTE) this.#state = BEGIN;
      return false;
    }
    if (code === QUOTE && this.#state !== PLAIN) {
      this.#state = QUOTED; // two quotes in a field with quotes are one
      return false;
    }
    const isEnd = code === this.#separator || code === LF;
    this.#state = isEnd ? BEGIN : PLAIN;
    return isEnd;
  }

  /** Returns whether a quoted field lacks its closing quote. */
  get isOpen(): boolean {
    return this.#state === QUOTED;
  }
}

/** Makes the search for the end of the last record, which may hold line ends in quotes. */
export function csvEndSearch(separator: number): EndSearch {
  return (bytes, state, scanner) =>
    scanner === null
      ? lastEnd(bytes, new CsvScan(separator, state))
      : scanner.csvEnd(bytes, separator, state);
}

function lastEnd(bytes: Uint8Array, scan: CsvScan): LastEnd {
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (scan.take(code) && code === LF) end = at + 1;
  }
  return { end, state: scan.state };
}

/** Makes the search for the position after the LF of the record that begins at `start`, or the end of the text. */
export function csvRecordEnd(separator: number): RecordEnd {
  return (text, start) => {
    const scan = new CsvScan(separator);
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (scan.take(code) && code === LF) return at + 1;
    }
    return text.length;
  };
}

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
  const scan = new CsvScan(separator);
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

/** Returns the format of CSV with the URL in a field. `delimiter`: the ASCII character between fields. */
export function csv(field: FieldName, hasHeader: boolean, delimiter = ","): Format {
  const separator = delimiter.charCodeAt(0);
  const kind = csvKind(separator);
  return lineFormat({
    open: () => new TableReader(kind, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    lastEnd: csvEndSearch(separator),
    recordEnd: csvRecordEnd(separator),
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
