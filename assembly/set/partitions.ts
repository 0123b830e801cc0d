/*
 * Divides the rows of a chunk among the sets of several threads, and joins the answers of these sets.
 * Memory: splitFingerprints reads status and fingerprints, writes marks and the output, and partitionEnds;
 * joinAnswers reads the output and partitionEnds, writes marks.
 */

import { fingerprints, marks, outputStart, statusStart } from "../memory";
import { failedRows } from "../results";
import { CHANGED } from "../status";

/** The most partitions that there can be; a mark says which partition a row is in. */
export const MAX_PARTITIONS: i32 = 128;
/** The mark of a row that is in none of the partitions. */
const LEFT_OUT: i32 = 255;

/** Int32 x MAX_PARTITIONS: the number of fingerprints up to the end of each partition. */
export const partitionEnds: usize = memory.data(4 * 128, 16);

/**
 * Writes the fingerprints of the first `rows` rows to the output, `bits` of each. Those of partition 0 come first,
 * in the order of their rows, then those of the next partition. Leaves out rows with an error unless `texts`.
 */
export function splitFingerprints(rows: i32, partitions: i32, bits: i32, texts: bool): void {
  if (partitions < 1 || partitions > MAX_PARTITIONS) unreachable();
  memory.fill(partitionEnds, 0, (<usize>partitions) << 2);
  const leavesOut = failedRows !== 0 && !texts;
  for (let row = 0; row < rows; row++) {
    const partition = leavesOut && hasFailed(row) ? LEFT_OUT : partitionOf(row, partitions);
    store<u8>(marks + <usize>row, <u8>partition);
    if (partition !== LEFT_OUT) store<i32>(endOf(partition), load<i32>(endOf(partition)) + 1);
  }
  let begin = 0;
  for (let partition = 0; partition < partitions; partition++) {
    const count = load<i32>(endOf(partition));
    store<i32>(endOf(partition), begin);
    begin += count;
  }
  const isWide = bits === 128;
  const shift: usize = isWide ? 4 : 3;
  for (let row = 0; row < rows; row++) {
    const partition = <i32>load<u8>(marks + <usize>row);
    if (partition === LEFT_OUT) continue;
    const place = load<i32>(endOf(partition));
    const to = outputStart + ((<usize>place) << shift);
    const from = fingerprintOf(row);
    if (isWide) v128.store(to, v128.load(from));
    else store<u64>(to, load<u64>(from));
    store<i32>(endOf(partition), place + 1);
  }
}

/**
 * Marks the first `rows` rows with their answers. The answers are in the output, one byte each, in the order
 * of splitFingerprints. A row that is in none of the partitions is marked with 0.
 */
export function joinAnswers(rows: i32, partitions: i32): void {
  for (let partition = partitions - 1; partition > 0; partition--)
    store<i32>(endOf(partition), load<i32>(endOf(partition - 1)));
  store<i32>(partitionEnds, 0);
  for (let row = 0; row < rows; row++) {
    const at = marks + <usize>row;
    const partition = <i32>load<u8>(at);
    if (partition === LEFT_OUT) {
      store<u8>(at, 0);
      continue;
    }
    const place = load<i32>(endOf(partition));
    store<u8>(at, load<u8>(outputStart + <usize>place));
    store<i32>(endOf(partition), place + 1);
  }
}

function endOf(partition: i32): usize {
  return partitionEnds + ((<usize>partition) << 2);
}

function fingerprintOf(row: i32): usize {
  return fingerprints + ((<usize>row) << 4);
}

function hasFailed(row: i32): bool {
  return <i32>load<u8>(statusStart + <usize>row) > CHANGED;
}

/**
 * Returns the partition of a row. It uses bytes of the fingerprint that choose neither a shard of a set nor a home
 * in its table.
 */
function partitionOf(row: i32, partitions: i32): i32 {
  return <i32>((<u32>load<u16>(fingerprintOf(row), 2) * <u32>partitions) >> 16);
}
