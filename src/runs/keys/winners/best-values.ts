import { allocated, GrowingArray, noRoom } from "./growing-array.ts";
import { compareDigits, isPlainWhole, numberIn } from "./key-value.ts";

/** The unit of places in the store of texts, in bytes. */
const UNIT = 8;
/** The bytes before a text: its length, and its room in units. */
const HEAD = 8;
/** The units of a block of texts. A longer text takes several, which are next to each other. */
const BLOCK_BITS = 11;
const BLOCK = 1 << BLOCK_BITS;

/** The bytes that are kept for each key, besides texts that no number stands for. */
export const VALUE_BYTES = 12;

/**
 * Keeps the best value of each key so far: the greatest, or the least. Two numbers compare as numbers, all else as bytes.
 * A whole number of up to 15 digits is kept as a number alone. Of any other value the text is kept too, in a store. A longer
 * text takes another place there, twice as large.
 */
export class BestValues {
  /** 1 if the greatest value is the best, -1 if the least is. */
  readonly #direction: 1 | -1;
  readonly #maxBytes: number;
  /** NaN for a text that is not a number, and for no value. */
  readonly #numbers = new GrowingArray(Float64Array);
  /** Where the text of each value is, in units, or 0 if none is kept. */
  readonly #places = new GrowingArray(Uint32Array);
  /** The memory from the beginning of each block on. It never moves. */
  readonly #blocks: Buffer[] = [];
  /** The units in use. The first stands for no text. */
  #used = 1;
  /** The bytes of all blocks. */
  textBytes = 0;
  #isEmpty = true;

  /** `maxBytes`: the most bytes of texts. */
  constructor(which: "max" | "min", maxBytes: number) {
    this.#direction = which === "max" ? 1 : -1;
    this.#maxBytes = maxBytes;
  }

  /** Makes room for a key, whose value is none. */
  begin(key: number): void {
    this.#numbers.reserve(key + 1);
    this.#numbers.set(key, Number.NaN);
    this.#places.reserve(key + 1);
    this.#places.set(key, 0);
  }

  /** Forgets all values. */
  clear(): void {
    this.#blocks.length = 0;
    this.#used = 1;
    this.textBytes = 0;
    this.#isEmpty = true;
  }

  /** Returns whether no key has a value. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Replaces the value of a key by a better one, and returns whether it is better. An empty text is none, which loses. */
  improve(key: number, text: Buffer): boolean {
    if (text.length === 0) return false;
    this.#isEmpty = false;
    const number = numberIn(text);
    if (this.#has(key) && this.#direction * this.#compare(key, text, number) <= 0) return false;
    this.#numbers.set(key, number);
    if (isPlainWhole(text)) this.#places.set(key, 0);
    else this.#keepText(key, text);
    return true;
  }

  #has(key: number): boolean {
    return this.#places.get(key) !== 0 || !Number.isNaN(this.#numbers.get(key));
  }

  /** Compares a value with that of a key. */
  #compare(key: number, text: Buffer, number: number): number {
    const best = this.#numbers.get(key);
    if (number > best) return 1;
    if (number < best) return -1;
    // Both numbers are equal, or one is NaN.
    const compare = number === best ? compareDigits : Buffer.compare;
    return compare(text, this.#textOf(key));
  }

  #textOf(key: number): Buffer {
    const place = this.#places.get(key);
    if (place === 0) return Buffer.from(String(this.#numbers.get(key)));
    const from = offsetOf(place) + HEAD;
    const block = this.#blockOf(place);
    return block.subarray(from, from + block.readUInt32LE(from - HEAD));
  }

  #keepText(key: number, text: Buffer): void {
    const place = this.#placeFor(key, Math.ceil(text.length / UNIT));
    this.#places.set(key, place);
    const block = this.#blockOf(place);
    block.writeUInt32LE(text.length, offsetOf(place));
    text.copy(block, offsetOf(place) + HEAD);
  }

  #blockOf(place: number): Buffer {
    return this.#blocks[place >>> BLOCK_BITS] as Buffer;
  }

  /** Returns a place of so many units: the one that a key has, if it is large enough. */
  #placeFor(key: number, units: number): number {
    const old = this.#places.get(key);
    const room = old === 0 ? 0 : this.#blockOf(old).readUInt32LE(offsetOf(old) + 4);
    if (units <= room) return old;
    const wanted = Math.max(units, 2 * room);
    const place = this.#take(1 + wanted);
    this.#blockOf(place).writeUInt32LE(wanted, offsetOf(place) + 4);
    return place;
  }

  /** Takes so many units, which are in one block. Throws `SET_FULL`. */
  #take(units: number): number {
    const left = BLOCK * this.#blocks.length - this.#used;
    if (units > left) {
      const blocks = Math.ceil((1 + units) / BLOCK);
      const bytes = UNIT * BLOCK * blocks;
      if (this.textBytes + bytes > this.#maxBytes) {
        throw noRoom("memory has no room for the values of more keys");
      }
      const block = allocated(() => Buffer.alloc(bytes));
      this.textBytes += bytes;
      // The first unit of all stands for no text.
      this.#used = Math.max(1, BLOCK * this.#blocks.length);
      for (let at = 0; at < bytes; at += UNIT * BLOCK) this.#blocks.push(block.subarray(at));
    }
    const place = this.#used;
    this.#used += units;
    return place;
  }
}

/** Returns where a place is in its block, in bytes. */
function offsetOf(place: number): number {
  return UNIT * (place & (BLOCK - 1));
}
