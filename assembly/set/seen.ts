/*
 * A set of fingerprints. Memory: reads rows of `fingerprints`, writes `marks`, and owns the table. The table
 * has a place for each home slot, and SPARE more, of 16 or 8 bytes. An entry holds both halves of a fingerprint,
 * or only the first. The first half is never 0; an empty place is 0.
 *
 * The home of a fingerprint is its first half, scaled to the number of home slots. Entries are in the order of
 * their first halves, each at its home or, if that is taken, as soon after it as the order allows. No empty
 * place is between a home and its entry. So a search ends at the first larger entry, and when the table
 * grows, entries never cross an empty place.
 *
 *   place            0     1     2     3     4     5     6     7     8     9
 *   first half      .03   .21   .23   ---   .41   .48   .52   .55   ---   .97
 *   home             0     2     2           4     4     5     5           9
 *
 * Fingerprints are keyed hashes, so nobody can choose URLs that make long runs.
 */
import { fingerprints, marks, reserveTable, tableBytes, tableStart } from "../memory";

/** Places after the last home, for entries whose run extends beyond it. */
const SPARE: usize = 1 << 10;
const FIRST_HOMES: usize = 1 << 12;
/** Up to here the home slots double; beyond, a quarter is added, so that memory stays near the need. */
const DOUBLING: u64 = 1 << 20;
/** How much of the table is full before it grows, in 64ths. */
const FULL: u64 = 55;
/** Places that move at a time when the table grows: few enough to stay in the cache. */
const MOVED: usize = 1 << 13;
/** Rows whose home slots are read together, so that the waits for memory overlap. */
const GROUP: i32 = 128;

/** Number of fingerprints in the table. */
export let seenCount: i32 = 0;
/** Bytes of an entry, and of a row of `fingerprints`. */
let entryBytes: usize = 16;
let homeSlots: usize = 0;

/** Keeps the compiler from removing the reads ahead. */
let _readAhead: u64 = 0;

/** Sets the size of the set's fingerprints to `bits`, 128 or 64. The set must be empty. */
export function setFingerprintBits(bits: i32): void {
  if (seenCount !== 0) unreachable();
  entryBytes = <usize>bits >> 3;
}

/**
 * Adds the fingerprints of the first `rows` rows. Writes 1 to `marks` for each that is new, else 0. Returns
 * the number of new fingerprints, or -1 if memory has no room; then nothing was added.
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

/** Writes 1 to `marks` for each of the first `rows` rows whose fingerprint is in the set, else 0. */
export function hasFingerprints(rows: i32): void {
  if (homeSlots === 0) {
    memory.fill(marks, 0, <usize>rows);
    return;
  }
  for (let first = 0; first < rows; first += GROUP) {
    const last = min(first + GROUP, rows);
    readAhead(first, last);
    for (let row = first; row < last; row++) {
      const at = rowAt(row);
      const first = firstHalf(at);
      store<u8>(marks + <usize>row, <u8>(load<u64>(find(at, first)) === first));
    }
  }
}

/** Makes room for `count` fingerprints in all; false when memory has none. */
export function reserveFingerprints(count: u32): bool {
  // More home slots than an address can reach are counted too, and refused by `grow`.
  let wanted = <u64>max(homeSlots, FIRST_HOMES);
  while ((<u64>count) << 6 > wanted * FULL) {
    wanted += wanted < DOUBLING ? wanted : wanted >> 2;
  }
  return wanted === <u64>homeSlots || grow(wanted);
}

/** Reads the cache line of each row's home and the next line, where most entries are. */
function readAhead(first: i32, last: i32): void {
  let seen: u64 = 0;
  for (let row = first; row < last; row++) {
    const home = homeOf(firstHalf(rowAt(row)));
    seen ^= load<u64>(home) ^ load<u64>(home, 64);
  }
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
  return tableStart + <usize>(((half >> 32) * <u64>homeSlots) >> 32) * entryBytes;
}

/**
 * Returns the place of a fingerprint, or the place to insert it: the first from its home on that is empty or
 * larger.
 */
