/*
 * A Bloom filter for each partition, in lines of 64 bytes (Putze, Sanders and Singler, Cache-, Hash- and Space-Efficient Bloom
 * Filters, 2007). A key has one line and six bits of it. With 10 bits a key, about 1 of 100 other keys seems to be there.
 */

export const LINE: usize = 64;
const BITS: i32 = 6;
const MIX: u64 = 0x9e3779b97f4a7c15;

/** Adds a key to a filter of `lines` lines. */
export function addToFilter(low: u64, high: u64, filter: usize, lines: u64): void {
  const line = lineOf(low, filter, lines);
  let bits = bitsOf(low, high);
  for (let bit = 0; bit < BITS; bit++, bits <<= 9) {
    const word = line + ((<usize>(bits >> 61)) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << ((bits >> 55) & 63)));
  }
}

/** Returns whether a key may be in a filter. */
export function mayHave(low: u64, high: u64, filter: usize, lines: u64): bool {
  const line = lineOf(low, filter, lines);
  let bits = bitsOf(low, high);
  for (let bit = 0; bit < BITS; bit++, bits <<= 9) {
    const word = load<u64>(line + ((<usize>(bits >> 61)) << 3));
    if (((word >> ((bits >> 55) & 63)) & 1) === 0) return false;
  }
  return true;
}

function lineOf(low: u64, filter: usize, lines: u64): usize {
  return filter + ((<usize>(((low & 0xffffffff) * lines) >> 32)) << 6);
}

/** Returns 54 bits from those that do not choose the line, at the top. */
function bitsOf(low: u64, high: u64): u64 {
  return ((low >> 32) | (high << 32)) * MIX;
}
