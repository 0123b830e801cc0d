/*
 * What kernel-scalar.wasm does in the place of SIMD. tools/lower-simd.mjs writes each vector of 16 bytes as two words of
 * 64 bits, and each operation on it as calls of the function of that name. Other files never import this one. Memory:
 * reads and writes none.
 *
 *   vector   15 14 13 12 11 10  9  8 | 7  6  5  4  3  2  1  0    bytes
 *   words              high          |          low
 *
 * Most functions do one half. A lane of all ones is true, and one of all zeros is false.
 */

/** The highest bit of each byte. */
const HIGH: u64 = 0x8080808080808080;
const ONES: u64 = 0x0101010101010101;

export function eqBytes(a: u64, b: u64): u64 {
  return filled(~nonZero(a ^ b) & HIGH);
}

export function neBytes(a: u64, b: u64): u64 {
  return filled(nonZero(a ^ b) & HIGH);
}

export function ltUnsignedBytes(a: u64, b: u64): u64 {
  return filled(less(a, b));
}

export function gtUnsignedBytes(a: u64, b: u64): u64 {
  return filled(less(b, a));
}

export function subBytes(a: u64, b: u64): u64 {
  return ((a | HIGH) - (b & ~HIGH)) ^ ((a ^ ~b) & HIGH);
}

export function splatBytes(byte: i32): u64 {
  return <u64>(byte & 0xff) * ONES;
}

/** Returns the highest bit of each of 16 bytes. */
export function bitmaskBytes(low: u64, high: u64): i32 {
  return <i32>(gathered(low) | (gathered(high) << 8));
}

/** Returns those bytes of a vector whose numbers are in `places`; 0 for a number above 15. */
export function swizzleBytes(low: u64, high: u64, places: u64): u64 {
  let bytes: u64 = 0;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    const place = (places >> shift) & 0xff;
    const word = place < 8 ? low : place < 16 ? high : 0;
    bytes |= ((word >> ((place & 7) << 3)) & 0xff) << shift;
  }
  return bytes;
}

/**
 * Does what `outside` of url/sets.ts does for 8 bytes, in the place of its body. A byte is in the set if the bit of its high nibble is set
 * in the entry of its low nibble. So 3 bits of each nibble say where that bit is in a half of the row, and the fourth of the low
 * nibble says in which half. Rotating a half moves the bit to where the byte begins.
 */
export function outsideBytes(bytes: u64, low: u64, high: u64): u64 {
  const places = ((bytes & (7 * ONES)) << 3) | ((bytes >> 4) & (7 * ONES));
  // 64 more in each byte, so that no difference borrows from the next one.
  const turns = (0x3830282018100800 | (64 * ONES)) - places;
  let inLow: u64 = rotl(low, turns) & 0x01;
  let inHigh: u64 = rotl(high, turns) & 0x01;
  inLow |= rotl(low, turns >> 8) & 0x0100;
  inHigh |= rotl(high, turns >> 8) & 0x0100;
  inLow |= rotl(low, turns >> 16) & 0x010000;
  inHigh |= rotl(high, turns >> 16) & 0x010000;
  inLow |= rotl(low, turns >> 24) & 0x01000000;
  inHigh |= rotl(high, turns >> 24) & 0x01000000;
  inLow |= rotl(low, turns >> 32) & 0x0100000000;
  inHigh |= rotl(high, turns >> 32) & 0x0100000000;
  inLow |= rotl(low, turns >> 40) & 0x010000000000;
  inHigh |= rotl(high, turns >> 40) & 0x010000000000;
  inLow |= rotl(low, turns >> 48) & 0x01000000000000;
  inHigh |= rotl(high, turns >> 48) & 0x01000000000000;
  inLow |= rotl(low, turns >> 56) & 0x0100000000000000;
  inHigh |= rotl(high, turns >> 56) & 0x0100000000000000;
  const isIn = inLow ^ ((inLow ^ inHigh) & (bytes >> 3));
  // No byte above 127 is in a set.
  return (((isIn & ~(bytes >> 7)) ^ ONES) & ONES) * 0xff;
}

/** Does what `lowered` of url/component.ts does for 8 bytes, in the place of its body. */
export function lowerBytes(bytes: u64): u64 {
  const low = bytes & ~HIGH;
  // The highest bit of each byte: whether the others are at least A, and whether they are above Z.
  const isUpper = ((low + 0x3f * ONES) ^ (low + 0x25 * ONES)) & ~bytes & HIGH;
  return bytes | (isUpper >> 2);
}

export function addInts(a: u64, b: u64): u64 {
  return pair(<u32>a + <u32>b, <u32>(a >> 32) + <u32>(b >> 32));
}

export function subInts(a: u64, b: u64): u64 {
  return pair(<u32>a - <u32>b, <u32>(a >> 32) - <u32>(b >> 32));
}

export function gtSignedInts(a: u64, b: u64): u64 {
  return pair(mask(<i32>a > <i32>b), mask(<i32>(a >> 32) > <i32>(b >> 32)));
}

export function leUnsignedInts(a: u64, b: u64): u64 {
  return pair(mask(<u32>a <= <u32>b), mask(<u32>(a >> 32) <= <u32>(b >> 32)));
}

export function splatInts(value: i32): u64 {
  return pair(<u32>value, <u32>value);
}

export function eqLongs(a: u64, b: u64): u64 {
  return a === b ? u64.MAX_VALUE : 0;
}

export function addLongs(a: u64, b: u64): u64 {
  return a + b;
}

export function splatLongs(value: u64): u64 {
  return value;
}

export function bitmaskLongs(low: u64, high: u64): i32 {
  return <i32>((low >> 63) | ((high >> 63) << 1));
}

export function and(a: u64, b: u64): u64 {
  return a & b;
}

export function or(a: u64, b: u64): u64 {
  return a | b;
}

export function xor(a: u64, b: u64): u64 {
  return a ^ b;
}

export function andNot(a: u64, b: u64): u64 {
  return a & ~b;
}

export function anyTrue(low: u64, high: u64): i32 {
  return <i32>((low | high) !== 0);
}

/** Returns the highest bit of each byte that is not 0; the other bits mean nothing. */
function nonZero(bytes: u64): u64 {
  return ((bytes & ~HIGH) + ~HIGH) | bytes;
}

/** Returns the highest bit of each byte of `a` that is below that of `b`. */
function less(a: u64, b: u64): u64 {
  const difference = (a | HIGH) - (b & ~HIGH);
  return ((~a & b) | (~(a ^ b) & ~difference)) & HIGH;
}

/** Returns bytes of all ones where the highest bit is set, of bytes without other bits. */
function filled(highest: u64): u64 {
  return (highest << 1) - (highest >> 7);
}

/** Returns the highest bits of 8 bytes as 8 bits: a product moves each to its place, and no two meet. */
function gathered(bytes: u64): u64 {
  return (((bytes & HIGH) >> 7) * 0x0102040810204080) >> 56;
}

function pair(low: u32, high: u32): u64 {
  return <u64>low | ((<u64>high) << 32);
}

function mask(is: bool): u32 {
  return is ? u32.MAX_VALUE : 0;
}
