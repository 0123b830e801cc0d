/*
 * Merges sorted rows into the sorted blocks of a partition: reads the blocks of the old file, writes those of a new one, its
 * index and its filter. It goes on until it needs input or room for output, so a file of any size passes.
 */
import { BLOCK, BODY, countOf, isWhole, maskOf, sealBlock, widthOf } from "./block";
import { addToFilter } from "./filter";
import { HIGH, NOBODY, NUMBER, prefixOf, ROW } from "./key";

/** What `merge` needs, or says. */
const NEEDS_INPUT = 0;
const NEEDS_OUTPUT = 1;
const DONE = 2;
const DAMAGED = 3;

/** The old file: its blocks that are in memory, and the number of the next. */
let input: usize = 0;
let inputEnd: usize = 0;
let isLastInput: bool = false;
let inputNumber: u32 = 0;
/** The old block that is being read: where its next distance is, how many keys are left, and the current key. */
let from: usize = 0;
let left: i32 = 0;
let fromWidth: usize = 0;
let oldLow: u64 = 0;
let oldHigh: u64 = 0;
let hasOld: bool = false;

/** The rows that are left. */
let row: usize = 0;
let rowsEnd: usize = 0;

/** The new file: the block that is being written, its keys, and the last of them. */
let block: usize = 0;
let outputEnd: usize = 0;
let to: usize = 0;
let keysInBlock: i32 = 0;
let width: usize = 0;
let lastLow: u64 = 0;
let lastHigh: u64 = 0;
let index: usize = 0;
let filter: usize = 0;
let lines: u64 = 0;
let fresh: usize = 0;

/** Numbers of the blocks and keys that were written. */
export let blocksWritten: u32 = 0;
export let keysWritten: u32 = 0;

/**
 * Begins a file. `rows` are sorted, `distanceWidth` is that of new blocks. Writes the index to `indexAt`, a filter of
 * `filterLines` lines to `filterAt`, and to `freshAt` the numbers of the rows that were not there.
 */
export function beginMerge(
  rows: usize,
  end: usize,
  distanceWidth: i32,
  indexAt: usize,
  filterAt: usize,
  filterLines: i32,
  freshAt: usize,
): void {
  row = rows;
  rowsEnd = end;
  width = <usize>distanceWidth;
  index = indexAt;
  filter = filterAt;
  lines = <u64>filterLines;
  fresh = freshAt;
  memory.fill(filterAt, 0, (<usize>filterLines) << 6);
  input = inputEnd = 0;
  isLastInput = false;
  inputNumber = 0;
  hasOld = false;
  left = 0;
  block = outputEnd = to = 0;
  keysInBlock = 0;
  blocksWritten = keysWritten = 0;
}

/** Gives blocks of the old file; `isLast` if no more come. */
export function setInput(at: usize, end: usize, isLast: bool): void {
  input = at;
  inputEnd = end;
  isLastInput = isLast;
}

/** Gives room for whole blocks, and 16 bytes after them. */
export function setOutput(at: usize, end: usize): void {
  block = at;
  outputEnd = end;
}

/** Returns the end of the whole blocks in the output. */
export function outputWritten(): usize {
  return block;
}

/** Returns the end of the numbers of new rows. */
export function freshEnd(): usize {
  return fresh;
}

/** Goes on merging. Returns what it needs, or that it is done. */
export function merge(): i32 {
  while (true) {
    if (!hasOld) {
      const state = nextOldBlock();
      if (state !== DONE) return state;
    }
    skipKnownRows();
    if (hasOld && (row === rowsEnd || isOldFirst())) {
      if (!copyOld()) return NEEDS_OUTPUT;
    } else if (row !== rowsEnd) {
      if (!writeRow()) return NEEDS_OUTPUT;
    } else {
      sealLast();
      return DONE;
    }
  }
}

/** Begins the next block of the input. Returns DONE also at its end. */
function nextOldBlock(): i32 {
  if (input === inputEnd) return isLastInput ? DONE : NEEDS_INPUT;
  if (!isWhole(input, inputNumber)) return DAMAGED;
  inputNumber++;
  oldLow = load<u64>(input, 8);
  oldHigh = <u64>load<u8>(input, 16);
  fromWidth = widthOf(input);
  left = countOf(input) - 1;
  from = input + BODY;
  input += BLOCK;
  hasOld = true;
  return DONE;
}

