import { type Encoding, Malformed, type Row, type Span } from "../row.ts";

/** Marks a field that a record does not have, in place of a column. */
export const ABSENT = -1;

/** Holds the positions of the first columns of a line, and the number of all columns. */
export class Columns implements Row {
  /** The number of columns that are held: the first of a line. */
  readonly kept: number;
  /** The column of each field, or `ABSENT`. */
  places: readonly number[];
  readonly #encoding: Encoding;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #line = "";

  constructor(encoding: Encoding, places: readonly number[], kept = Math.max(...places) + 1) {
    this.#encoding = encoding;
    this.places = places;
    this.kept = kept;
    this.#from = new Int32Array(kept);
    this.#to = new Int32Array(kept);
  }

  /** Begins another line. `place` gives the columns of its fields. */
  begin(line: string): void {
    this.#line = line;
  }

  /** Records the position of a column, if the column is held. */
  place(column: number, from: number, to: number): void {
    if (column >= this.kept) return;
    this.#from[column] = from;
    this.#to[column] = to;
  }

  /** Reads the columns of a line, separated by `separator`, and returns their number. */
  split(line: string, separator: string): number {
    this.#line = line;
    const { kept } = this;
    let count = 0;
    for (let from = 0; ; ) {
      const next = line.indexOf(separator, from);
      const to = next < 0 ? line.length : next;
      if (count < kept) {
        this.#from[count] = from;
        this.#to[count] = to;
      }
      count++;
      if (next < 0) return count;
      from = next + 1;
    }
  }

  /** Reads columns separated by runs of spaces, up to the number that is held. Returns how many it read. */
  splitRuns(line: string): number {
    this.#line = line;
    const { kept } = this;
    let count = 0;
    for (let from = 0; from < line.length && count < kept; ) {
      const next = line.indexOf(" ", from);
      const to = next < 0 ? line.length : next;
      if (to > from) {
        this.#from[count] = from;
        this.#to[count++] = to;
      }
      from = to + 1;
    }
    return count;
  }

  text(field: number): string | Malformed | undefined {
    const written = this.encoded(field);
    if (written === undefined) return undefined;
    return this.#encoding.decode(written) ?? new Malformed("not UTF-8");
  }

  encoded(field: number): string | undefined {
    const column = this.places[field] as number;
    if (column === ABSENT) return undefined;
    return this.#line.slice(this.#from[column], this.#to[column]);
  }

  span(field: number): Span {
    const column = this.places[field] as number;
    return { from: this.#from[column] as number, to: this.#to[column] as number };
  }
}
