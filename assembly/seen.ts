/*
 * A set of fingerprints. Memory: reads rows of `fingerprints` and `status`, writes `newRows`; owns the
 * table: `buckets` of 64 bytes and SPARE more, a cache line of four entries each. An entry is the two
 * halves of a fingerprint, the first never 0; an empty one is 0.
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
import { fingerprints, newRows, reserveTable, statusStart, tableStart } from "./memory";
import { CHANGED } from "./status";

const ENTRY: usize = 16;
const BUCKET: usize = 64;
/** Buckets behind the last home, for the run that begins there. */
const SPARE: usize = 256;
const FIRST_BUCKETS: usize = 1 << 10;
/** Up to here the buckets double; beyond, a quarter is added, so that memory stays near the need. */
const DOUBLING: usize = 1 << 16;
/** Entries a bucket holds on average before the table grows, in 16ths. */
const FULL: u64 = 55;
/** Rows whose homes are read together, so that the waits for memory overlap. */
const GROUP: i32 = 32;

/** Fingerprints in the table. */
export let seenCount: i32 = 0;
let buckets: usize = 0;
/** The end of the table. */
let tableEnd: usize = 0;

/** Keeps the reads ahead from being left out. */
let _readAhead: u64 = 0;

/**
 * Adds the fingerprints of the first `rows` rows, but of those whose status is an error; says in
 * `newRows` of each whether it was not there before. Returns how many are new, or -1 when memory has no
 * room for them; then none was added.
 */
export function insertFingerprints(rows: i32): i32 {
  if (!reserveFingerprints(seenCount + rows)) return -1;
  const before = seenCount;
  for (let first = 0; first < rows; first += GROUP) {
    const last = min(first + GROUP, rows);
    let seen: u64 = 0;
    for (let row = first; row < last; row++) seen ^= load<u64>(homeOf(firstHalf(row)));
    _readAhead = seen;
    for (let row = first; row < last; row++) {
      const isUrl = load<u8>(statusStart + <usize>row) <= <u8>CHANGED;
      store<u8>(newRows + <usize>row, <u8>(isUrl && insert(firstHalf(row), secondHalf(row))));
    }
  }
  return seenCount - before;
}

/** Makes room for `count` fingerprints in all; false when memory has none. */
export function reserveFingerprints(count: i32): bool {
  let wanted = max(buckets, FIRST_BUCKETS);
  while ((<u64>count) << 4 > <u64>wanted * FULL) {
    wanted += wanted < DOUBLING ? wanted : wanted >> 2;
  }
  return wanted === buckets || grow(wanted);
}

function firstHalf(row: i32): u64 {
  const half = load<u64>(fingerprints + ((<usize>row) << 4));
  return half === 0 ? 1 : half;
}

function secondHalf(row: i32): u64 {
  return load<u64>(fingerprints + ((<usize>row) << 4), 8);
}

function homeOf(half: u64): usize {
  return tableStart + <usize>(((half >> 32) * <u64>buckets) >> 32) * BUCKET;
}

function insert(first: u64, second: u64): bool {
  let at = homeOf(first);
  for (;;) {
    const entry = load<u64>(at);
    if (entry === 0) break;
    if (entry === first && load<u64>(at, 8) === second) return false;
    at += ENTRY;
  }
  store<u64>(at, first);
  store<u64>(at, second, 8);
  seenCount++;
  // The last entry stays empty: it ends every search.
  if (at + 2 * ENTRY >= tableEnd && !grow(buckets + (buckets >> 2))) unreachable();
  return true;
}

/**
 * Spreads the entries over more buckets: the old table moves to the end of the new one and is read from
 * there, each entry emptied as it is read. An entry never ends up behind where it was read: no home
 * moves further than the table did, and lower homes fill no entry beyond.
 */
function grow(wanted: usize): bool {
  const oldBytes: usize = buckets === 0 ? 0 : (buckets + SPARE) * BUCKET;
  const bytes = (wanted + SPARE) * BUCKET;
  if (!reserveTable(bytes)) return false;
  buckets = wanted;
  tableEnd = tableStart + bytes;
  const moved = tableEnd - oldBytes;
  memory.copy(moved, tableStart, oldBytes);
  memory.fill(tableStart, 0, moved - tableStart);
  for (let from = moved; from < tableEnd; from += ENTRY) {
    const first = load<u64>(from);
    if (first === 0) continue;
    const entry = v128.load(from);
    store<u64>(from, 0);
    let at = homeOf(first);
    while (load<u64>(at) !== 0) at += ENTRY;
    v128.store(at, entry);
  }
  return true;
}