/** Passes rows whose key is the last that was written, or the next old one. */
function skipKnownRows(): void {
  for (; row !== rowsEnd; row += ROW) {
    const low = load<u64>(row);
    const high = <u64>load<u8>(row, HIGH);
    const isLast = keysWritten !== 0 && low === lastLow && high === lastHigh;
    const isOld = hasOld && low === oldLow && high === oldHigh;
    if (!isLast && !isOld) return;
  }
}

function isOldFirst(): bool {
  const high = <u64>load<u8>(row, HIGH);
  return oldHigh < high || (oldHigh === high && oldLow < load<u64>(row));
}

function writeRow(): bool {
  if (!write(load<u64>(row), <u64>load<u8>(row, HIGH))) return false;
  const number = load<u32>(row, NUMBER);
  if (number !== NOBODY) {
    store<u32>(fresh, number);
    fresh += 4;
  }
  row += ROW;
  return true;
}

/** Writes old keys up to the next row or the end of their block. Returns false if the output is full. */
function copyOld(): bool {
  if (!write(oldLow, oldHigh)) return false;
  let limitLow = ~(<u64>0);
  let limitHigh = ~(<u64>0);
  if (row !== rowsEnd) {
    limitLow = load<u64>(row);
    limitHigh = <u64>load<u8>(row, HIGH);
  }
  const isNarrow = fromWidth < 9 && width < 9;
  if (isNarrow) copyDistances(limitLow, limitHigh);
  nextOld();
  return true;
}

/** Copies distances while keys are below a limit, and both blocks have room. */
function copyDistances(limitLow: u64, limitHigh: u64): void {
  const fromMask = maskOf(fromWidth);
  const most = maskOf(width);
  const step = width;
  const fromStep = fromWidth;
  const end = block + BLOCK - step;
  let low = lastLow;
  let high = lastHigh;
  let at = from;
  let target = to;
  let count = left;
  for (; count > 0 && target <= end; count--) {
    const distance = load<u64>(at) & fromMask;
    const nextLow = low + distance;
    const nextHigh = high + <u64>(nextLow < distance);
    if (nextHigh > limitHigh || (nextHigh === limitHigh && nextLow >= limitLow) || distance > most)
      break;
    low = nextLow;
    high = nextHigh;
    store<u64>(target, distance);
    target += step;
    at += fromStep;
    if (lines !== 0) addToFilter(low, high, filter, lines);
  }
  keysInBlock += left - count;
  keysWritten += <u32>(left - count);
  left = count;
  from = at;
  to = target;
  oldLow = lastLow = low;
  oldHigh = lastHigh = high;
}

/** Reads the next key of the old block, if it has one. */
function nextOld(): void {
  hasOld = left > 0;
  if (!hasOld) return;
  left--;
  const distance = load<u64>(from) & maskOf(fromWidth);
  oldLow += distance;
  oldHigh += <u64>(oldLow < distance);
  if (fromWidth === 9) oldHigh += <u64>load<u8>(from, 8);
  from += fromWidth;
}

/** Writes a key. Returns false, and writes nothing, if the output has no room for the block that it begins. */
function write(low: u64, high: u64): bool {
  if (keysInBlock === 0 || !writeDistance(low, high)) {
    if (keysInBlock !== 0) sealLast();
    if (block === outputEnd) return false;
    store<u64>(block, low, 8);
    store<u8>(block, <u8>high, 16);
    store<u64>(index, prefixOf(low, high));
    index += 8;
    to = block + BODY;
    keysInBlock = 1;
  }
  lastLow = low;
  lastHigh = high;
  keysWritten++;
  if (lines !== 0) addToFilter(low, high, filter, lines);
  return true;
}

/** Writes a key after the last one of the block, if its distance fits. */
function writeDistance(low: u64, high: u64): bool {
  const distance = low - lastLow;
  const above = high - lastHigh - <u64>(low < lastLow);
  const fits = width === 9 || (above === 0 && distance <= maskOf(width));
  if (!fits || to + width > block + BLOCK) return false;
  store<u64>(to, distance);
  if (width === 9) store<u8>(to, <u8>above, 8);
  to += width;
  keysInBlock++;
  return true;
}

/** Completes the block that is being written, if there is one. */
function sealLast(): void {
  if (keysInBlock === 0) return;
  sealBlock(block, to, keysInBlock, width, blocksWritten);
  block += BLOCK;
  blocksWritten++;
  keysInBlock = 0;
}
