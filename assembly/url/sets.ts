/*
 * Sets of ASCII bytes, which are looked up 16 bytes at a time. Memory, filled once when the module starts:
 * ROWS, static data of 16 bytes each, HIGH and then one row for each set; and SPLATS.
 *
 * A byte has two entries: that of its high nibble in HIGH, and that of its low nibble in the row of the set.
 * It is in the set if they share a bit. HIGH has one bit for each of eight columns of the ASCII table. The
 * row says in which columns the low nibble is in the set.
 */
import { CLASSES, hasClass, PATH, SPECIAL_QUERY, UNRESERVED } from "./chars";

const ROWS: usize = memory.data(16 * 17, 16);
const HIGH: usize = ROWS;
/** 16 bytes for each ASCII byte: that byte in all of them. */
const SPLATS: usize = memory.data(16 * 128, 16);

/** A host in normal form: lower-case letters, digits, `-`, `.`, `_`. */
export const HOST: usize = ROWS + 16 * 9;
/** A host in any case: letters, digits, `-`, `.`, `_`. */
export const DOMAIN: usize = ROWS + 16 * 10;
/** Path and query of a special scheme, with their `?`. */
export const REST: usize = ROWS + 16 * 11;
/** REST without `?`, `;` and `(`, which options may act on. */
export const PLAIN: usize = ROWS + 16 * 12;
/** REST without `&` and `;`. */
export const PARAM: usize = ROWS + 16 * 13;
/** PLAIN without `&`. */
export const PIECE: usize = ROWS + 16 * 14;
/** All but `?`, `#`, `;` and `(`, which options look for in a path. For URLs known to be in normal form. */
export const WRITTEN_PLAIN: usize = ROWS + 16 * 15;
/** All but `#`, `&` and `;`, which options look for in a query. For URLs known to be in normal form. */
export const WRITTEN_PARAM: usize = ROWS + 16 * 16;

/** Returns the set of the bytes of one class of chars.ts. */
export function setOf(bit: u8): usize {
  return ROWS + ((1 + <usize>ctz<u32>(bit)) << 4);
}

function add(row: usize, byte: u32): void {
  const low = row + <usize>(byte & 15);
  store<u8>(low, load<u8>(low) | columnOf(byte));
}

function columnOf(byte: u32): u8 {
  return (<u8>1) << (<u8>(byte >> 4));
}

for (let byte: u32 = 0; byte < 128; byte++) {
  const classes = load<u8>(CLASSES + <usize>byte);
  memory.fill(SPLATS + ((<usize>byte) << 4), <u8>byte, 16);
  store<u8>(HIGH + <usize>(byte >> 4), columnOf(byte));
  for (let bit: u8 = 1; bit !== 0; bit <<= 1) if ((classes & bit) !== 0) add(setOf(bit), byte);
  const isUpper = byte - 0x41 < 26;
  if (hasClass(<u8>byte, UNRESERVED) && byte !== 0x7e) {
    add(DOMAIN, byte);
    if (!isUpper) add(HOST, byte);
  }
  const isAsked = byte === 0x23 || byte === 0x3b;
  if (!isAsked && byte !== 0x3f && byte !== 0x28) add(WRITTEN_PLAIN, byte);
  if (!isAsked && byte !== 0x26) add(WRITTEN_PARAM, byte);
  const isBoth = (classes & (PATH | SPECIAL_QUERY)) === (PATH | SPECIAL_QUERY);
  if (isBoth || byte === 0x3f) {
    add(REST, byte);
    if (byte !== 0x3f && byte !== 0x3b && byte !== 0x28) {
      add(PLAIN, byte);
      if (byte !== 0x26) add(PIECE, byte);
    }
    if (byte !== 0x26 && byte !== 0x3b) add(PARAM, byte);
  }
}

export function highRow(): v128 {
  return v128.load(HIGH);
}

/** Returns `byte` in all lanes, read from memory: V8 would build a constant again in each turn of a loop. */
export function splat(byte: u8): v128 {
  return v128.load(SPLATS + ((<usize>byte) << 4));
}

/**
 * Returns lanes of 0xff where a byte is outside the set with the low nibbles `row`; `nibble` is splat(15). A
 * shift of 16-bit lanes and a mask do what a shift of bytes would. kernel-scalar.wasm has outsideBytes of lanes.ts
 * in its place.
 */
export function outside(block: v128, row: v128, high: v128, nibble: v128): v128 {
  const low = i8x16.swizzle(row, v128.and(block, nibble));
  const column = i8x16.swizzle(high, v128.and(i16x8.shr_u(block, 4), nibble));
  return i8x16.eq(v128.and(low, column), i8x16.splat(0));
}
