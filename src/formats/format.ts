import { LF } from "../url/chars.ts";
import { type Addition, DOUBTFUL, type LastEnd, type RowLayout } from "./scan/layout.ts";
import type { Scanner } from "./scan/scanner.ts";

/**
 * Holds the position of a record in a chunk, and its URL. Positions are in the chunk's byte string: one character a
 * byte.
 */
export interface RecordSpan {
  readonly start: number;
  /** The position after its line end or closing tag. */
  readonly end: number;
  /** The position of its URL, as written. */
  readonly from: number;
  readonly to: number;
  /** Holds the URL as a byte string, or "" for another kind than "url". */
  readonly url: string;
  /**
   * Says what the record is. "header": the text is not a record and is copied. "repeated": it is the header of a later
   * input and is left out. "missing": the record lacks its URL. "malformed": the line is not a record of the format.
   */
  readonly kind: "url" | "header" | "repeated" | "missing" | "malformed";
}

/** Bytes of the longest record that is not a line of one URL; a longer one is an error. */
export const LONGEST_RECORD = 1 << 26;
/**
 * Limits the characters of a URL that the links of a page are resolved against, because each link may get all of them. Servers
 * take no longer URLs.
 */
export const LONGEST_BASE = 1 << 13;

/**
 * Returns where the last whole record of `bytes` ends, or 0 if no record ends there. No record ends before `from`,
 * which an earlier call has scanned. The bytes of the next call begin after the last record. Returns `DOUBTFUL` if only
 * `Format.mend` knows. If that finds no end, later calls return 0, and `DOUBTFUL` again each time that the bytes have
 * doubled. If it finds one, the caller goes on with a new boundary.
 */
export type Boundary = (bytes: Uint8Array, from: number) => number;

/**
 * Finds where the last record ends in bytes that may begin and end anywhere in an input. `state`: the state after the bytes
 * before, or 0 at the beginning of the input. `scanner`: finds the same, faster, or is null. `isLast`: says that
 * the input ends after the bytes.
 */
export type EndSearch = (
  bytes: Uint8Array,
  state: number,
  scanner: Scanner | null,
  isLast?: boolean,
) => LastEnd;

/** Names a quote that opens a field and may not be meant so. */
export interface DoubtfulQuote {
  /** Its position in the text. */
  readonly at: number;
  /** The number of lines of its field, which are many; null if nothing closes the quote. */
  readonly lines: number | null;
}

/** Says where records end in a text with doubtful quotes. */
export interface Mended {
  /** The end of the last record that ends in the text, or 0. */
  readonly end: number;
  /** The end of the records before the first whose quote is not closed, or `end` if all are closed. */
  readonly sound: number;
  /** The quotes of these records, in order. */
  readonly quotes: readonly DoubtfulQuote[];
}

/** Makes the boundary of records from a search for their ends. */
export function boundaryBy(search: EndSearch, scanner: Scanner | null = null): Boundary {
  let before = 0;
  /** The bytes of a doubtful record that are worth another look, which is at all of them. */
  let enough = 0;
  return (bytes, from) => {
    if (before !== DOUBTFUL) {
      const { end, state } = search(bytes.subarray(from), before, scanner);
      before = state;
      if (state !== DOUBTFUL) return end === 0 ? 0 : from + end;
    } else if (bytes.length < enough) {
      return 0;
    }
    enough = 2 * bytes.length;
    return DOUBTFUL;
  };
}

/** Holds the position of a chunk in its input. */
export interface ChunkPlace {
  /** The line that names the columns, from this input or an earlier one. It is null if there was no such line. */
  readonly header: string | null;
  /** Says whether the chunk is the first of its input that has a record or header. */
  readonly isStart: boolean;
}

