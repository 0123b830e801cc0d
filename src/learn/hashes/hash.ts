/**
 * Holds two lanes of 32 bits of a polynomial in the bytes of a text, so that the hash of two texts one after the other
 * follows from theirs. Texts of 2048 bytes and more could be made to have equal hashes.
 */
export interface Hash {
  low: number;
  high: number;
}

const LOW = 0x01000193;
const HIGH = 0x5bd1e995;

/** Returns the hash of a text that is a byte string. */
export function hashOf(text: string): Hash {
  const hash = { low: 0, high: 0 };
  addText(hash, text);
  return hash;
}

/** Reads a hash from 16 hexadecimal digits. */
export function readHash(text: string): Hash {
  return {
    high: Number.parseInt(text.slice(0, 8), 16) | 0,
    low: Number.parseInt(text.slice(8), 16) | 0,
  };
}

/** Puts the bytes of a text after a hash. */
export function addText(hash: Hash, text: string): void {
  let { low, high } = hash;
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    low = (Math.imul(low, LOW) + byte) | 0;
    high = (Math.imul(high, HIGH) + byte) | 0;
  }
  hash.low = low;
  hash.high = high;
}

/** Puts a byte after a hash. */
export function addByte(hash: Hash, byte: number): void {
  hash.low = (Math.imul(hash.low, LOW) + byte) | 0;
  hash.high = (Math.imul(hash.high, HIGH) + byte) | 0;
}

/** Mixes two lanes into a whole number from 0 to 2^32 - 1, by MurmurHash3's finalizer (Appleby, 2011). */
export function mixed(low: number, high: number): number {
  let hash = low ^ Math.imul(high, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Limits path and query in bytes: the hashes of longer ones can be made equal, so such URLs are skipped. */
export const LONGEST_TEXT = 2047;
const LOW_POWERS = powersOf(LOW);
const HIGH_POWERS = powersOf(HIGH);

/** Returns the powers of a lane's factor. */
function powersOf(factor: number): Int32Array {
  const powers = new Int32Array(LONGEST_TEXT + 1);
  powers[0] = 1;
  for (let at = 1; at <= LONGEST_TEXT; at++)
    powers[at] = Math.imul(powers[at - 1] as number, factor);
  return powers;
}

/** Holds the hashes of texts by their numbers, and what a hash is multiplied by when a text is put after it. */
export class TextHashes {
  #low = new Int32Array(16);
  #high = new Int32Array(16);
  #lowPower = new Int32Array(16);
  #highPower = new Int32Array(16);
  #count = 0;

  push(text: string): void {
    if (this.#count === this.#low.length) {
      this.#low = doubled(this.#low);
      this.#high = doubled(this.#high);
      this.#lowPower = doubled(this.#lowPower);
      this.#highPower = doubled(this.#highPower);
    }
    const number = this.#count++;
    const { low, high } = hashOf(text);
    this.#low[number] = low;
    this.#high[number] = high;
    this.#lowPower[number] = power(LOW, text.length);
    this.#highPower[number] = power(HIGH, text.length);
  }

  /** Puts the text of this number after a hash. */
  addTo(hash: Hash, number: number): void {
    const low = Math.imul(hash.low, this.#lowPower[number] as number);
    const high = Math.imul(hash.high, this.#highPower[number] as number);
    hash.low = (low + (this.#low[number] as number)) | 0;
    hash.high = (high + (this.#high[number] as number)) | 0;
  }
}

function power(factor: number, times: number): number {
  let product = 1;
  for (let time = 0; time < times; time++) product = Math.imul(product, factor);
  return product;
}

/** Returns a copy of an array with room for as many again. */
export function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

/**
 * Computes the hash of a text without one part, for any part that begins and ends at given places. Its memory is used
 * again for the next text.
 */
export class PrefixHashes {
  readonly #low = new Int32Array(LONGEST_TEXT + 1);
  readonly #high = new Int32Array(LONGEST_TEXT + 1);
  #places: Int32Array = new Int32Array(1);
  #length = 0;
  #last = 0;

  /** Takes a text and its places: `count` of them, then its end. Every hash begins with `start`. */
  read(text: string, places: Int32Array, count: number, start: number): void {
    const hash = { low: start, high: start };
    let at = 0;
    for (let place = 0; place <= count; place++) {
      for (const to = places[place] as number; at < to; at++) addByte(hash, text.charCodeAt(at));
      this.#low[place] = hash.low;
      this.#high[place] = hash.high;
    }
    this.#places = places;
    this.#length = text.length;
    this.#last = count;
  }

  /** Writes the hash of the text without the part from place number `from` to place number `to`. */
  without(from: number, to: number, into: Hash): void {
    const rest = this.#length - (this.#places[to] as number);
    const low = ((this.#low[from] as number) - (this.#low[to] as number)) | 0;
    const high = ((this.#high[from] as number) - (this.#high[to] as number)) | 0;
    into.low = (Math.imul(low, LOW_POWERS[rest] as number) + (this.#low[this.#last] as number)) | 0;
    into.high =
      (Math.imul(high, HIGH_POWERS[rest] as number) + (this.#high[this.#last] as number)) | 0;
  }
}
