import { FIRST_HOMES, type FingerprintBits, FULL, grown } from "../../../fingerprints/table.ts";
import { GrowingArray, noRoom } from "./growing-array.ts";

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
  readonly #homes = new GrowingArray(Uint32Array);
  #homeCount = FIRST_HOMES;
  readonly #words = new GrowingArray(Uint32Array);
  size = 0;

  /** `bytesBeside`: the bytes that its callers keep for each key. */
  constructor(bits: FingerprintBits, maxBytes: number, bytesBeside: number) {
    this.#bits = bits;
    this.#wordsPerKey = bits === 128 ? 4 : 2;
    this.#maxBytes = maxBytes;
    this.#bytesBeside = bytesBeside;
    this.#homes.reserve(FIRST_HOMES);
  }

  /** The bytes of so many keys in an index of so many homes, with what callers keep for each. */
  static bytesOf(bits: FingerprintBits, homes: number, keys: number, bytesBeside: number): number {
    return 4 * GrowingArray.roomFor(homes) + (bits / 8 + bytesBeside) * GrowingArray.roomFor(keys);
  }

  /** The bytes that this and what its callers keep for each key take. */
  get bytes(): number {
    return KeyIndex.bytesOf(this.#bits, this.#homeCount, this.#room, this.#bytesBeside);
  }

  /** The number of keys whose fingerprints have room. */
  get #room(): number {
    return this.#words.room / this.#wordsPerKey;
  }

  /** Forgets all keys, and keeps the memory. */
  clear(): void {
    this.#homes.clear();
    this.size = 0;
  }

  /** Returns the number of the fingerprint in a row of words, or -1 if it did not come before. */
  find(rows: Uint32Array, row: number): number {
    return this.#homes.get(this.#homeOf(rows, row)) - 1;
  }

  /** Returns the number of the fingerprint in a row of words, which is `size` if it is new. Throws `SET_FULL`. */
  add(rows: Uint32Array, row: number): number {
    const found = this.find(rows, row);
    if (found >= 0) return found;
    const perKey = this.#wordsPerKey;
    if (this.size === this.#room) this.#makeRoom();
    if (this.size === Math.floor(FULL * this.#homeCount)) this.#growHomes();
    for (let word = 0; word < perKey; word++) {
      this.#words.set(this.size * perKey + word, rows[row * perKey + word] as number);
    }
    this.#homes.set(this.#homeOf(rows, row), this.size + 1);
    return this.size++;
  }

  /** Returns the home that has a fingerprint, or the empty one where it is to be. */
  #homeOf(rows: Uint32Array, row: number): number {
    const from = row * this.#wordsPerKey;
    let home = this.#firstHome(rows[from + 1] as number);
    for (;;) {
      const number = this.#homes.get(home);
      if (number === 0 || this.#isAt(number - 1, rows, from)) return home;
      home = this.#homeAfter(home);
    }
  }

  #firstHome(word: number): number {
    return Math.floor((word / TWO_TO_32) * this.#homeCount);
  }

  #homeAfter(home: number): number {
    return home + 1 === this.#homeCount ? 0 : home + 1;
  }

  #isAt(number: number, rows: Uint32Array, from: number): boolean {
    const words = this.#words;
    const at = number * this.#wordsPerKey;
    if (words.get(at) !== rows[from] || words.get(at + 1) !== rows[from + 1]) return false;
    if (this.#bits === 64) return true;
    return words.get(at + 2) === rows[from + 2] && words.get(at + 3) === rows[from + 3];
  }

  /** Makes room for the fingerprints of more keys, and checks that for what callers keep. Throws `SET_FULL`. */
  #makeRoom(): void {
    this.#check(this.#homeCount, this.size + 1);
    this.#words.reserve(this.#wordsPerKey * GrowingArray.roomFor(this.size + 1));
  }

  /** Makes more homes, and puts all keys into them anew. Throws `SET_FULL`. */
  #growHomes(): void {
    const homes = grown(this.#homeCount);
    this.#check(homes, this.#room);
    this.#homes.reserve(homes);
    this.#homes.clear();
    this.#homeCount = homes;
    for (let number = 0; number < this.size; number++) {
      let home = this.#firstHome(this.#words.get(number * this.#wordsPerKey + 1));
      while (this.#homes.get(home) !== 0) home = this.#homeAfter(home);
      this.#homes.set(home, number + 1);
    }
  }

  #check(homes: number, keys: number): void {
    if (KeyIndex.bytesOf(this.#bits, homes, keys, this.#bytesBeside) <= this.#maxBytes) return;
    throw noRoom(`memory has room for ${this.size} different keys, and more do not fit`);
  }
}