/** Defines how a format reads and writes records with URLs. */
export interface Format {
  /** Says whether each record is a line, whatever is in it, so that a list can be read from any line on. */
  readonly hasPlainLines?: boolean;
  /** The byte that ends each record: LF unless given. It is null if records end by themselves. */
  readonly lastByte?: number | null;
  /** Says whether the first line of each input is a header. The output has the header once. */
  readonly startsWithHeader: boolean;
  /** Returns whether a line before the header is for another program, as `sep=;` is for Excel. It is copied with the header. */
  isPreface?(line: string): boolean;
  /** Finds ends of records that may have line ends inside. Absent if records are lines, or parts of a document. */
  readonly lastEnd?: EndSearch;
  /** Creates the function that finds record boundaries in one input, by a scanner if it is given one. */
  boundary(scanner?: Scanner | null): Boundary;
  /**
   * Finds where records end in a text that begins with a record, also where a quote is not closed. `isWhole`: says that no
   * more text comes; `most`: the bytes of the text in which records are wanted. Absent if quotes mean nothing.
   */
  mend?(text: string, isWhole: boolean, most: number): Mended;
  /**
   * Returns the header of an input, given whole records. Returns null if the input begins with a record, and undefined
   * if all records are blank. Throws `BAD_OPTION` if the header lacks the field of the URL.
   */
  headerOf(bytes: Uint8Array): string | null | undefined;
  /**
   * Returns whether one file may have records of both headers. Absent if headers name columns: then only equal ones may.
   */
  agree?(header: string, other: string): boolean;
  /** Returns the records of a text that holds whole records. */
  read(text: string, place: ChunkPlace): RecordSpan[];
  /**
   * Returns how rows are written after a header, so that a scanner can find them. Returns null if it cannot. Absent if
   * records are not lines.
   */
  layout?(header: string | null): RowLayout | null;
  /** Returns a key as the format writes it in place of a URL. */
  quote(key: string): string;
  /**
   * Returns a record with a key appended, or as it is if the format cannot append one. The key is null if the record does
   * not have one: then the new field has no value, so that all records have equally many fields.
   */
  append(record: string, key: string | null): string;
  /** Says how a key is appended to a record that has a URL. Absent if records are not lines. */
  readonly addition?: Addition;
  /** Returns the header with the name of a column that is added. */
  appendToHeader(header: string, name: AddedColumn): string;
}

/** Names a column or member that is added to records: the key, or the number of its records. */
export type AddedColumn = "normalized_url" | "count";

/** Adds a key after the last field of a row with spaces between. */
export const SPACED_ADDITION: Addition = {
  place: "end",
  before: " ",
  after: "",
  quoting: "none",
  none: "-",
};

/** Returns what is written for a key. `quoted`: the key as the format writes a URL, or null for a record without a key. */
export function addedText({ before, after, none }: Addition, quoted: string | null): string {
  return before + (quoted ?? none) + after;
}

/** Returns a record with its key added. `quoted`: the key as the format writes a URL, or null for a record without a key. */
export function addKey(record: string, addition: Addition, quoted: string | null): string {
  const { place } = addition;
  const text = addedText(addition, quoted);
  if (place === "start") return text + record;
  if (place === "end") return beforeLineEnd(record, text);
  const close = record.lastIndexOf("}");
  const isEmpty = record.slice(0, close).trimEnd().endsWith("{");
  const member = isEmpty ? text.slice(1) : text;
  return record.slice(0, close) + member + record.slice(close);
}

/** Returns the number of LF in some bytes. */
export function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Finds record boundaries if each record is a line. */
export function lineBoundary(bytes: Uint8Array, from: number): number {
  const newline = bytes.subarray(from).lastIndexOf(LF);
  return newline < 0 ? 0 : from + newline + 1;
}

/**
 * Returns the end of the record that begins at `start`, including its line end. `isWhole`: says that no more text comes,
 * which is the default. Otherwise it returns -1 or the end of the text if the record can go on.
 */
export type RecordEnd = (text: string, start: number, isWhole?: boolean) => number;

/** Returns the position after the LF of a line, or the end of the text if it has none. */
export function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline < 0 ? text.length : newline + 1;
}

/** Reads the records of a text. `read` gets each record without its line end. */
export function readLines(
  text: string,
  recordEnd: RecordEnd,
  read: (line: string, start: number) => Omit<RecordSpan, "start" | "end">,
): RecordSpan[] {
  const records: RecordSpan[] = [];
  for (let start = 0; start < text.length; ) {
    const end = recordEnd(text, start);
    records.push({ start, end, ...read(text.slice(start, contentEnd(text, start, end)), start) });
    start = end;
  }
  return records;
}

/** Returns where the content of a line ends, before LF or CR LF. `end` is the position after the line end. */
export function contentEnd(text: string, start: number, end: number): number {
  const newline = end - 1;
  if (text[newline] !== "\n") return end;
  return newline > start && text[newline - 1] === "\r" ? newline - 1 : newline;
}

export function beforeLineEnd(line: string, text: string): string {
  const end = contentEnd(line, 0, line.length);
  return line.slice(0, end) + text + line.slice(end);
}

export function isEmptyLine(line: string): boolean {
  return contentEnd(line, 0, line.length) === 0;
}

/** Marks a line that is not a record of its format, such as a row with too few fields. */
export const MALFORMED = { from: 0, to: 0, url: "", kind: "malformed" } as const;
/** Marks a record, or part of one, that lacks its URL. */
export const MISSING = { from: 0, to: 0, url: "", kind: "missing" } as const;
/** Marks a header, which has no URL. */
export const HEADER = { from: 0, to: 0, url: "", kind: "header" } as const;
/** Marks the header of a later input, which is left out. */
export const REPEATED = { from: 0, to: 0, url: "", kind: "repeated" } as const;
