/*
 * Rows that wait. They come in groups of GROUP_ROWS at most, each sorted by partition, so that the rows of one partition
 * are read in few pieces.
 *
 *   group   starts of the partitions and the end (257 x 32 bits), 4 bytes that mean nothing, rows
 */
import { HIGH, KEY, NUMBER, PARTITION, PARTITIONS, ROW } from "./key";

export const GROUP_ROWS: i32 = 1 << 16;
/** The least status of a row that is not a URL. */
const FIRST_ERROR: u8 = 2;
const HEADER: usize = (256 + 2) * 4;
/** Bytes of a group. */
export const GROUP: usize = 1032 + 65536 * 13;

/** Writes the numbers of the rows that are URLs, the first being `first`. `status` has a byte a row; 0 if all are URLs. */
export function numberRows(status: usize, rows: i32, first: u32, to: usize): void {
  for (let row = 0; row < rows; row++) {
    if (status !== 0 && load<u8>(status + <usize>row) >= FIRST_ERROR) continue;
    store<u32>(to, first + <u32>row);
    to += 4;
  }
}

/**
 * Keeps those of `count` keys, and their numbers, whose partitions have a 0 in `merged`, a byte for each. Returns how many
 * it keeps.
 */
export function keepUnmerged(keys: usize, numbers: usize, count: i32, merged: usize): i32 {
  let kept: i32 = 0;
  for (let row = 0; row < count; row++) {
    const key = keys + <usize>row * KEY;
    if (load<u8>(merged + <usize>load<u8>(key, PARTITION)) !== 0) continue;
    memory.copy(keys + <usize>kept * KEY, key, KEY);
    store<u32>(numbers + ((<usize>kept) << 2), load<u32>(numbers + ((<usize>row) << 2)));
    kept++;
  }
  return kept;
}

/** Sets the bits of those rows in [first, first + rows) that are among `count` numbers. Only the Python package calls it. */
export function markRows(numbers: usize, count: i32, first: u32, rows: u32, bits: usize): void {
  for (let left = count; left > 0; left--, numbers += 4) {
    const row = load<u32>(numbers) - first;
    if (row >= rows) continue;
    const byte = bits + (<usize>row >> 3);
    store<u8>(byte, load<u8>(byte) | <u8>((<u32>1) << (row & 7)));
  }
}

/** Writes a group of `count` keys, and of the numbers that their rows have. Keeps the order within a partition. */
export function splitGroup(keys: usize, numbers: usize, count: i32, group: usize): void {
  memory.fill(group, 0, HEADER);
  for (let row = 0; row < count; row++) {
    const start = group + ((<usize>load<u8>(keys + <usize>row * KEY, PARTITION) + 1) << 2);
    store<u32>(start, load<u32>(start) + 1);
  }
  for (let partition = 1; partition <= PARTITIONS; partition++) {
    const start = group + ((<usize>partition) << 2);
    store<u32>(start, load<u32>(start) + load<u32>(start - 4));
  }
  // While rows are written, the start of a partition is where its next row goes. Then each is where the next began.
  for (let row = 0; row < count; row++, keys += KEY, numbers += 4) {
    const start = group + ((<usize>load<u8>(keys, PARTITION)) << 2);
    const at = load<u32>(start);
    store<u32>(start, at + 1);
    const to = group + HEADER + <usize>at * ROW;
    store<u64>(to, load<u64>(keys));
    store<u8>(to, load<u8>(keys, HIGH), HIGH);
    store<u32>(to, load<u32>(numbers), NUMBER);
  }
  memory.copy(group + 4, group, (<usize>PARTITIONS) << 2);
  store<u32>(group, 0);
}

/** Copies `rows` of the rows that `groups` groups have of a partition, from the row `first` of them on. */
export function gatherRows(
  partition: i32,
  at: usize,
  groups: i32,
  first: i32,
  rows: i32,
  to: usize,
): void {
  const place = (<usize>partition) << 2;
  for (let group = 0; group < groups && rows > 0; group++, at += GROUP) {
    const start = <i32>load<u32>(at + place);
    const there = <i32>load<u32>(at + place, 4) - start;
    const skipped = min(first, there);
    const copied = min(rows, there - skipped);
    memory.copy(to, at + HEADER + <usize>(start + skipped) * ROW, <usize>copied * ROW);
    first -= skipped;
    rows -= copied;
    to += <usize>copied * ROW;
  }
}

