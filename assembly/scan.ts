/*
 * The fast path: is a row in normal form already? Nine of ten real URLs are, and their bytes move in
 * bulk. It answers `true` only when row.ts would write the same bytes (test/kernel/scan.test.ts ties
 * the two together); in doubt it answers `false` and the exact path decides.
 *
 * Memory: reads 16 bytes at a time from the row, so up to 15 bytes behind it; SETS, static.
 *
 *   lanes     0   1   2   3   4   5   6   7   8   9   a   b   c   d   e   f
 *   block     m   /   a   /   .   .   /   %   7   e   ?   q   =   1   #   x
 *   outside   .   .   .   .   .   .   .   X   .   .   .   .   .   .   X   .    not in SETS: looked at one by one
 *   slashes   .   X   .   X   .   .   X   .   .   .   .   .   .   .   .   .
 *   dots      .   .   .   .   X   X   .   .   .   .   .   .   .   .   .   .    a dot behind a slash: not normal
 *
 * A byte is in a set when the entry of its low nibble and the entry of its high nibble share a bit:
 * the high nibble picks one of eight bits, the low nibble lists those its column contains.
 */
import {
  CLASSES,
  DOT,
  HASH,
  hasClass,
  hexValue,
  PATH,
  PERCENT,
  SLASH,
  SPECIAL_QUERY,
  UNRESERVED,
} from "./chars";
import { isLocalhost } from "./host";

/** Three 16-byte rows: high nibble bits, low nibbles of HOST, low nibbles of REST. */
const SETS: usize = memory.data(48, 16);
const HOST: usize = 16;
const REST: usize = 32;

for (let byte: usize = 0; byte < 128; byte++) {
  const bit: u8 = 1 << (<u8>(byte >> 4));
  store<u8>(SETS + (byte >> 4), bit);
  const low = SETS + (byte & 15);
  const classes = load<u8>(CLASSES + byte);
  const upper = byte - 0x41 < 26;
  if (((classes & UNRESERVED) !== 0 && !upper && byte !== 0x7e) || byte === 0x5f) {
    store<u8>(low, load<u8>(low, HOST) | bit, HOST);
  }
  const rest = byte === 0x3f || (classes & (PATH | SPECIAL_QUERY)) === (PATH | SPECIAL_QUERY);
  if (rest) store<u8>(low, load<u8>(low, REST) | bit, REST);
}

/** One bit per lane whose byte is outside the set. */
function outside(block: v128, lowNibbles: v128, highNibbles: v128): u32 {
  const low = i8x16.swizzle(lowNibbles, v128.and(block, i8x16.splat(15)));
  const high = i8x16.swizzle(highNibbles, i8x16.shr_u(block, 4));
  return i8x16.bitmask(i8x16.eq(v128.and(low, high), i8x16.splat(0)));
}

function lanesOf(block: v128, byte: u8): u32 {
  return i8x16.bitmask(i8x16.eq(block, i8x16.splat(byte)));
}

/** Whether the row `[p, end)` is what normalizing it would write, as far as the fast path can tell. */
export function isNormal(p: usize, end: usize): bool {
  if (end - p < 8) return false;
  const head = load<u64>(p);
  if (head === 0x2f2f3a7370747468) {
    p += 8;
  } else if ((head & 0x00ffffffffffffff) === 0x002f2f3a70747468) {
    p += 7;
  } else if ((head & 0x00ffffffffffffff) === 0x002f2f3a656c6966) {
    const hostEnd = load<u8>(p, 7) === SLASH ? p + 7 : normalHostEnd(p + 7, end);
    if (isLocalhost(p + 7, hostEnd)) return false;
    return hostEnd !== 0 && isNormalRest(hostEnd, end);
  } else {
    return false;
  }
  const hostEnd = normalHostEnd(p, end);
  return hostEnd !== 0 && isNormalRest(hostEnd, end);
}

/**
 * The `/` behind a host of lower-case letters, digits, `-`, `.`, `_` whose last label begins with a
 * letter; 0 for any other host.
 */
function normalHostEnd(p: usize, end: usize): usize {
  const lowNibbles = v128.load(SETS, HOST);
  const highNibbles = v128.load(SETS);
  let label = p;
  for (;;) {
    if (p >= end) return 0;
    const block = v128.load(p);
    const stops = outside(block, lowNibbles, highNibbles);
    const stop = ctz(stops | 0x10000);
    const inside: u32 = (1 << stop) - 1;
    const dots = lanesOf(block, DOT) & inside;
    if (dots !== 0) label = p + 32 - <usize>clz(dots);
    p += <usize>stop;
    if (stop < 16) break;
  }
  if (p >= end || load<u8>(p) !== SLASH || load<u8>(label) < 0x61) return 0;
  return p;
}

/** Path, query and fragment: nothing to encode or decode, no dot segment, at most one `#`. */
function isNormalRest(p: usize, end: usize): bool {
  const lowNibbles = v128.load(SETS, REST);
  const highNibbles = v128.load(SETS);
  let slashBefore: u32 = 0;
  let fragment = false;
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const left = end - p;
    const inside: u32 = left < 16 ? (1 << (<u32>left)) - 1 : 0xffff;
    const slashes = lanesOf(block, SLASH);
    if ((((slashes << 1) | slashBefore) & lanesOf(block, DOT) & inside) !== 0) return false;
    slashBefore = slashes >> 15;
    for (
      let stops = outside(block, lowNibbles, highNibbles) & inside;
      stops !== 0;
      stops &= stops - 1
    ) {
      const at = p + <usize>ctz(stops);
      const byte = load<u8>(at);
      if (byte === PERCENT) {
        if (!isNormalTriplet(at, end)) return false;
      } else if (byte === HASH && !fragment) {
        fragment = true;
      } else {
        return false;
      }
    }
  }
  return true;
}

/** `%` and two digits in upper case whose value must stay encoded. */
function isNormalTriplet(p: usize, end: usize): bool {
  if (end - p < 3) return false;
  const high = load<u8>(p, 1);
  const low = load<u8>(p, 2);
  if (high > 0x60 || low > 0x60) return false;
  const value = (hexValue(high) << 4) | hexValue(low);
  return value >= 0 && !hasClass(<u8>value, UNRESERVED);
}
