const BITS = 32;

/** Marks some rows of many, with a bit for each row. */
export class RowBits {
  readonly #words: Uint32Array;

  /** `count`: the number of all rows. */
  constructor(count: number) {
    this.#words = new Uint32Array(Math.ceil(count / BITS));
  }

  /** Returns the bytes of the bits of so many rows. */
  static bytesOf(count: number): number {
    return 4 * Math.ceil(count / BITS);
  }

  /** Returns the bytes that `ranks` takes for so many rows. */
  static rankBytesOf(count: number): number {
    return 2 * RowBits.bytesOf(count);
  }

  /** Marks rows by their numbers, from 0 on. */
  mark(row: number): void {
    const at = Math.floor(row / BITS);
    this.#words[at] = (this.#words[at] as number) | (1 << (row % BITS));
  }

  isMarked(row: number): boolean {
    const word = this.#words[Math.floor(row / BITS)] as number;
    return ((word >>> (row % BITS)) & 1) === 1;
  }

  /** Returns a function that counts the marked rows before a row. Mark all rows before. */
  ranks(): (row: number) => number {
    const words = this.#words;
    const before = new Float64Array(words.length);
    for (let at = 1; at < words.length; at++) {
      before[at] = (before[at - 1] as number) + onesIn(words[at - 1] as number);
    }
    return (row) => {
      const at = Math.floor(row / BITS);
      const below = (words[at] as number) & ((1 << (row % BITS)) - 1);
      return (before[at] as number) + onesIn(below);
    };
  }
}

/** Counts the bits of a word that are 1. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
