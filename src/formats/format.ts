import { LF } from "../url/chars.ts";

/**
 * Says where a record stands in a chunk and what URL it names. Positions are in the chunk's byte
 * string: one character a byte.
 */
export interface RecordSpan {
  readonly start: number;
  /** After its line end or closing tag. */
  readonly end: number;
  /** Where its URL stands as it is written. */
  readonly from: number;
  readonly to: number;
  /**
   * The URL's bytes as a byte string. "header": it is not a record and passes as it is; "repeated": it is the
   * header of a further input, which is left out; "missing": it has no URL where one belongs.
   */
  readonly url: string;
  readonly kind: "url" | "header" | "repeated" | "missing";
}

/**
 * Tells where the last whole record of `bytes` ends; 0 where none does. What is before `from` has been looked
 * at before, and no record ends there. The bytes of the next call begin where the last record ended.
 */
export type Boundary = (bytes: Uint8Array, from: number) => number;

/** Says where in its input a chunk is. */
export interface ChunkPlace {
  /** The line that names the columns, of this input or of one before; null where there was none. */
  readonly header: string | null;
  /** Whether no record or header of the input is before the chunk. */
  readonly isStart: boolean;
}

/** Describes a way of writing URLs among other data. */
export interface Format {
  /** Whether the first line of each input is a header, which is written once. */
  readonly startsWithHeader: boolean;
  /** Makes the boundary of one input. */
  boundary(): Boundary;
  /**
   * Returns the header that an input begins with, in whole records; null where it begins with a record, undefined
   * where all of them are blank. Throws `BAD_OPTION` for a header that does not name the field of the URL.
   */
  headerOf(bytes: Uint8Array): string | null | undefined;
  /** Returns the records of whole records' text. */
  read(text: string, place: ChunkPlace): RecordSpan[];
  /** A key as the format writes it in the place of a URL. */
  quote(key: string): string;
  /** A record with a key after what it has, or null where the format has no place for one. */
  append(record: string, key: string): string | null;
  /** Returns what is not a record, where keys are appended to records: a header with a name for their column. */
  appendToHeader(header: string): string;
}

/** Finds the boundary of formats whose records are lines. */
export function lineBoundary(bytes: Uint8Array, from: number): number {
  const newline = bytes.subarray(from).lastIndexOf(LF);
  return newline < 0 ? 0 : from + newline + 1;
}

/** Tells where the record ends that begins at `start`, after its line end. */
export type RecordEnd = (text: string, start: number) => number;

/** Returns where a line ends, after its LF; the end of the text without one. */
export function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline < 0 ? text.length : newline + 1;
}

/** Reads the records of a text by `read`, which gets each without its line end. */
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

/** Returns where the content of a line ends, before LF or CR LF; `end` is after these. */
export function contentEnd(text: string, start: number, end: number): number {
  const newline = end - 1;
  if (text[newline] !== "\n") return end;
  return newline > start && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** Puts `text` before the end of a line. */
export function beforeLineEnd(line: string, text: string): string {
  const end = contentEnd(line, 0, line.length);
  return line.slice(0, end) + text + line.slice(end);
}

/** Says whether a line has nothing but its end. */
export function isEmptyLine(line: string): boolean {
  return contentEnd(line, 0, line.length) === 0;
}

/** Stands for a record, or part of one, that has no URL where one belongs. */
export const MISSING = { from: 0, to: 0, url: "", kind: "missing" } as const;
/** Stands for a record that is a header, which has no URL. */
export const HEADER = { from: 0, to: 0, url: "", kind: "header" } as const;
/** Stands for the header of a further input, which is left out. */
export const REPEATED = { from: 0, to: 0, url: "", kind: "repeated" } as const;
