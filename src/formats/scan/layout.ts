/**
 * Describes how the rows of a format are written, for the scanner. All positions and bytes are numbers.
 *
 * `fields`: rows with a separator between fields. `widths` has a bit for each number of fields that a row may have, and 0
 * allows any. `escapes`: a backslash begins an escape. `runs`: separators that follow each other are one. `letters`: a row
 * that begins with CDX can be a header.
 *
 * `csv`: RFC 4180. `fields` is the number of fields of each row, or 0 for any.
 *
 * `json`: an object a row. `path` leads to the URL. `isCapture`: a SURT and a timestamp come before the object.
 */
export type RowLayout =
  | {
      readonly kind: "fields";
      readonly separator: number;
      readonly field: number;
      readonly widths: number;
      readonly escapes?: boolean;
      readonly runs?: boolean;
      readonly letters?: boolean;
    }
  | {
      readonly kind: "csv";
      readonly separator: number;
      readonly field: number;
      readonly fields: number;
    }
  | { readonly kind: "json"; readonly path: readonly string[]; readonly isCapture: boolean };

/** The most fields of a row that `widths` can name. */
const MAX_WIDTH = 31;

/** Returns the bits of `widths` for rows of these numbers of fields. Returns null for a number that it cannot name. */
export function widthsOf(counts: readonly number[]): number | null {
  if (counts.some((count) => count > MAX_WIDTH)) return null;
  return counts.reduce((bits, count) => bits | (1 << count), 0);
}

/** Says where the last record ends that ends in some bytes. */
export interface LastEnd {
  /** The position after its line end, or 0 if no record ends in the bytes. */
  readonly end: number;
  /** What the search in the next bytes must know of these: a whole number, or `DOUBTFUL`. */
  readonly state: number;
}

/**
 * Ends a search for the ends of records: the bytes have a field in quotes that only all of its record tells how to read
 * (`Format.mend`).
 */
export const DOUBTFUL = -1;

/** Describes where a key is added to a record, and what is written there. */
export interface Addition {
  /** Says where: at the start, before the line end, or before the brace that closes the object. */
  readonly place: "start" | "end" | "brace";
  /** What is written before the key and after it: at most 32 bytes each. */
  readonly before: string;
  readonly after: string;
  /** Says how the key is written: as it is, as a field of CSV, as a string of JSON, as a field of TabSeparated. */
  readonly quoting: "none" | "csv" | "json" | "escapes";
  /** What is written in the place of the key if the record has none. */
  readonly none: string;
}
