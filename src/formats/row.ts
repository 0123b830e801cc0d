import { decodeUtf8, utf8ByteString } from "../url/bytes.ts";

/** Says what the characters of a line are. */
export interface Encoding {
  /** Returns the text that a part of a line stands for, or null where it is not UTF-8. */
  decode(written: string): string | null;
  /** Returns a text as lines have it. */
  encode(text: string): string;
}

/** Lines as byte strings: each character is a byte of UTF-8. */
export const BYTES: Encoding = { decode: decodeUtf8, encode: utf8ByteString };
/** Lines as they read: faster, where the bytes are not written again. */
export const TEXT: Encoding = { decode: (written) => written, encode: (text) => text };

/** Holds where a field stands in its line, as it is written. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Names a field that a reader is asked for. */
export interface FieldName {
  /** Is a column's name, a member's name, or a letter of CDX. */
  readonly name: string;
  /** Counts columns from 0 on, where the caller knows the column and not its name. */
  readonly column?: number;
  /** Says that a whole number of JSON is a text too. */
  readonly mayBeNumber?: boolean;
  /** Says that a header without the field is an error. */
  readonly isNeeded?: boolean;
}

/** Describes a line, or a row of it, that its format does not allow. */
export class Malformed {
  /** Says, for people, what is wrong, with an excerpt if it helps. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Holds the fields of one record. */
export interface Fields {
  /**
   * Returns the text of a field, by its place among those asked for: undefined where the record has none,
   * `Malformed` where it is not a text.
   */
  text(field: number): string | Malformed | undefined;
}

/** Holds one record that is a line. Its reader uses it again for the next line. */
export interface Row extends Fields {
  /** Returns the text of a field in the encoding of its line; undefined where it is not a text. */
  encoded(field: number): string | undefined;
  /** Returns where a field that has a text stands. */
  span(field: number): Span;
}

/**
 * Reads the lines of one input, each without its end, in their order: a header decides how the
 * others are read. To go on in the middle of an input, give its `header` to `read` first.
 */
export interface RowReader {
  /** Is the line that named the columns; null before it, and in formats without one. */
  readonly header: string | null;
  /** Returns null for a line that is not meant as a record: blank, or a header. Throws `BAD_OPTION` for a header that lacks what is needed. */
  read(line: string): Row | Malformed | null;
}

const NOT_BLANK = /[^\t\n\v\f\r ]/;

/** Says whether a line has nothing but ASCII white space. */
export function isBlank(line: string): boolean {
  return !NOT_BLANK.test(line);
}
