/*
 * Divides the rows of a chunk among the sets of several threads, or those of a batch among the tables of one set,
 * and joins the answers of these sets or tables. Those of threads are called partitions, and those of a set shards.
 * Memory: splitFingerprints reads status and fingerprints, splitByShard reads fingerprints. Both write marks, the
 * output and partitionEnds. joinAnswers reads the output and partitionEnds, writes marks.
 */

import { fingerprints, marks, outputStart, statusStart } from "../memory";
import { BLOCKED, CHANGED } from "../status";

/** The most partitions that there can be; a mark says which partition a row is in. */
export const MAX_PARTITIONS: i32 = 128;
/** The mark of a row that is not in a partition. */
const LEFT_OUT: i32 = 255;

/** Int32 x MAX_PARTITIONS: the number of fingerprints up to the end of each partition. */
export const partitionEnds: usize = memory.data(4 * 128, 16);

/**
 * Writes the fingerprints of the first `rows` rows to the output, `bits` of each. Those of partition 0 come first,
 * in the order of their rows, then those of the next partition. Leaves out rows that are BLOCKED, and those with another
 * error unless `texts`.
 */
export function splitFingerprints(rows: i32, partitions: i32, bits: i32, texts: bool): void {
  clearCounts(partitions);
  const last = texts ? BLOCKED - 1 : CHANGED;
  for (let row = 0; row < rows; row++) {
    if (<i32>load<u8>(statusStart + <usize>row) > last) store<u8>(marks + <usize>row, <u8>LEFT_OUT);
    else count(row, partitionOf(row, partitions));
  }
  putTogether(rows, partitions, 4, bits === 128 ? 4 : 3);
}

/**
 * Does the same for the tables of a set, as many as a power of two. Rows of `fingerprints` have `bits` bits. Their
 * first byte chooses the table.
 */
export function splitByShard(rows: i32, shards: i32, bits: i32): void {
  clearCounts(shards);
  const shift: usize = bits === 128 ? 4 : 3;
  for (let row = 0; row < rows; row++) {
    count(row, <i32>load<u8>(fingerprints + ((<usize>row) << shift)) & (shards - 1));
  }
  putTogether(rows, shards, shift, shift);
}

function clearCounts(partitions: i32): void {
  if (partitions < 1 || partitions > MAX_PARTITIONS) unreachable();
  memory.fill(partitionEnds, 0, (<usize>partitions) << 2);
}

/** Marks a row with its partition, which has one more row. */
function count(row: i32, partition: i32): void {
  store<u8>(marks + <usize>row, <u8>partition);
  store<i32>(endOf(partition), load<i32>(endOf(partition)) + 1);
}

/**
 * Writes the counted rows to the output, partition by partition, and changes counts to ends. `shift` and `outShift` are
 * the logarithms of the bytes from row to row, in `fingerprints` and in the output.
 */
function putTogether(rows: i32, partitions: i32, shift: usize, outShift: usize): void {
  let begin = 0;
  for (let partition = 0; partition < partitions; partition++) {
    const inPartition = load<i32>(endOf(partition));
    store<i32>(endOf(partition), begin);
    begin += inPartition;
  }
  const isWide = outShift === 4;
  for (let row = 0; row < rows; row++) {
    const partition = <i32>load<u8>(marks + <usize>row);
    if (partition === LEFT_OUT) continue;
    const place = load<i32>(endOf(partition));
    const to = outputStart + ((<usize>place) << outShift);
    const from = fingerprints + ((<usize>row) << shift);
    if (isWide) v128.store(to, v128.load(from));
    else store<u64>(to, load<u64>(from));
    store<i32>(endOf(partition), place + 1);
  }
}

/**
 * Marks the first `rows` rows with their answers. The answers are in the output, one byte each, in the order
 * in which the rows were divided. A row that is not in a partition is marked with 0.
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

/**
 * Returns the partition of a row. It uses bytes of the fingerprint that choose neither a shard of a set nor a home
 * in its table.
 */
function partitionOf(row: i32, partitions: i32): i32 {
  return <i32>((<u32>load<u16>(fingerprintOf(row), 2) * <u32>partitions) >> 16);
}
