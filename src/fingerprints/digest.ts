import { wordsOf } from "./table.ts";

/** Odd multipliers with well-spread bits, such as 32-bit hash functions use. */
const SPREAD = [0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1] as const;

/**
 * Sums up fingerprints so that two collections can be compared: their number, and 64 bits that do not depend
 * on the order. The sum differs if a fingerprint is missing, doubled or damaged.
 */
export class FingerprintDigest {
  count = 0;
  #sum = 0;
  #otherSum = 0;
  readonly #wordsPerRow: number;

  constructor(bits: number) {
    this.#wordsPerRow = bits >> 5;
  }

  /** Adds fingerprints, which follow one another. */
  add(fingerprints: Uint8Array): void {
    const words = wordsOf(fingerprints);
    const perRow = this.#wordsPerRow;
    for (let row = 0; row < words.length; row += perRow) {
      // A set in memory stores a first half of 0 as 1.
      const isZero = words[row] === 0 && words[row + 1] === 0;
      let mixed = isZero ? 1 : (words[row] as number);
      for (let word = 1; word < perRow; word++) {
        mixed = Math.imul(mixed ^ (mixed >>> 15), SPREAD[word] as number);
        mixed = (mixed + (words[row + word] as number)) | 0;
      }
      mixed = Math.imul(mixed ^ (mixed >>> 16), SPREAD[0]);
      this.#sum = (this.#sum + (mixed ^ (mixed >>> 13))) | 0;
      mixed = Math.imul(mixed ^ (mixed >>> 14), SPREAD[1]);
      this.#otherSum = (this.#otherSum + (mixed ^ (mixed >>> 16))) | 0;
    }
    this.count += words.length / perRow;
  }

  /** Returns whether both have the same fingerprints. */
  equals(other: FingerprintDigest): boolean {
    return (
      this.count === other.count && this.#sum === other.#sum && this.#otherSum === other.#otherSum
    );
  }
}
