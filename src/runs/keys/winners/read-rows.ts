import type { FingerprintBits } from "../../../fingerprints/table.ts";

/** Counts the rows of inputs that have a key, to tell whether the same rows come when the inputs are read again. */
export class ReadRows {
  readonly #wordsPerRow: number;
  count = 0;
  /** Depends on a word of each fingerprint, and on their order. */
  #sum = 0;

  constructor(bits: FingerprintBits) {
    this.#wordsPerRow = bits / 32;
  }

  /** Counts the rows of fingerprints, and returns their number. */
  add(words: Uint32Array): number {
    let sum = this.#sum;
    for (let at = 0; at < words.length; at += this.#wordsPerRow) {
      sum = (Math.imul(sum, 31) + (words[at] as number)) | 0;
    }
    this.#sum = sum;
    const rows = words.length / this.#wordsPerRow;
    this.count += rows;
    return rows;
  }

  equals(other: ReadRows): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}
