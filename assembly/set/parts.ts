/*
 * Divides the rows of a chunk among the sets of several threads, and joins the answers of these sets.
 * Memory: splitFingerprints reads status and fingerprints, writes marks and the output, and partEnds;
 * joinAnswers reads the output and partEnds, writes marks.
 */

import { fingerprints, marks, outputStart, statusStart } from "../memory";
import { failedRows } from "../results";
import { CHANGED } from "../status";

/** The most parts that there can be; a mark says which part a row is in. */
export const MAX_PARTS: i32 = 128;
/** The mark of a row that is in none of the parts. */
const LEFT_OUT: i32 = 255;

/** Int32 x MAX_PARTS: the number of fingerprints up to the end of each part. */
export const partEnds: usize = memory.data(4 * 128, 16);

/**
 * Writes the fingerprints of the first `rows` rows to the output, `bits` of each. Those of part 0 come first,
 * in the order of their rows, then those of the next part. Leaves out rows with an error unless `texts`.
 */
export function splitFingerprints(rows: i32, parts: i32, bits: i32, texts: bool): void {
  if (parts < 1 || parts > MAX_PARTS) unreachable();
  memory.fill(partEnds, 0, (<usize>parts) << 2);
  const leavesOut = failedRows !== 0 && !texts;
  for (let row = 0; row < rows; row++) {
    const part = leavesOut && hasFailed(row) ? LEFT_OUT : partOf(row, parts);
    store<u8>(marks + <usize>row, <u8>part);
    if (part !== LEFT_OUT) store<i32>(endOf(part), load<i32>(endOf(part)) + 1);
  }
  let begin = 0;
  for (let part = 0; part < parts; part++) {
    const count = load<i32>(endOf(part));
    store<i32>(endOf(part), begin);
    begin += count;
  }
  const isWide = bits === 128;
  const shift: usize = isWide ? 4 : 3;
  for (let row = 0; row < rows; row++) {
    const part = <i32>load<u8>(marks + <usize>row);
    if (part === LEFT_OUT) continue;
    const place = load<i32>(endOf(part));
    const to = outputStart + ((<usize>place) << shift);
    const from = fingerprintOf(row);
    if (isWide) v128.store(to, v128.load(from));
    else store<u64>(to, load<u64>(from));
    store<i32>(endOf(part), place + 1);
  }
}

/**
 * Marks the first `rows` rows with their answers. The answers are in the output, one byte each, in the order
 * of splitFingerprints. A row that is in none of the parts is marked with 0.
 */
export function joinAnswers(rows: i32, parts: i32): void {
  for (let part = parts - 1; part > 0; part--) store<i32>(endOf(part), load<i32>(endOf(part - 1)));
  store<i32>(partEnds, 0);
  for (let row = 0; row < rows; row++) {
    const at = marks + <usize>row;
    const part = <i32>load<u8>(at);
    if (part === LEFT_OUT) {
      store<u8>(at, 0);
      continue;
    }
    const place = load<i32>(endOf(part));
    store<u8>(at, load<u8>(outputStart + <usize>place));
    store<i32>(endOf(part), place + 1);
  }
}

function endOf(part: i32): usize {
  return partEnds + ((<usize>part) << 2);
}

function fingerprintOf(row: i32): usize {
  return fingerprints + ((<usize>row) << 4);
}

function hasFailed(row: i32): bool {
  return <i32>load<u8>(statusStart + <usize>row) > CHANGED;
}

/**
 * Returns the part of a row. It uses bytes of the fingerprint that choose neither a shard of a set nor a home
 * in its table.
 */
function partOf(row: i32, parts: i32): i32 {
  return <i32>((<u32>load<u16>(fingerprintOf(row), 2) * <u32>parts) >> 16);
}
