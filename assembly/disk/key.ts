/*
 * A key is the first 10 bytes of a fingerprint: a little-endian number of 80 bits. Its highest byte is its partition, so
 * within a partition 72 bits count: `high` (8 bits) and `low` (64 bits). `low` is never 0, so that 0 marks an empty place.
 *
 * A row is a key that waits to be merged, in 13 bytes: low, high, and the number of the row as 32 bits.
 */

/** Bytes of a fingerprint as the normalizer writes it, of a key, and of a row. */
export const FINGERPRINT: usize = 16;
export const KEY: usize = 10;
export const ROW: usize = 13;
/** Where the high byte, the partition of a key and the number of a row are. */
export const HIGH: usize = 8;
export const PARTITION: usize = 9;
export const NUMBER: usize = 9;
export const PARTITIONS: i32 = 256;

/** The number of a row for which nobody waits. */
export const NOBODY: u32 = 0xffffffff;

/** Writes the keys of `count` fingerprints of `width` bytes. */
export function cutKeys(from: usize, width: usize, count: i32, to: usize): void {
  for (let row = 0; row < count; row++, from += width, to += KEY) {
    const low = load<u64>(from);
    store<u64>(to, low === 0 ? 1 : low);
    store<u16>(to, load<u16>(from, HIGH), HIGH);
  }
}

/** Moves the keys whose answer is 1 to the beginning, in their order. Returns their end. */
export function keepNewKeys(keys: usize, count: i32, answers: usize): usize {
  let to = keys;
  for (let row = 0; row < count; row++, keys += KEY) {
    if (load<u8>(answers + <usize>row) === 0) continue;
    store<u64>(to, load<u64>(keys));
    store<u16>(to, load<u16>(keys, HIGH), HIGH);
    to += KEY;
  }
  return to;
}

/** Returns the 64 highest of the 72 bits of a key. */
export function prefixOf(low: u64, high: u64): u64 {
  return (high << 56) | (low >> 8);
}
