import { escapeLine } from "../../io/text/line-escape.ts";

/**
 * Describes a record without a URL: its number in the chunk (from 0 on), the reason, and its text as a byte string.
 */
export interface ChunkError {
  readonly row: number;
  readonly code: string;
  readonly text: string;
}

/**
 * Holds the errors of a chunk while they move between threads. One text costs far less than many objects.
 */
export interface ErrorList {
  readonly rows: Int32Array;
  /** One `code<TAB>text<LF>` for each error, with the text as `escapeLine` writes it. */
  readonly text: string;
}

/** Packs the errors of a chunk into an `ErrorList`. */
export function packErrors(errors: readonly ChunkError[]): ErrorList {
  return {
    rows: Int32Array.from(errors, ({ row }) => row),
    text: errors.map(({ code, text }) => `${code}\t${escapeLine(text)}\n`).join(""),
  };
}

/** Returns the entry of a merged record in the list of these, given its key and its text as byte strings. */
export function mergedEntry(key: string, text: string): string {
  return `${escapeLine(key)}\t${escapeLine(text)}\n`;
}

/** Calls `take` with the number and `code<TAB>text<LF>` of each error. The text is escaped. */
export function eachError(
  { rows, text }: ErrorList,
  take: (row: number, line: string) => void,
): void {
  let at = 0;
  for (const row of rows) {
    const end = text.indexOf("\n", at) + 1;
    take(row, text.slice(at, end));
    at = end;
  }
}

/** Returns lines for the error file: number, code, text. `first` is the number of the first record. */
export function errorLines(errors: ErrorList, first: number): Uint8Array {
  const lines: string[] = [];
  eachError(errors, (row, line) => lines.push(`${first + row}\t${line}`));
  return Buffer.from(lines.join(""), "latin1");
}
