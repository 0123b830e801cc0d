/** Gives the size of a fingerprint in bits: 128, or 64, which is the first half. */
export type FingerprintBits = 128 | 64;

/**
 * Keeps a set of fingerprints, each of 16 or 8 bytes. A fingerprint whose first eight bytes are 0 is stored
 * as if they were the number 1.
 */
export interface FingerprintTable {
  readonly size: number;
  /** Counts the bytes of memory of the table. */
  readonly bytes: number;
  /**
   * Adds fingerprints. Returns a byte for each: 1 if it is new. Returns null if memory has no room; then some
   * may have been added.
   */
  add(fingerprints: Uint8Array): Uint8Array | null;
  /** Returns a byte for each fingerprint: 1 if it is in the table. */
  has(fingerprints: Uint8Array): Uint8Array;
  /** Makes room for `count` fingerprints in all, if memory has it. */
  reserve(count: number): void;
  /** Takes all fingerprints out, and keeps the memory for others. */
  clear(): void;
  /** Yields all fingerprints, some thousands at a time. The views are valid until the next step. */
  blocks(): Iterable<Uint8Array>;
}

/** The first of the two bytes of a fingerprint that choose its place in a table. */
export const HOME = 6;
/** Counts the homes of a new table. */
export const FIRST_HOMES = 1 << 12;
/** Places after the last home, for entries whose run extends beyond it. */
const SPARE = 1 << 10;
/**
 * Up to this number, the homes of a table double. Beyond, they grow by a quarter, so that memory stays near
 * the need.
 */
const DOUBLING = 1 << 20;
/** Gives the share of a table that is filled before it grows. */
export const FULL = 55 / 64;

/** Counts the bytes of a table with this many homes. */
export function bytesOf(homes: number, bits: FingerprintBits): number {
  return (homes + SPARE) * (bits >> 3);
}

/** Returns the number of homes after a table with `homes` has grown once. */
export function grown(homes: number): number {
  return homes + (homes < DOUBLING ? homes : homes >> 2);
}

/**
 * Returns the number of homes after a table with `homes` has grown until it has room for `count`
 * fingerprints.
 */
export function homesFor(count: number, homes: number): number {
  let enough = homes;
  while (count > enough * FULL) enough = grown(enough);
  return enough;
}

/**
 * Returns the most homes that each of `tables` tables can have within `bytes` together; 0 if even new tables
 * need more. Tables grow one at a time; `copies` says whether a table is in memory twice while it grows.
 */
export function homesWithin(
  bytes: number,
  bits: FingerprintBits,
  tables: number,
  copies: boolean,
): number {
  if (tables * bytesOf(FIRST_HOMES, bits) > bytes) return 0;
  for (let homes = FIRST_HOMES; ; homes = grown(homes)) {
    const old = copies ? bytesOf(homes, bits) : 0;
    if (tables * bytesOf(grown(homes), bits) + old > bytes) return homes;
  }
}

/** Entries to read at a time. */
const BLOCK = 1 << 14;

/** Yields the entries of a table that are not empty: those whose first two words are not both 0. */
export function* filledEntries(words: Uint32Array, wordsPerEntry: 4 | 2): Generator<Uint8Array> {
  const block = new Uint32Array(BLOCK * wordsPerEntry);
  let filled = 0;
  for (let at = 0; at < words.length; at += wordsPerEntry) {
    if (words[at] === 0 && words[at + 1] === 0) continue;
    for (let word = 0; word < wordsPerEntry; word++) block[filled++] = words[at + word] as number;
    if (filled < block.length) continue;
    yield new Uint8Array(block.buffer);
    filled = 0;
  }
  yield new Uint8Array(block.buffer, 0, 4 * filled);
}

/** Returns fingerprints as 32-bit words: a view if they are aligned, else a copy. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  return byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, length >> 2)
    : new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
}
