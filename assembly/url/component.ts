// Memory: reads 16 bytes at a time from the row between the pointers it is given, up to 15 after it. Writes
// at `out`, and may write up to 15 bytes after the end that it returns.

import { asksReasons } from "../reasons";
import { hasClass, PERCENT, storeTriplet, toLower, tripletValue, UNRESERVED } from "./chars";
import { noteWritten } from "./encoding-reasons";
import { highRow, outside, setOf, splat } from "./sets";

/**
 * From this many bytes on, memory.copy, which is a call out of the module, is faster than 16 bytes at a time.
 */
const LONG: usize = 256;

/**
 * Writes one component by the tables of docs/spec.md 3: triplets of unreserved bytes decoded, other
 * triplets in upper case, a stray `%` as `%25`, bytes outside `allowed` as triplets.
 * Returns the end of what it wrote, at most 3 x the input.
 */
export function writeComponent(p: usize, end: usize, out: usize, allowed: u8): usize {
  const row = v128.load(setOf(allowed));
  const high = highRow();
  const nibble = splat(15);
  while (p < end) {
    const block = v128.load(p);
    v128.store(out, block);
    const stop = <usize>ctz<u32>(i8x16.bitmask(outside(block, row, high, nibble)) | 0x10000);
    if (stop >= end - p) return out + (end - p);
    out += stop;
    p += stop;
    if (stop === 16) continue;
    do {
      const value = tripletValue(p, end);
      if (asksReasons) noteWritten(p, end, value, allowed);
      if (value < 0) {
        out = storeTriplet(out, load<u8>(p));
        p++;
      } else {
        out = writeTriplet(<u8>value, out);
        p += 3;
      }
    } while (p < end && !hasClass(load<u8>(p), allowed));
  }
  return out;
}

/**
 * Writes the value of a triplet: itself if unreserved (RFC 3986 6.2.2.2), else a triplet in upper case
 * (6.2.2.1).
 */
export function writeTriplet(value: u8, out: usize): usize {
  if (!hasClass(value, UNRESERVED)) return storeTriplet(out, value);
  store<u8>(out, value);
  return out + 1;
}

/** Copies bytes as they are. Source and target must not overlap. */
export function writeBytes(p: usize, end: usize, out: usize): usize {
  const length = end - p;
  if (length > LONG) memory.copy(out, p, length);
  else for (let at: usize = 0; at < length; at += 16) v128.store(out + at, v128.load(p + at));
  return out + length;
}

/**
 * Does the same with one branch for bytes that are mostly fewer than 64; may write up to 64 bytes. It has one caller, in
 * which the optimizer writes it out. With a second one, sorting 20 parameters takes 20 % longer.
 */
export function writeShort(p: usize, end: usize, out: usize): usize {
  v128.store(out, v128.load(p));
  v128.store(out, v128.load(p, 16), 16);
  v128.store(out, v128.load(p, 32), 32);
  v128.store(out, v128.load(p, 48), 48);
  return end - p > 64 ? writeBytes(p + 64, end, out + 64) : out + (end - p);
}

/** Returns whether `length` bytes at two addresses are the same. */
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at += 16) {
    const lanes: u32 = i8x16.bitmask(i8x16.ne(v128.load(a + at), v128.load(b + at)));
    if (lanes !== 0 && at + <usize>ctz(lanes) < length) return false;
  }
  return true;
}

/** Copies bytes with ASCII letters in lower case. Source and target must not overlap. */
export function writeLower(p: usize, end: usize, out: usize): usize {
  const length = end - p;
  for (let at: usize = 0; at < length; at += 16) {
    v128.store(out + at, lowered(v128.load(p + at)));
  }
  return out + length;
}

/**
 * Writes ASCII letters of a text in normal form in lower case, but not the digits of triplets. Returns
 * whether it changed any.
 */
export function lowerInPlace(p: usize, end: usize): bool {
  let found: u8 = 0;
  while (p < end) {
    const byte = load<u8>(p);
    if (byte === PERCENT) {
      p += 3;
      continue;
    }
    const lower = toLower(byte);
    found |= byte ^ lower;
    store<u8>(p++, lower);
  }
  return found !== 0;
}

/** Returns 16 bytes with ASCII letters in lower case. kernel-scalar.wasm has lowerBytes of lanes.ts in its place. */
export function lowered(block: v128): v128 {
  const isUpper = i8x16.lt_u(i8x16.sub(block, i8x16.splat(0x41)), i8x16.splat(26));
  return v128.or(block, v128.and(isUpper, i8x16.splat(0x20)));
}

/** Returns the first `byte` between the pointers, or `end`. */
export function find(p: usize, end: usize, byte: u8): usize {
  const wanted = splat(byte);
  for (; p < end; p += 16) {
    const lanes: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), wanted));
    if (lanes !== 0) return min(p + <usize>ctz(lanes), end);
  }
  return end;
}

/** Returns the first byte between the pointers that is outside a set of sets.ts, or `end`. */
export function findOutside(p: usize, end: usize, set: usize): usize {
  const row = v128.load(set);
  const high = highRow();
  const nibble = splat(15);
  for (; p < end; p += 16) {
    const lanes: u32 = i8x16.bitmask(outside(v128.load(p), row, high, nibble));
    if (lanes !== 0) return min(p + <usize>ctz(lanes), end);
  }
  return end;
}

/** Returns the first of two bytes between the pointers, or `end`. */
export function findEither(p: usize, end: usize, one: u8, other: u8): usize {
  const first = splat(one);
  const second = splat(other);
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const found = v128.or(i8x16.eq(block, first), i8x16.eq(block, second));
    const lanes: u32 = i8x16.bitmask(found);
    if (lanes !== 0) return min(p + <usize>ctz(lanes), end);
  }
  return end;
}
