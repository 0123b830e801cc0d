import { type Encoding, Malformed, type Row, type Span } from "./row.ts";

/** Stands, in the place of a column, for a field that a record does not have. */
export const ABSENT = -1;

/** Holds where the columns of a line stand, up to a number of them, and counts all. */
export class Columns implements Row {
  /** Counts the columns that are held, which are the first of a line. */
  readonly kept: number;
  /** Says which column each field is, or `ABSENT`. */
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

  /** Begins another line, whose columns `place` tells. */
  begin(line: string): void {
    this.#line = line;
  }

  /** Tells where a column stands, if it is held. */
  place(column: number, from: number, to: number): void {
    if (column >= this.kept) return;
    this.#from[column] = from;
    this.#to[column] = to;
  }

  /** Takes the columns of a line, which `separator` parts; returns their number. */
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

  /** Takes as many columns of a line as it holds, which runs of spaces part; returns their number. */
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
