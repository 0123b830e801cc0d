import {
  BLOCK,
  FINGERPRINT,
  GROUP,
  GROUP_ROWS,
  KEY,
  PARTITIONS,
  PLACE,
  ROW,
} from "./disk-kernel.ts";

/** Bytes that are read or written at a time. */
export const WINDOW = 1 << 20;
/** Keys that one call answers at most. */
export const BATCH = 1 << 16;
/** Least memory of a set in bytes. */
export const LEAST_MEMORY = 1 << 24;
/** WebAssembly of 32 bits reaches no further; the last part is left for what does not fit exactly. */
const MOST_MEMORY = 2 ** 32 - 2 ** 26;
/** Room for the index of one file: half a million blocks. */
const INDEX = 1 << 22;
/** Bytes of an entry of an index: each block has one. */
export const ENTRY = 8;
/** The most blocks of a file. */
export const MOST_BLOCKS = INDEX / ENTRY;
/** The most lines of a filter, whatever memory a set was opened with. */
export const MOST_LINES = 1 << 18;
const FIRST_PLACES = 64;
/** How full tables may be. */
const FULL = 0.75;

/** How the memory of a set is divided: where each region begins, and how large those are that vary. */
export interface MemoryPlan {
  /** Two windows each, with bytes of waste after them. */
  readonly input: readonly [number, number];
  readonly output: readonly [number, number];
  /** One batch: its fingerprints, keys, row numbers, answers, and the blocks to read. */
  readonly fingerprints: number;
  readonly keys: number;
  readonly numbers: number;
  readonly answers: number;
  readonly found: number;
  /** Keys that are not a whole group yet, and their row numbers. */
  readonly openKeys: number;
  readonly openNumbers: number;
  readonly finders: number;
  readonly counts: number;
  /** Rows of one partition, and the same sorted; counters, the numbers of new rows, the index. */
  readonly rows: number;
  readonly sorted: number;
  readonly counters: number;
  readonly fresh: number;
  readonly index: number;
  /** The most rows of one partition that are merged at a time. */
  readonly mostRows: number;
  /** Indexes that are kept for look-ups are from here on. */
  readonly indexes: number;
  readonly indexBytes: number;
  readonly filters: number;
  /** Bytes of each partition's filter at most. */
  readonly filterBytes: number;
  readonly tables: number;
  readonly firstPlaces: number;
  readonly mostPlaces: number;
  readonly groups: number;
  readonly mostGroups: number;
}

/**
 * Divides `memory` bytes from `start` on. Immediate sets take most for filters and tables, others for groups. `blocks`: those
 * of the largest file. Its index has twice its room, so that it may grow, and filters have what is left.
 */
export function planMemory(
  start: number,
  memory: number,
  isImmediate: boolean,
  blocks: number,
): MemoryPlan {
  const budget = Math.min(memory, MOST_MEMORY);
  const part = (share: number): number => Math.floor(budget * share);
  const tableBytes = isImmediate ? part(0.2) : PARTITIONS * FIRST_PLACES * PLACE;
  const mostPlaces = Math.floor(tableBytes / PARTITIONS / PLACE);
  const mostGroups = Math.max(2, Math.floor(part(isImmediate ? 0.06 : 0.9) / GROUP));
  const indexed = Math.min(part(0.5), 2 * blocks * ENTRY * PARTITIONS);
  const indexBytes = isImmediate ? Math.max(part(0.04), indexed) : 0;
  const filterBytes = isImmediate ? Math.floor((part(0.64) - indexBytes) / PARTITIONS) & ~63 : 0;
  const waiting = mostGroups * GROUP_ROWS + FULL * mostPlaces * PARTITIONS;
  // A partition has more than its part by chance, and small ones by much.
  const mostRows = Math.ceil(1.1 * (waiting / PARTITIONS)) + 4096;
  let at = start;
  const take = (bytes: number): number => {
    const begin = at;
    at += Math.ceil(bytes / 64 + 1) * 64;
    return begin;
  };
  const plan = {
    input: [take(WINDOW + BLOCK), take(WINDOW + BLOCK)],
    output: [take(WINDOW + BLOCK), take(WINDOW + BLOCK)],
    fingerprints: take(BATCH * FINGERPRINT),
    keys: take(BATCH * KEY),
    numbers: take(BATCH * 4),
    answers: take(BATCH),
    found: take(BATCH * 8),
    openKeys: take(GROUP_ROWS * KEY),
    openNumbers: take(GROUP_ROWS * 4),
    finders: take(PARTITIONS * 16),
    counts: take(PARTITIONS * 4),
    rows: take(mostRows * ROW),
    sorted: take(mostRows * ROW),
    counters: take(1 << 22),
    fresh: take(mostRows * 4),
    index: take(INDEX),
  } as const;
  const indexes = take(indexBytes);
  const filters = take(filterBytes * PARTITIONS);
  const tables = take(tableBytes);
  const groups = take(0);
  return {
    ...plan,
    mostRows,
    indexes,
    indexBytes,
    filters,
    filterBytes,
    tables,
    firstPlaces: FIRST_PLACES,
    mostPlaces,
    groups,
    mostGroups,
  };
}

/** Returns how many keys tables of this many places may hold. */
export function keysOfPlaces(places: number): number {
  return Math.floor(FULL * places * PARTITIONS);
}