/** Counts the rows that `groups` groups have of a partition. */
export function countRows(partition: i32, at: usize, groups: i32): i32 {
  const place = (<usize>partition) << 2;
  let rows: u32 = 0;
  for (let group = 0; group < groups; group++, at += GROUP) {
    rows += load<u32>(at + place, 4) - load<u32>(at + place);
  }
  return <i32>rows;
}

/** Counts the places that `sortRows` needs for counters: a power of two, about half as many as rows. */
export function counterBits(count: i32): i32 {
  return max(4, min(20, 31 - clz<i32>(max(count, 1))));
}

/**
 * Sorts rows of one partition by their keys. Equal ones stay in their order. Reads [from, end) and writes to `to`;
 * `counters` has 4 << counterBits bytes. The rows at `from` are void afterwards.
 */
export function sortRows(from: usize, end: usize, to: usize, counters: usize): void {
  const bits = counterBits(<i32>((end - from) / ROW));
  const shift = <u64>(64 - bits);
  memory.fill(counters, 0, (<usize>4) << bits);
  for (let at = from; at < end; at += ROW) {
    const counter = counters + ((<usize>(sortPrefix(at) >> shift)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let place: u32 = 0;
  for (let at = counters; at < counters + ((<usize>4) << bits); at += 4) {
    const count = load<u32>(at);
    store<u32>(at, place);
    place += count;
  }
  for (let at = from; at < end; at += ROW) {
    const counter = counters + ((<usize>(sortPrefix(at) >> shift)) << 2);
    const row = load<u32>(counter);
    store<u32>(counter, row + 1);
    copyRow(at, to + <usize>row * ROW);
  }
  if (!sortNear(to, to + (end - from))) mergeRuns(to, end - from, from);
}

/**
 * Sorts rows each of which is near its place, as those of keyed hashes are. Returns false, with rows in any order in which
 * equal ones stay in theirs, if they are not.
 */
function sortNear(first: usize, end: usize): bool {
  let steps: usize = 8 * (end - first) + 65536 * ROW;
  for (let at = first + ROW; at < end; at += ROW) {
    const low = load<u64>(at);
    const high = load<u8>(at, HIGH);
    const number = load<u32>(at, NUMBER);
    let place = at;
    while (
      place > first &&
      isLess(low, high, load<u64>(place - ROW), load<u8>(place - ROW, HIGH))
    ) {
      copyRow(place - ROW, place);
      place -= ROW;
    }
    if (place === at) continue;
    store<u64>(place, low);
    store<u8>(place, high, HIGH);
    store<u32>(place, number, NUMBER);
    if (at - place > steps) return false;
    steps -= at - place;
  }
  return true;
}

/** Sorts rows by merging runs that are twice as long each time. Equal ones stay in their order. */
function mergeRuns(rows: usize, length: usize, scratch: usize): void {
  let from = rows;
  let to = scratch;
  for (let run = ROW; run < length; run *= 2) {
    for (let at: usize = 0; at < length; at += 2 * run) {
      mergeTwo(from + at, from + min(at + run, length), from + min(at + 2 * run, length), to + at);
    }
    const merged = to;
    to = from;
    from = merged;
  }
  if (from !== rows) memory.copy(rows, from, length);
}

/** Merges two runs of sorted rows, [left, middle) and [middle, end). */
function mergeTwo(left: usize, middle: usize, end: usize, to: usize): void {
  let right = middle;
  for (; left < middle || right < end; to += ROW) {
    const isRightFirst =
      left === middle ||
      (right < end &&
        isLess(load<u64>(right), load<u8>(right, HIGH), load<u64>(left), load<u8>(left, HIGH)));
    copyRow(isRightFirst ? right : left, to);
    if (isRightFirst) right += ROW;
    else left += ROW;
  }
}

function sortPrefix(row: usize): u64 {
  return ((<u64>load<u8>(row, HIGH)) << 56) | (load<u64>(row) >> 8);
}

function isLess(low: u64, high: u8, otherLow: u64, otherHigh: u8): bool {
  return high < otherHigh || (high === otherHigh && low < otherLow);
}

function copyRow(from: usize, to: usize): void {
  const rest = load<u32>(from, NUMBER);
  const high = load<u8>(from, HIGH);
  store<u64>(to, load<u64>(from));
  store<u8>(to, high, HIGH);
  store<u32>(to, rest, NUMBER);
}
