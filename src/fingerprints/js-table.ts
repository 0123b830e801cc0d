import {
  bytesOf,
  deleteEntries,
  FIRST_HOMES,
  type FingerprintBits,
  type FingerprintTable,
  filledEntries,
  grown,
  homesFor,
  wordsOf,
} from "./table.ts";

const TWO_TO_32 = 2 ** 32;

/**
 * Keeps fingerprints by open addressing, in JavaScript. An entry is in the first place from its home on that
 * was empty. While the table grows, the old and the new one are in memory together.
 */
export class JsTable implements FingerprintTable {
  readonly #bits: FingerprintBits;
  readonly #wordsPerEntry: 4 | 2;
  #homes = FIRST_HOMES;
  #words: Uint32Array<ArrayBuffer>;
  #size = 0;

  constructor(bits: FingerprintBits) {
    this.#bits = bits;
    this.#wordsPerEntry = bits === 128 ? 4 : 2;
    this.#words = new Uint32Array(bytesOf(FIRST_HOMES, bits) / 4);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  add(fingerprints: Uint8Array): Uint8Array | null {
    const rows = wordsOf(fingerprints);
    const answers = new Uint8Array(rows.length / this.#wordsPerEntry);
    if (!this.#makeRoom(this.#size + answers.length)) return null;
    for (let row = 0; row < answers.length; row++) {
      const at = this.#find(rows, row * this.#wordsPerEntry);
      if (this.#isFilled(at)) continue;
      this.#store(at, rows, row * this.#wordsPerEntry);
      this.#size++;
      answers[row] = 1;
      // The last entry stays empty, so that every search ends.
      const isLast = at + 2 * this.#wordsPerEntry >= this.#words.length;
      if (isLast && !this.#grow(grown(this.#homes))) return null;
    }
    return answers;
  }

  has(fingerprints: Uint8Array): Uint8Array {
    const rows = wordsOf(fingerprints);
    const answers = new Uint8Array(rows.length / this.#wordsPerEntry);
    for (let row = 0; row < answers.length; row++) {
      if (this.#isFilled(this.#find(rows, row * this.#wordsPerEntry))) answers[row] = 1;
    }
    return answers;
  }

  delete(fingerprints: Uint8Array): Uint8Array {
    const homeOf = (high: number): number => this.#homeOf(high);
    const answers = deleteEntries(this.#words, this.#wordsPerEntry, fingerprints, homeOf);
    for (const answer of answers) this.#size -= answer;
    return answers;
  }

  reserve(count: number): void {
    this.#makeRoom(count);
  }

  clear(): void {
    this.#words.fill(0);
    this.#size = 0;
  }

  blocks(): Iterable<Uint8Array> {
    return filledEntries(this.#words, this.#wordsPerEntry);
  }

  #makeRoom(count: number): boolean {
    const homes = homesFor(count, this.#homes);
    return homes === this.#homes || this.#grow(homes);
  }

  #grow(homes: number): boolean {
    const old = this.#words;
    try {
      this.#words = new Uint32Array(bytesOf(homes, this.#bits) / 4);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#homes = homes;
    for (let from = 0; from < old.length; from += this.#wordsPerEntry) {
      if (old[from] === 0 && old[from + 1] === 0) continue;
      this.#store(this.#find(old, from), old, from);
    }
    return true;
  }

  /** Returns the entry of a fingerprint, or the empty entry at which to add it. */
  #find(rows: Uint32Array, row: number): number {
    const words = this.#words;
    const high = rows[row + 1] as number;
    const low = rows[row] === 0 && high === 0 ? 1 : (rows[row] as number);
    const isWide = this.#wordsPerEntry === 4;
    let at = this.#homeOf(high) * this.#wordsPerEntry;
    for (; this.#isFilled(at); at += this.#wordsPerEntry) {
      if (words[at] !== low || words[at + 1] !== high) continue;
      if (!isWide) break;
      if (words[at + 2] === rows[row + 2] && words[at + 3] === rows[row + 3]) break;
    }
    return at;
  }

  #homeOf(high: number): number {
    return Math.floor((high / TWO_TO_32) * this.#homes);
  }

  #isFilled(at: number): boolean {
    return this.#words[at] !== 0 || this.#words[at + 1] !== 0;
  }

  #store(at: number, rows: Uint32Array, row: number): void {
    for (let word = 0; word < this.#wordsPerEntry; word++) {
      this.#words[at + word] = rows[row + word] as number;
    }
    if (!this.#isFilled(at)) this.#words[at] = 1;
  }
}
