import { UrlmillError } from "../../base/errors.ts";
import { FIRST_HOMES, type FingerprintBits, FULL, grown } from "../../seen/memory/table.ts";

const TWO_TO_32 = 2 ** 32;

/**
 * Numbers the fingerprints of a run in the order in which they come first. A home holds the number of a fingerprint plus 1,
 * or 0; the fingerprints themselves are close together, by number.
 */
export class KeyIndex {
  /** The homes of an index without keys. */
  static readonly firstHomes = FIRST_HOMES;
  readonly #bits: FingerprintBits;
  readonly #wordsPerKey: 4 | 2;
  /** The most bytes that this and what its callers keep for each key may take. */
  readonly #maxBytes: number;
  readonly #bytesBeside: number;
  #homes = new Uint32Array(FIRST_HOMES);
  #words: Uint32Array<ArrayBuffer>;
  size = 0;

  /** `bytesBeside`: the bytes that its callers keep for each key. */
  constructor(bits: FingerprintBits, maxBytes: number, bytesBeside: number) {
    this.#bits = bits;
    this.#wordsPerKey = bits === 128 ? 4 : 2;
    this.#maxBytes = maxBytes;
    this.#bytesBeside = bytesBeside;
    this.#words = new Uint32Array(this.#wordsPerKey * this.capacity);
  }

  /** The number of keys for which there is room, before the index grows. */
  get capacity(): number {
    return Math.floor(FULL * this.#homes.length);
  }

  /** Returns the number of the fingerprint in a row of words, or -1 if it did not come before. */
  find(rows: Uint32Array, row: number): number {
    return (this.#homes[this.#homeOf(rows, row)] as number) - 1;
  }

  /** Returns the number of the fingerprint in a row of words, which is `size` if it is new. Throws `SET_FULL`. */
  add(rows: Uint32Array, row: number): number {
    const found = this.find(rows, row);
    if (found >= 0) return found;
    if (this.size === this.capacity) this.#grow();
    const from = row * this.#wordsPerKey;
    for (let word = 0; word < this.#wordsPerKey; word++) {
      this.#words[this.size * this.#wordsPerKey + word] = rows[from + word] as number;
    }
    this.#homes[this.#homeOf(rows, row)] = this.size + 1;
    return this.size++;
  }

  /** Returns the home that has a fingerprint, or the empty one where it is to be. */
  #homeOf(rows: Uint32Array, row: number): number {
    const from = row * this.#wordsPerKey;
    const homes = this.#homes;
    let home = Math.floor(((rows[from + 1] as number) / TWO_TO_32) * homes.length);
    for (;;) {
      const number = homes[home] as number;
      if (number === 0 || this.#isAt(number - 1, rows, from)) return home;
      home = home + 1 === homes.length ? 0 : home + 1;
    }
  }

  #isAt(number: number, rows: Uint32Array, from: number): boolean {
    const words = this.#words;
    const at = number * this.#wordsPerKey;
    if (words[at] !== rows[from] || words[at + 1] !== rows[from + 1]) return false;
    if (this.#bits === 64) return true;
    return words[at + 2] === rows[from + 2] && words[at + 3] === rows[from + 3];
  }

  #grow(): void {
    const homes = grown(this.#homes.length);
    const capacity = Math.floor(FULL * homes);
    const bytesPerKey = 4 * this.#wordsPerKey + this.#bytesBeside;
    // Arrays move one by one, so the largest old one is in memory besides.
    const bytes = 4 * homes + bytesPerKey * capacity + this.#words.byteLength;
    if (bytes > this.#maxBytes) {
      throw noRoom(`memory has room for ${this.size} different keys, and more do not fit`);
    }
    this.#words = enlarged(this.#words, this.#wordsPerKey * capacity);
    this.#homes = new Uint32Array(homes);
    for (let number = 0; number < this.size; number++) {
      this.#homes[this.#homeOf(this.#words, number)] = number + 1;
    }
  }
}

/** Returns a larger array that begins with the elements of another. Throws `SET_FULL` if the platform has no memory for it. */
export function enlarged<T extends Uint8Array | Uint32Array | Float64Array>(
  array: T,
  length: number,
): T {
  try {
    const larger = new (array.constructor as new (length: number) => T)(length);
    larger.set(array);
    return larger;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw noRoom("the platform has no memory for more keys");
  }
}

export function noRoom(message: string): UrlmillError {
  return new UrlmillError("SET_FULL", message);
}
