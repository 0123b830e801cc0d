/*
 * A set of fingerprints. Memory: reads rows of `fingerprints`, writes `marks`; owns the table: `buckets`
 * of 64 bytes and SPARE more, a cache line each of four entries of 128 bits or eight of 64. An entry is
 * the two halves of a fingerprint, or the first alone, which is never 0; an empty one is 0.
 *
 * A fingerprint's home is its first half scaled to the buckets; it stands in the first entry from there
 * on that was empty. Homes keep their order when buckets are added, so growing reads the table once,
 * front to back, and writes behind where it reads.
 *
 *   bucket          0                       1                       2
 *   first half     .03   .21   ---   ---   .41   .35   .62   .48   .55   .97   ---   ---
 *   home            0     0                 1     1     1     1     1     2
 *
 * Fingerprints are keyed hashes, so nobody who picks URLs can make runs long.
 */
import { fingerprints, marks, reserveTable, tableBytes, tableStart } from "./memory";

const BUCKET: usize = 64;
/** Buckets behind the last home, for the run that begins there. */
const SPARE: usize = 256;
const FIRST_BUCKETS: usize = 1 << 10;
/** Up to here the buckets double; beyond, a quarter is added, so that memory stays near the need. */
const DOUBLING: usize = 1 << 15;
/** How much of the table is full before it grows, in 64ths. */
const FULL: u64 = 55;
/** Rows whose homes are read together, so that the waits for memory overlap. */
const GROUP: i32 = 32;

/** Fingerprints in the table. */
export let seenCount: i32 = 0;
/** Bytes of an entry, and of a row of `fingerprints`. */
let entryBytes: usize = 16;
let buckets: usize = 0;
/** The end of the table. */
let tableEnd: usize = 0;

/** Keeps the reads ahead from being left out. */
let _readAhead: u64 = 0;

/** The set holds fingerprints of `bits`, 128 or 64, from now on; for an empty set only. */
export function setFingerprintBits(bits: i32): void {
  if (seenCount !== 0) unreachable();
  entryBytes = <usize>bits >> 3;
}

/**
 * Adds the fingerprints of the first `rows` rows; says in `marks` of each whether it was not there
 * before. Returns how many are new, or -1 when memory has no room for them; then none was added.
 */
export function insertFingerprints(rows: i32): i32 {
  if (!reserveFingerprints(seenCount + rows)) return -1;
  const before = seenCount;
  for (let first = 0; first < rows; first += GROUP) {
    const last = min(first + GROUP, rows);
    readAhead(first, last);
    for (let row = first; row < last; row++) store<u8>(marks + <usize>row, <u8>insert(rowAt(row)));
  }
  return seenCount - before;
}

/** Says in `marks` of each of the first `rows` rows whether its fingerprint is in the set. */
export function hasFingerprints(rows: i32): void {
  if (buckets === 0) {
    memory.fill(marks, 0, <usize>rows);
    return;
  }
  for (let first = 0; first < rows; first += GROUP) {
    const last = min(first + GROUP, rows);
    readAhead(first, last);
    for (let row = first; row < last; row++) {
      const at = rowAt(row);
      store<u8>(marks + <usize>row, <u8>(load<u64>(find(at, firstHalf(at))) !== 0));
    }
  }
}

/** Makes room for `count` fingerprints in all; false when memory has none. */
export function reserveFingerprints(count: i32): bool {
  let wanted = max(buckets, FIRST_BUCKETS);
  while (<u64>count * <u64>entryBytes > <u64>wanted * FULL) {
    wanted += wanted < DOUBLING ? wanted : wanted >> 2;
  }
  return wanted === buckets || grow(wanted);
}

function readAhead(first: i32, last: i32): void {
  let seen: u64 = 0;
  for (let row = first; row < last; row++) seen ^= load<u64>(homeOf(firstHalf(rowAt(row))));
  _readAhead = seen;
}

function rowAt(row: i32): usize {
  return fingerprints + <usize>row * entryBytes;
}

function firstHalf(row: usize): u64 {
  const half = load<u64>(row);
  return half === 0 ? 1 : half;
}

function homeOf(half: u64): usize {
  return tableStart + <usize>(((half >> 32) * <u64>buckets) >> 32) * BUCKET;
}

/** The entry of a fingerprint, or the empty one where it belongs. */
function find(row: usize, first: u64): usize {
  let at = homeOf(first);
  for (let entry = load<u64>(at); entry !== 0; entry = load<u64>(at)) {
    if (entry === first && (entryBytes === 8 || load<u64>(at, 8) === load<u64>(row, 8))) break;
    at += entryBytes;
  }
  return at;
}

function insert(row: usize): bool {
  const first = firstHalf(row);
  const at = find(row, first);
  if (load<u64>(at) !== 0) return false;
  store<u64>(at, first);
  if (entryBytes === 16) store<u64>(at, load<u64>(row, 8), 8);
  seenCount++;
  // The last entry stays empty: it ends every search.
  if (at + 2 * entryBytes >= tableEnd && !grow(buckets + (buckets >> 2))) unreachable();
  return true;
}

/**
 * Spreads the entries over more buckets: the old table moves to the end of the new one and is read from
 * there, each entry emptied as it is read. An entry never ends up behind where it was read: no home
 * moves further than the table did, and lower homes fill no entry beyond.
 */
function grow(wanted: usize): bool {
  const oldBytes: usize = buckets === 0 ? 0 : (buckets + SPARE) * BUCKET;
  if (!reserveTable(<u64>(wanted + SPARE) * <u64>BUCKET)) return false;
  buckets = wanted;
  tableEnd = tableStart + tableBytes;
  const moved = tableEnd - oldBytes;
  memory.copy(moved, tableStart, oldBytes);
  memory.fill(tableStart, 0, moved - tableStart);
  for (let from = moved; from < tableEnd; from += entryBytes) {
    const first = load<u64>(from);
    if (first === 0) continue;
    store<u64>(from, 0);
    let at = homeOf(first);
    while (load<u64>(at) !== 0) at += entryBytes;
    store<u64>(at, first);
    if (entryBytes === 16) store<u64>(at, load<u64>(from, 8), 8);
  }
  return true;
}
