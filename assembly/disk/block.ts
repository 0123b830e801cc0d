/*
 * A block of sorted keys of one partition, as it is on disk. Numbers are little-endian.
 *
 *   0   checksum    XXH64 of the bytes after it (64 bits)
 *   8   low, high   of the first key (64 and 8 bits)
 *   17  partition   (8)
 *   18  count       of keys (16)
 *   20  width       of a distance in bytes, 1 to 9 (8)
 *   21  number      of the block in its file (24)
 *   24  set         which set the block belongs to (32)
 *   28  generation  of its file (32)
 *   32  distances   from each key to the next, `width` bytes each; zeros to the end
 */
import { xxh64 } from "./xxh64";

export const BLOCK: usize = 4096;
export const BODY: usize = 32;

let set: u32 = 0;
let partition: u8 = 0;
let generationRead: u32 = 0;
let generationWritten: u32 = 0;

/** Says of which set and partition the blocks are that come next, and of which files those that are read and written. */
export function setFiles(setNumber: i32, partitionNumber: i32, read: i32, written: i32): void {
  set = <u32>setNumber;
  partition = <u8>partitionNumber;
  generationRead = <u32>read;
  generationWritten = <u32>written;
}

/** Completes a block whose keys are written up to `end`. */
export function sealBlock(block: usize, end: usize, count: i32, width: usize, number: u32): void {
  memory.fill(end, 0, block + BLOCK - end);
  store<u8>(block, partition, 17);
  store<u16>(block, <u16>count, 18);
  store<u32>(block, <u32>width | (number << 8), 20);
  store<u32>(block, set, 24);
  store<u32>(block, generationWritten, 28);
  store<u64>(block, xxh64(block + 8, block + BLOCK));
}

/**
 * Returns whether a block is whole and is the one of that number in the file that is read. Whoever wrote its checksum, the
 * distances of its keys end within it.
 */
export function isWhole(block: usize, number: u32): bool {
  const width = widthOf(block);
  const count = <usize>countOf(block);
  const isWithin = width >= 1 && width <= 9 && count >= 1 && BODY + (count - 1) * width <= BLOCK;
  const isHere =
    load<u32>(block, 24) === set &&
    load<u32>(block, 28) === generationRead &&
    load<u8>(block, 17) === partition &&
    load<u32>(block, 20) >> 8 === number;
  return isWithin && isHere && load<u64>(block) === xxh64(block + 8, block + BLOCK);
}

export function countOf(block: usize): i32 {
  return load<u16>(block, 18);
}

export function widthOf(block: usize): usize {
  return load<u8>(block, 20);
}

/** Returns a mask of the bits that `width` bytes have, of 8 at most. */
export function maskOf(width: usize): u64 {
  return width >= 8 ? ~(<u64>0) : ((<u64>1) << ((<u64>width) << 3)) - 1;
}
