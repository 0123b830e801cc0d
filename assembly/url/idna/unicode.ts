/*
 * Memory: UNICODE, static data. It is the table of src/url/idna/table.ts, byte for byte.
 * `tools/embed-unicode-table.mjs` writes it here.
 */
import { UNICODE } from "./unicode-table.generated";

/** Statuses of UTS #46 without transitional processing. Status 2, ignored, has no constant. */
export const VALID: u32 = 0;
export const MAPPED: u32 = 1;
export const DISALLOWED: u32 = 3;

/** Joining types (RFC 5892 A.1). */
export const JOINS_LEFT: u32 = 1;
export const JOINS_RIGHT: u32 = 2;
export const JOINS_BOTH: u32 = 3;
export const TRANSPARENT: u32 = 4;

/** Bidi classes (RFC 5893), by number; 0 is any other. */
export const L: u32 = 1;
export const R: u32 = 2;
export const AL: u32 = 3;
export const AN: u32 = 4;
export const EN: u32 = 5;
export const NSM: u32 = 11;

/** Flags of one bit each. */
export const MARK: u32 = 1 << 2;
export const COMPOSES: u32 = 1 << 19;
export const RIGHT_TO_LEFT: u32 = 1 << 20;
/** Marks a code point whose validity or NFC depends on the code points beside it. */
export const HAS_CONTEXT: u32 = 1 << 22;
const MAPS_TO_STRING: u32 = 1 << 18;
const DECOMPOSES: u32 = 1 << 21;

const TOP: usize = UNICODE + <usize>load<u32>(UNICODE);
const MIDDLE: usize = UNICODE + <usize>load<u32>(UNICODE, 8);
const LEAVES: usize = UNICODE + <usize>load<u32>(UNICODE, 16);
const RECORDS: usize = UNICODE + <usize>load<u32>(UNICODE, 24);
const STRINGS: usize = UNICODE + <usize>load<u32>(UNICODE, 32);
const PAIRS: usize = UNICODE + <usize>load<u32>(UNICODE, 40);
const ORDER: usize = UNICODE + <usize>load<u32>(UNICODE, 48);
const PAIR_COUNT: i32 = load<i32>(UNICODE, 52) >> 1;

/** Returns the address of a code point's record: its flags, then its mapping 4 bytes further on. */
export function recordOf(code: u32): usize {
  const block = <u32>load<u16>(TOP + <usize>((code >> 10) << 1));
  const leaf = <u32>load<u16>(MIDDLE + <usize>(((block << 6) | ((code >> 4) & 63)) << 1));
  const record = <u32>load<u16>(LEAVES + <usize>(((leaf << 4) | (code & 15)) << 1));
  return RECORDS + <usize>(record << 3);
}

export function flagsOf(code: u32): u32 {
  return load<u32>(recordOf(code));
}

export function statusOf(flags: u32): u32 {
  return flags & 3;
}

export function joiningTypeOf(flags: u32): u32 {
  return (flags >> 3) & 7;
}

export function bidiClassOf(flags: u32): u32 {
  return (flags >> 6) & 15;
}

export function combiningClassOf(flags: u32): u32 {
  return (flags >> 10) & 0xff;
}

/** Writes what a MAPPED code point becomes, 4 bytes a code point; returns the end. */
export function writeMapping(code: u32, record: usize, out: usize): usize {
  const value = load<u32>(record, 4);
  if ((load<u32>(record) & MAPS_TO_STRING) === 0) {
    store<u32>(out, code + value);
    return out + 4;
  }
  let p = STRINGS + <usize>((value >> 8) << 1);
  const end = p + <usize>((value & 0xff) << 1);
  while (p < end) {
    let unit = <u32>load<u16>(p);
    p += 2;
    if (unit >> 10 === 0x36) {
      unit = 0x10000 + ((unit & 0x3ff) << 10) + (<u32>load<u16>(p) & 0x3ff);
      p += 2;
    }
    store<u32>(out, unit);
    out += 4;
  }
  return out;
}

/** Returns the composite of two code points in NFC, or 0. */
export function composeOf(first: u32, second: u32): u32 {
  let low = 0;
  let high = PAIR_COUNT - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const pair = PAIRS + <usize>(12 * middle);
    const a = load<u32>(pair);
    const b = load<u32>(pair, 4);
    if (a === first && b === second) return load<u32>(pair, 8);
    if (a < first || (a === first && b < second)) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/**
 * Returns the address of the two code points that a code point is composed of, or 0 if it is not composed.
 */
export function decompositionOf(code: u32): usize {
  if ((flagsOf(code) & DECOMPOSES) === 0) return 0;
  let low = 0;
  let high = PAIR_COUNT - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(pairAt(middle), 8) < code) low = middle + 1;
    else high = middle;
  }
  return pairAt(low);
}

function pairAt(rank: i32): usize {
  return PAIRS + <usize>(12 * <u32>load<u16>(ORDER + <usize>(rank << 1)));
}
