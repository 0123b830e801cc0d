/*
 * Looks for keys: in filters, in the indexes of blocks, in a block. An index has the 64 highest bits of the first key of each
 * block.
 */
import { BODY, countOf, isWhole, maskOf, widthOf } from "./block";
import { addToFilter, mayHave } from "./filter";
import { HIGH, KEY, PARTITION, prefixOf } from "./key";

/** What `findInBlock` answers. */
const ABSENT = 0;
const PRESENT = 1;
/** The key is before the first of the block. */
const BEFORE = 2;
const DAMAGED = 3;

/** Bytes that `findBlocks` reads for each partition: addresses and numbers of its index and its filter. */
export const FINDER: usize = 16;

/**
 * Says for each key whose answer is 1 in which block it would be. Writes pairs of 32 bits: partition and block (8 and 24 bits),
 * and the row. Returns how many. `finders` has for each partition: the index, its blocks, the filter, its lines (0: none).
 */
export function findBlocks(
  keys: usize,
  count: i32,
  answers: usize,
  finders: usize,
  to: usize,
): i32 {
  const begin = to;
  for (let row = 0; row < count; row++, keys += KEY) {
    if (load<u8>(answers + <usize>row) === 0) continue;
    const partition = <u32>load<u8>(keys, PARTITION);
    const finder = finders + <usize>partition * FINDER;
    const blocks = load<i32>(finder, 4);
    if (blocks === 0) continue;
    const low = load<u64>(keys);
    const high = <u64>load<u8>(keys, HIGH);
    const lines = <u64>load<u32>(finder, 12);
    if (lines !== 0 && !mayHave(low, high, <usize>load<u32>(finder, 8), lines)) continue;
    const block = blockOf(prefixOf(low, high), <usize>load<u32>(finder), blocks);
    store<u32>(to, (partition << 24) | <u32>block);
    store<u32>(to, <u32>row, 4);
    to += 8;
  }
  return <i32>((to - begin) >> 3);
}

/** Returns the last block whose first key is not greater; 0 if all are. */
function blockOf(prefix: u64, index: usize, blocks: i32): i32 {
  let first = 0;
  let after = blocks;
  while (after - first > 1) {
    const middle = (first + after) >> 1;
    if (load<u64>(index + ((<usize>middle) << 3)) <= prefix) first = middle;
    else after = middle;
  }
  return first;
}

/** Looks for a key in a block that `isWhole` knows. */
function findInBlock(key: usize, block: usize): i32 {
  const wantedLow = load<u64>(key);
  const wantedHigh = <u64>load<u8>(key, HIGH);
  let low = load<u64>(block, 8);
  let high = <u64>load<u8>(block, 16);
  if (high > wantedHigh || (high === wantedHigh && low > wantedLow)) return BEFORE;
  const width = widthOf(block);
  const mask = maskOf(width);
  let at = block + BODY;
  for (let left = countOf(block); left > 0; left--, at += width) {
    if (high === wantedHigh && low === wantedLow) return PRESENT;
    if (high > wantedHigh || (high === wantedHigh && low > wantedLow)) return ABSENT;
    const distance = load<u64>(at) & mask;
    low += distance;
    high += <u64>(low < distance);
    if (width === 9) high += <u64>load<u8>(at, 8);
  }
  return ABSENT;
}

/** Looks for a key in a block. Checks the block first. */
export function findInRead(key: usize, block: usize, number: i32): i32 {
  return isWhole(block, <u32>number) ? findInBlock(key, block) : DAMAGED;
}

/** Writes the keys of a whole block. Returns how many; 0 if the block is damaged. */
export function keysOfBlock(block: usize, number: i32, to: usize): i32 {
  if (!isWhole(block, <u32>number)) return 0;
  let low = load<u64>(block, 8);
  let high = <u64>load<u8>(block, 16);
  const partition = load<u8>(block, 17);
  const width = widthOf(block);
  const mask = maskOf(width);
  const count = countOf(block);
  let at = block + BODY;
  for (let row = 0; row < count; row++, at += width, to += KEY) {
    store<u64>(to, low);
    store<u8>(to, <u8>high, HIGH);
    store<u8>(to, partition, PARTITION);
    const distance = load<u64>(at) & mask;
    low += distance;
    high += <u64>(low < distance);
    if (width === 9) high += <u64>load<u8>(at, 8);
  }
  return count;
}

/** Adds the keys of a block to a filter. Returns false if the block is damaged. */
export function addBlockToFilter(block: usize, number: i32, filter: usize, lines: i32): bool {
  if (!isWhole(block, <u32>number)) return false;
  let low = load<u64>(block, 8);
  let high = <u64>load<u8>(block, 16);
  const width = widthOf(block);
  const mask = maskOf(width);
  let at = block + BODY;
  for (let left = countOf(block); left > 0; left--, at += width) {
    addToFilter(low, high, filter, <u64>lines);
    const distance = load<u64>(at) & mask;
    low += distance;
    high += <u64>(low < distance);
    if (width === 9) high += <u64>load<u8>(at, 8);
  }
  return true;
}
