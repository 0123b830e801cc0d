/*
 * Notes why a path, a query or a fragment changed, byte by byte, while component.ts writes it.
 * Memory: reads the component between the pointers it is given.
 */

import { BY_PERCENT_ENCODING, BY_TRIPLET_CASE, BY_UNRESERVED_TRIPLETS } from "../catalog.generated";
import { note, UNTOLD } from "../reasons";
import { hasClass, hexValue, PERCENT, tripletValue, UNRESERVED, USERINFO } from "./chars";

/**
 * Notes the reasons for the triplet at `p`. If `value` is negative, `p` is at a byte outside `allowed`
 * instead. A userinfo is noted as a whole (authority.ts).
 */
export function noteWritten(p: usize, end: usize, value: i32, allowed: u8): void {
  if (allowed === USERINFO) return;
  if (value < 0) {
    note(BY_PERCENT_ENCODING);
    if (load<u8>(p) === PERCENT && becomesTriplet(p, end)) note(UNTOLD);
    return;
  }
  if (hasLowerDigit(load<u8>(p, 1)) || hasLowerDigit(load<u8>(p, 2))) note(BY_TRIPLET_CASE);
  if (hasClass(<u8>value, UNRESERVED)) note(BY_UNRESERVED_TRIPLETS);
}

/** Returns whether a hex digit is lower-case. */
function hasLowerDigit(byte: u8): bool {
  return byte >= 0x61;
}

/**
 * Returns whether decoding makes a triplet from the stray `%` at `p` and the text after it, as in `%%341`.
 * `explain` first reads it as a triplet and then corrects itself.
 */
function becomesTriplet(p: usize, end: usize): bool {
  const first = digitLength(p + 1, end);
  return first !== 0 && digitLength(p + 1 + first, end) !== 0;
}

/** Returns the length of the hex digit at `p`, which may be a triplet; 0 if another byte is there. */
function digitLength(p: usize, end: usize): usize {
  if (p >= end) return 0;
  if (hexValue(load<u8>(p)) >= 0) return 1;
  const value = tripletValue(p, end);
  return value >= 0 && hexValue(<u8>value) >= 0 ? 3 : 0;
}
