// Memory: reads 16 bytes at a time from between the pointers it is given, and writes at `out`, both up to 15 bytes more.

import { HASH, PERCENT, storeTriplet, tripletValue } from "../url/chars";
import { find, lowered } from "../url/component";
import { splat } from "../url/sets";

/** The first byte that a key writes as it is, and how many come after it. */
const FIRST: u8 = 0x21;
const OTHERS: u8 = 0x5d;
/** Makes the letters of a triplet lower case: digits and `%` have the bit. */
const LOWER: u32 = 0x202020;

/**
 * Decodes triplets until none is left, also those that decoding makes: `%2541` becomes `A`. No two triplets overlap, so
 * the order does not count, and one pass is enough that looks back after each byte. Writes no more than it reads, and may
 * write over what it has read.
 */
export function unescapeRepeatedly(p: usize, end: usize, out: usize): usize {
  const start = out;
  for (; p < end; p++) {
    store<u8>(out++, load<u8>(p));
    while (out - start >= 3) {
      const value = tripletValue(out - 3, out);
      if (value < 0) break;
      out -= 2;
      store<u8>(out - 1, <u8>value);
    }
  }
  return out;
}

/** Returns whether a text may have triplets. */
export function hasPercent(p: usize, end: usize): bool {
  return find(p, end, PERCENT) !== end;
}

/**
 * Writes a text in lower case, with controls, space, `#`, `%` and bytes above `~` as triplets. Returns the end, at most 3 x
 * the input.
 */
export function writeEscaped(p: usize, end: usize, out: usize): usize {
  const hash = splat(HASH);
  const percent = splat(PERCENT);
  while (p < end) {
    const block = v128.load(p);
    v128.store(out, lowered(block));
    const marks = v128.or(i8x16.eq(block, hash), i8x16.eq(block, percent));
    const others = i8x16.gt_u(i8x16.sub(block, splat(FIRST)), splat(OTHERS));
    const stop = <usize>ctz<u32>(i8x16.bitmask(v128.or(marks, others)) | 0x10000);
    if (stop >= end - p) return out + (end - p);
    out += stop;
    p += stop;
    if (stop === 16) continue;
    out = storeLowerTriplet(out, load<u8>(p++));
  }
  return out;
}

/** Writes the triplet of a byte with digits in lower case, and one more byte that means nothing. */
export function storeLowerTriplet(out: usize, byte: u8): usize {
  storeTriplet(out, byte);
  store<u32>(out, load<u32>(out) | LOWER);
  return out + 3;
}
