/*
 * Sets of ASCII bytes, 16 bytes looked up at a time. Memory: ROWS, static data, 16 bytes each, filled
 * once when the module starts: HIGH, then one row a set.
 *
 * A byte is in a set when the entry of its high nibble in HIGH and the entry of its low nibble in the
 * set's row share a bit: HIGH has one bit for each of eight columns of the ASCII table, and the row
 * says in which columns the low nibble is in the set.
 */
import { CLASSES, hasClass, PATH, SPECIAL_QUERY, UNRESERVED } from "./chars";

const ROWS: usize = memory.data(16 * 14, 16);
const HIGH: usize = ROWS;

/** A host in normal form: lower-case letters, digits, `-`, `.`, `_`. */
export const HOST: usize = ROWS + 16 * 9;
/** The same in any case. */
export const DOMAIN: usize = ROWS + 16 * 10;
/** Path and query of a special scheme, with their `?`. */
export const REST: usize = ROWS + 16 * 11;
/** REST without `?` and `;`, where rules may have work. */
export const PLAIN: usize = ROWS + 16 * 12;
/** REST without `&` and `=`. */
export const PARAM: usize = ROWS + 16 * 13;

/** The set of the bytes of one class of chars.ts. */
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
  store<u8>(HIGH + <usize>(byte >> 4), columnOf(byte));
  for (let bit: u8 = 1; bit !== 0; bit <<= 1) if ((classes & bit) !== 0) add(setOf(bit), byte);
  const isUpper = byte - 0x41 < 26;
  if (hasClass(<u8>byte, UNRESERVED) && byte !== 0x7e) {
    add(DOMAIN, byte);
    if (!isUpper) add(HOST, byte);
  }
  const isBoth = (classes & (PATH | SPECIAL_QUERY)) === (PATH | SPECIAL_QUERY);
  if (isBoth || byte === 0x3f) {
    add(REST, byte);
    if (byte !== 0x3f && byte !== 0x3b) add(PLAIN, byte);
    if (byte !== 0x26 && byte !== 0x3d) add(PARAM, byte);
  }
}

export function highRow(): v128 {
  return v128.load(HIGH);
}

/** Lanes of 0xff where a byte is outside the set with the low nibbles `row`. */
export function outside(block: v128, row: v128, high: v128): v128 {
  const low = i8x16.swizzle(row, v128.and(block, i8x16.splat(15)));
  const column = i8x16.swizzle(high, i8x16.shr_u(block, 4));
  return i8x16.eq(v128.and(low, column), i8x16.splat(0));
}
