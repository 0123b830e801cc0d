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
  /** Takes fingerprints out. Returns a byte for each: 1 if it was in the table. */
  delete(fingerprints: Uint8Array): Uint8Array;
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
  return homes + (homes < DOUBLING ? homes : Math.floor(homes / 4));
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
  const most = Math.min(bytes, Number.MAX_SAFE_INTEGER); // also for no limit
  for (let homes = FIRST_HOMES; ; homes = grown(homes)) {
    const old = copies ? bytesOf(homes, bits) : 0;
    if (tables * bytesOf(grown(homes), bits) + old > most) return homes;
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

/**
 * Takes fingerprints out of a table by open addressing. Entries after each move back as far as their homes allow, so no empty
 * place is between a home and its entry. Returns a byte for each: 1 if it was there. `homeOf`: returns the home of an entry by
 * its second word.
 */
export function deleteEntries(
  words: Uint32Array,
  wordsPerEntry: 4 | 2,
  fingerprints: Uint8Array,
  homeOf: (high: number) => number,
): Uint8Array {
  const rows = wordsOf(fingerprints);
  const answers = new Uint8Array(rows.length / wordsPerEntry);
  if (words.length === 0) return answers;
  const isFilled = (at: number): boolean => words[at] !== 0 || words[at + 1] !== 0;
  const placeOf = (high: number): number => homeOf(high) * wordsPerEntry;
  for (let row = 0; row < answers.length; row++) {
    const from = row * wordsPerEntry;
    const high = rows[from + 1] as number;
    const low = rows[from] === 0 && high === 0 ? 1 : rows[from];
    const isIt = (at: number): boolean =>
      words[at] === low &&
      words[at + 1] === high &&
      (wordsPerEntry === 2 ||
        (words[at + 2] === rows[from + 2] && words[at + 3] === rows[from + 3]));
    let hole = placeOf(high);
    while (isFilled(hole) && !isIt(hole)) hole += wordsPerEntry;
    if (!isFilled(hole)) continue;
    for (let at = hole + wordsPerEntry; isFilled(at); at += wordsPerEntry) {
      if (placeOf(words[at + 1] as number) > hole) continue;
      words.copyWithin(hole, at, at + wordsPerEntry);
      hole = at;
    }
    words.fill(0, hole, hole + wordsPerEntry);
    answers[row] = 1;
  }
  return answers;
}

/** Returns the number of homes of a table, by its entries. */
export function homesOf(entries: number): number {
  return entries - SPARE;
}

/** Returns fingerprints as 32-bit words: a view if they are aligned, else a copy. */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  return byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, length >> 2)
    : new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
}
