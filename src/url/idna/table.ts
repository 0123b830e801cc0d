import { unicodeTableBytes } from "./table-bytes.ts";

/*
 * The table: seven parts, each with its offset and length in bytes in the header.
 *
 *   top      u16   by code >> 10: a block of middle
 *   middle   u16   64 a block, by code >> 4: a leaf
 *   leaves   u16   16 a leaf, by code: a record
 *   records  u32   two a record: flags and mapping, below
 *   strings  u16   UTF-16 units of mappings longer than one code point
 *   pairs    u32   three each, sorted: first, second, and the composite they make in NFC
 *   order    u16   the pairs by composite
 *
 * Flags: 0-1 status, 2 mark, 3-5 joining type, 6-9 Bidi class, 10-17 combining class, 18 mapping in strings
 * (offset << 8 | length) rather than a difference of code points, 19 composes with the code point before it
 * in NFC, 20 makes a domain a Bidi domain, 21 decomposes in NFC, 22 depends on the code points beside it: a
 * mark, a joiner, or one that composes.
 */

/** Gives the status of a code point that UTS #46, without transitional processing, lets pass. */
export const VALID = 0;
/** Gives the status of a code point that UTS #46 replaces with others. */
export const MAPPED = 1;
/** Gives the status of a code point that UTS #46 removes. */
export const IGNORED = 2;
/** Gives the status of a code point that UTS #46 refuses. */
export const DISALLOWED = 3;

/** Gives joining type L (RFC 5892 A.1). */
export const JOINS_LEFT = 1;
/** Gives joining type R (RFC 5892 A.1). */
export const JOINS_RIGHT = 2;
/** Gives joining type D (RFC 5892 A.1). */
export const JOINS_BOTH = 3;
/** Gives joining type T (RFC 5892 A.1). */
export const TRANSPARENT = 4;

/** Numbers the Bidi classes (RFC 5893); 0 is any other. */
export const BIDI = {
  L: 1,
  R: 2,
  AL: 3,
  AN: 4,
  EN: 5,
  ES: 6,
  CS: 7,
  ET: 8,
  ON: 9,
  BN: 10,
  NSM: 11,
} as const;

class UnicodeTable {
  readonly #top: Uint16Array;
  readonly #middle: Uint16Array;
  readonly #leaves: Uint16Array;
  readonly #records: Uint32Array;
  readonly #strings: Uint16Array;
  readonly #pairs: Uint32Array;
  readonly #order: Uint16Array;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const header = new Uint32Array(bytes.buffer, 0, 14);
    const at = (part: number) => header[2 * part] as number;
    const words = (part: number) =>
      new Uint16Array(bytes.buffer, at(part), (header[2 * part + 1] as number) / 2);
    const longs = (part: number) =>
      new Uint32Array(bytes.buffer, at(part), (header[2 * part + 1] as number) / 4);
    this.#top = words(0);
    this.#middle = words(1);
    this.#leaves = words(2);
    this.#records = longs(3);
    this.#strings = words(4);
    this.#pairs = longs(5);
    this.#order = words(6);
  }

  #record(code: number): number {
    const middle = 64 * (this.#top[code >> 10] as number) + ((code >> 4) & 63);
    return this.#leaves[16 * (this.#middle[middle] as number) + (code & 15)] as number;
  }

  flags(code: number): number {
    return this.#records[2 * this.#record(code)] as number;
  }

  /** Returns the text that a MAPPED code point becomes. */
  mapping(code: number): string {
    const record = 2 * this.#record(code);
    const value = this.#records[record + 1] as number;
    const isString = (((this.#records[record] as number) >> 18) & 1) === 1;
    if (!isString) return String.fromCodePoint((code + value) >>> 0);
    const start = value >>> 8;
    return String.fromCharCode(...this.#strings.subarray(start, start + (value & 0xff)));
  }

  /** Returns the composite of two code points in NFC, or -1. */
  compose(first: number, second: number): number {
    let low = 0;
    let high = this.#order.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order =
        (this.#pairs[3 * middle] as number) - first ||
        (this.#pairs[3 * middle + 1] as number) - second;
      if (order === 0) return this.#pairs[3 * middle + 2] as number;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Returns the two code points that a code point decomposes into. */
  decompose(composite: number): [number, number] {
    let low = 0;
    let high = this.#order.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const pair = 3 * (this.#order[middle] as number);
      if ((this.#pairs[pair + 2] as number) < composite) low = middle + 1;
      else high = middle;
    }
    const pair = 3 * (this.#order[low] as number);
    return [this.#pairs[pair] as number, this.#pairs[pair + 1] as number];
  }
}

let loaded: UnicodeTable | null = null;

/** Returns the table. It is unpacked when the first host outside ASCII asks for it. */
export function unicodeTable(): UnicodeTable {
  loaded ??= new UnicodeTable(unicodeTableBytes());
  return loaded;
}

/** Returns the status of a code point in UTS #46: `VALID`, `MAPPED`, `IGNORED` or `DISALLOWED`. */
export function statusOf(code: number): number {
  return unicodeTable().flags(code) & 3;
}

/** Returns whether a code point is a mark. */
export function isMark(code: number): boolean {
  return ((unicodeTable().flags(code) >> 2) & 1) === 1;
}

/** Returns the joining type of a code point, or 0 for a type that is not listed above. */
export function joiningTypeOf(code: number): number {
  return (unicodeTable().flags(code) >> 3) & 7;
}

/** Returns the Bidi class of a code point as `BIDI` numbers it. */
export function bidiClassOf(code: number): number {
  return (unicodeTable().flags(code) >> 6) & 15;
}

/** Returns the canonical combining class of a code point, 0 to 255. */
export function combiningClassOf(code: number): number {
  return (unicodeTable().flags(code) >> 10) & 0xff;
}

/** Returns whether a code point can compose with the one before it in NFC. */
export function composesInNfc(code: number): boolean {
  return ((unicodeTable().flags(code) >> 19) & 1) === 1;
}

/** Returns whether a code point makes its domain a Bidi domain (RFC 5893 1.4). */
export function isRightToLeft(code: number): boolean {
  return ((unicodeTable().flags(code) >> 20) & 1) === 1;
}

/** Returns whether a code point decomposes in NFC. */
export function decomposesInNfc(code: number): boolean {
  return ((unicodeTable().flags(code) >> 21) & 1) === 1;
}
