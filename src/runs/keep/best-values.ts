import { enlarged, noRoom } from "./key-index.ts";
import { compareDigits, isPlainWhole, numberIn } from "./key-value.ts";

/** The unit of places in the store of texts, in bytes. */
const UNIT = 8;
/** The bytes before a text: its length, and its room in units. */
const HEAD = 8;

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
  #numbers = new Float64Array(0);
  /** Where the text of each value is, in units, or 0 if none is kept. */
  #places = new Uint32Array(0);
  #store = Buffer.alloc(1 << 12);
  /** The units of the store in use. The first stands for no text. */
  #used = 1;
  #isEmpty = true;

  /** `maxBytes`: the most bytes of texts. */
  constructor(which: "max" | "min", maxBytes: number) {
    this.#direction = which === "max" ? 1 : -1;
    this.#maxBytes = maxBytes;
  }

  /** Makes room for the values of so many keys. Their first values are none. */
  reserve(keys: number): void {
    if (keys <= this.#places.length) return;
    const before = this.#numbers.length;
    this.#numbers = enlarged(this.#numbers, keys).fill(Number.NaN, before);
    this.#places = enlarged(this.#places, keys);
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
    this.#numbers[key] = number;
    if (isPlainWhole(text)) this.#places[key] = 0;
    else this.#keepText(key, text);
    return true;
  }

  #has(key: number): boolean {
    return this.#places[key] !== 0 || !Number.isNaN(this.#numbers[key]);
  }

  /** Compares a value with that of a key. */
  #compare(key: number, text: Buffer, number: number): number {
    const best = this.#numbers[key] as number;
    if (number > best) return 1;
    if (number < best) return -1;
    // Both numbers are equal, or one is NaN.
    const compare = number === best ? compareDigits : Buffer.compare;
    return compare(text, this.#textOf(key));
  }

  #textOf(key: number): Buffer {
    const place = this.#places[key] as number;
    if (place === 0) return Buffer.from(String(this.#numbers[key]));
    const from = UNIT * place + HEAD;
    return this.#store.subarray(from, from + this.#store.readUInt32LE(UNIT * place));
  }

  #keepText(key: number, text: Buffer): void {
    const place = this.#placeFor(key, Math.ceil(text.length / UNIT));
    this.#places[key] = place;
    this.#store.writeUInt32LE(text.length, UNIT * place);
    text.copy(this.#store, UNIT * place + HEAD);
  }

  /** Returns a place of so many units: the one that a key has, if it is large enough. */
  #placeFor(key: number, units: number): number {
    const old = this.#places[key] as number;
    const room = old === 0 ? 0 : this.#store.readUInt32LE(UNIT * old + 4);
    if (units <= room) return old;
    const place = this.#used;
    const wanted = Math.max(units, 2 * room);
    this.#used += 1 + wanted;
    this.#reserveUnits(this.#used);
    this.#store.writeUInt32LE(wanted, UNIT * place + 4);
    return place;
  }

  #reserveUnits(units: number): void {
    const { length } = this.#store;
    if (UNIT * units <= length) return;
    const wanted = Math.max(UNIT * units, length + (length >> 1));
    if (wanted > this.#maxBytes) throw noRoom("memory has no room for the values of more keys");
    const larger = enlarged(new Uint8Array(this.#store.buffer), wanted);
    this.#store = Buffer.from(larger.buffer);
  }
}