function find(row: usize, first: u64): usize {
  let at = homeOf(first);
  // An empty place is 0, so less 1 it is the largest number.
  while (load<u64>(at) - 1 < first - 1) at += entryBytes;
  if (entryBytes === 16) {
    const second = load<u64>(row, 8);
    while (load<u64>(at) === first && load<u64>(at, 8) !== second) at += 16;
  }
  return at;
}

function insert(row: usize): bool {
  const first = firstHalf(row);
  const at = find(row, first);
  if (load<u64>(at) === first) return false;
  const last = entryBytes === 16 ? putWide(at, first, load<u64>(row, 8)) : putNarrow(at, first);
  seenCount++;
  // The last place stays empty: it ends every search.
  if (last + 2 * entryBytes >= tableStart + tableBytes && !grow(<u64>homeSlots + (homeSlots >> 2)))
    unreachable();
  return true;
}

/**
 * Puts an entry at a place and moves the entries from there up to the next empty place. Returns that place.
 */
function putWide(at: usize, first: u64, second: u64): usize {
  let entry = i64x2.replace_lane(i64x2.splat(<i64>first), 1, <i64>second);
  while (load<u64>(at) !== 0) {
    const next = v128.load(at);
    v128.store(at, entry);
    entry = next;
    at += 16;
  }
  v128.store(at, entry);
  return at;
}

function putNarrow(at: usize, entry: u64): usize {
  for (let next = load<u64>(at); next !== 0; next = load<u64>(at)) {
    store<u64>(at, entry);
    entry = next;
    at += 8;
  }
  store<u64>(at, entry);
  return at;
}

/**
 * Spreads the entries over more home slots, some thousand places at a time, the last ones first. Each group begins
 * at an empty place, so it never overwrites another group. Places that entries leave, and places they come
 * to, are 0.
 *
 *   before   |a . b c . d|                 places; the last three move first
 *   after    |a . . b c . d . |            then the first three
 */
function grow(wanted: u64): bool {
  const places: usize = homeSlots === 0 ? 0 : homeSlots + SPARE;
  if (!reserveTable((wanted + SPARE) * <u64>entryBytes)) return false;
  const before = homeSlots;
  homeSlots = <usize>wanted;
  let newEnd = homeSlots + SPARE;
  for (let end = places; end > 0; ) {
    const begin = emptyPlaceBefore(end);
    let newBegin: usize = 0;
    if (begin !== 0) newBegin = <usize>((<u64>begin * wanted) / <u64>before) + 1;
    move(begin, end, newBegin, newEnd);
    end = begin;
    newEnd = newBegin;
  }
  return true;
}

/** Returns the last empty place that has at least MOVED places between it and `end`, or place 0. */
function emptyPlaceBefore(end: usize): usize {
  if (end <= MOVED) return 0;
  let place = end - MOVED;
  while (place > 0 && load<u64>(addressOf(place)) !== 0) place--;
  return place;
}

/**
 * Moves the entries of some places to their new ones. First it copies all of them to the end of the new
 * places, then moves each to its home and clears where it was. An entry never lands after the place it was
 * read from, because home slots move no further than the end does. No branch depends on what is read: an empty
 * place is written to the next place, which is empty.
 */
function move(begin: usize, end: usize, newBegin: usize, newEnd: usize): void {
  const stop = addressOf(newEnd);
  const old = addressOf(begin);
  const moved = stop - (end - begin) * entryBytes;
  memory.copy(moved, old, stop - moved);
  memory.fill(old, 0, min(addressOf(end), moved) - old);
  let next = addressOf(newBegin);
  for (let from = moved; from < stop; from += entryBytes) {
    const first = load<u64>(from);
    const second = entryBytes === 16 ? load<u64>(from, 8) : 0;
    store<u64>(from, 0);
    const at = max(next, homeOf(first));
    store<u64>(at, first);
    if (entryBytes === 16) store<u64>(at, second, 8);
    next = select<usize>(at + entryBytes, next, first !== 0);
  }
}

function addressOf(place: usize): usize {
  return tableStart + place * entryBytes;
}
