import { decodeUtf8, utf8ByteString } from "../url/bytes.ts";

/** Defines how the text of a field is encoded in a line. */
export interface Encoding {
  /** Returns the text of a part of a line, or null if the part is not UTF-8. */
  decode(written: string): string | null;
  /** Returns a text in the encoding of the lines. */
  encode(text: string): string;
}

/** Handles lines as byte strings: each character is a byte of UTF-8. */
export const BYTES: Encoding = { decode: decodeUtf8, encode: utf8ByteString };
/** Handles lines as decoded text. This is faster if the bytes are not written again. */
export const TEXT: Encoding = { decode: (written) => written, encode: (text) => text };

/** Holds the position of a field in its line, as written. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Names a field that a reader must find. */
export interface FieldName {
  /** The name of a column, the name of a member, or a letter of CDX. */
  readonly name: string;
  /** The number of the column, from 0 on, if the caller knows the number and not the name. */
  readonly column?: number;
  /** Says whether a whole number of JSON is also accepted as a text. */
  readonly mayBeNumber?: boolean;
  /** Says whether any number, true and false of JSON are also read, as they are written. Only `encoded` does so. */
  readonly mayBeScalar?: boolean;
  /** Says whether a list of texts of JSON is also a text: its elements with a space between, spaces in them as `%20`. */
  readonly mayBeList?: boolean;
  /** Says whether a header without the field is an error. */
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

export interface Fields {
  /**
   * Returns the text of a field, given its place among the requested fields. Returns undefined if the record lacks the
   * field, and `Malformed` if its value is not a text.
   */
  text(field: number): string | Malformed | undefined;
}

/** Holds one record that is a line. Its reader uses it again for the next line. */
export interface Row extends Fields {
  /** Returns the text of a field in the encoding of its line, or undefined if the field is not a text. */
  encoded(field: number): string | undefined;
  /** Returns the position of a field that has a text. */
  span(field: number): Span;
}

/**
 * Reads the lines of one input, in order, each without its line end. A header decides how the later lines are read. To
 * start in the middle of an input, first give its `header` to `read`.
 */
export interface RowReader {
  /** The line that names the columns. It is null before that line, and in formats without a header. */
  readonly header: string | null;
  /**
   * Returns null for a line that is not a record: a blank line or a header. Throws `BAD_OPTION` if a header lacks a
   * needed field.
   */
  read(line: string): Row | Malformed | null;
}

const NOT_BLANK = /[^\t\n\v\f\r ]/;

/** Says whether a line has nothing but ASCII white space. */
export function isBlank(line: string): boolean {
  return !NOT_BLANK.test(line);
}
