import { anyNumbers, wholeNumbers } from "./growing.ts";

/** Gives the position of a merged line. */
export interface MergedLine {
  readonly line: number;
  /** Gives the place of the line in the list, in bytes. */
  readonly at: number;
  readonly length: number;
}

/** Limits the merged lines that a group shows. */
const SHOWN_MEMBERS = 12;

/** Holds the positions of the lines that were merged with the first line of their key. */
export class MergedLines {
  /** Holds for each key: its first line, how many were merged and repeated, and the last merged one, plus 1. */
  readonly #firstLines = wholeNumbers();
  readonly #merged = wholeNumbers();
  readonly #repeated = wholeNumbers();
  readonly #last = wholeNumbers();
  /** Holds for each key the last line that its group shows; 0 for a key without merged lines. */
  readonly #lastShown = wholeNumbers();
  /** Holds for each merged line: the one of the same key before it, plus 1, and its position. */
  readonly #previous = wholeNumbers();
  readonly #lines = wholeNumbers();
  readonly #places = anyNumbers();
  readonly #lengths = wholeNumbers();
  #order: Uint32Array | null = null;
  repeated = 0;

  /** Counts all merged lines. */
  get merged(): number {
    return this.#lines.length;
  }

  addKey(firstLine: number): void {
    this.#firstLines.push(firstLine);
    this.#merged.push(0);
    this.#repeated.push(0);
    this.#last.push(0);
    this.#lastShown.push(0);
  }

  addRepeated(key: number): void {
    this.repeated++;
    this.#repeated.set(key, this.#repeated.at(key) + 1);
  }

  addMerged(key: number, { line, at, length }: MergedLine): void {
    this.#previous.push(this.#last.at(key));
    this.#lines.push(line);
    this.#places.push(at);
    this.#lengths.push(length);
    this.#last.set(key, this.#lines.length);
    if (this.#merged.at(key) < SHOWN_MEMBERS) this.#lastShown.set(key, line);
    this.#merged.set(key, this.#merged.at(key) + 1);
  }

  firstLineOf(key: number): number {
    return this.#firstLines.at(key);
  }

  mergedOf(key: number): number {
    return this.#merged.at(key);
  }

  repeatedOf(key: number): number {
    return this.#repeated.at(key);
  }

  /** Says whether a line of a key is one that its group shows, or a repeat among those. */
  isShown(key: number, line: number): boolean {
    return line <= this.#lastShown.at(key);
  }

  /** Returns the keys with merged lines, those with the most first. */
  get order(): Uint32Array {
    this.#order ??= this.#sorted();
    return this.#order;
  }

  /** Returns the lines that a group shows of those that were merged with its first, in the order of the list. */
  linesOf(key: number): MergedLine[] {
    const found: MergedLine[] = [];
    for (let place = this.#last.at(key); place > 0; place = this.#previous.at(place - 1)) {
      const [line, at, length] = [this.#lines, this.#places, this.#lengths].map((numbers) =>
        numbers.at(place - 1),
      ) as [number, number, number];
      found.push({ line, at, length });
    }
    return found.reverse().slice(0, SHOWN_MEMBERS);
  }

  #sorted(): Uint32Array {
    const keys: number[] = [];
    for (let key = 0; key < this.#merged.length; key++) if (this.mergedOf(key) > 0) keys.push(key);
    return Uint32Array.from(keys).sort((a, b) => this.mergedOf(b) - this.mergedOf(a) || a - b);
  }
}
