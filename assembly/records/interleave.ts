/*
 * Adds a key to each row. Memory: reads the input, starts, affixes and keys; writes interleaved and interleavedStarts. Rows
 * whose URL the host has read are written by the host, because their bytes in the input are not the row's any more.
 */

import { APOSTROPHE, BACKSLASH, CR, contentEnd, DELETE, LF, QUOTE, SPACE, TAB } from "./bytes";
import { separator } from "./csv";
import {
  affixes,
  inputStart,
  interleavedStart,
  interleavedStarts,
  keyOffsets,
  keysStart,
  MAX_AFFIX,
  starts,
} from "./memory";

/** The places where a key is added: before the row, before its line end, before its last brace. */
const START: i32 = 0;
const BRACE: i32 = 2;

/** How a key is written: as it is, as a field of CSV, as a string of JSON, as a field of TabSeparated. */
const CSV: i32 = 1;
const STRING: i32 = 2;
const ESCAPED: i32 = 3;

let place: i32 = 0;
let quoting: i32 = 0;
let before: usize = 0;
let after: usize = 0;

/** Sets where keys are added and how. `before` and `after`: the bytes of the two affixes, at `affixes` and MAX_AFFIX later. */
export function setAddition(where: i32, how: i32, beforeBytes: i32, afterBytes: i32): void {
  place = where;
  quoting = how;
  before = <usize>beforeBytes;
  after = <usize>afterBytes;
}

/** Writes the rows from `first` to `last` with their keys. Returns its bytes. */
export function interleave(first: i32, last: i32): i32 {
  let out = interleavedStart;
  for (let row = first; row < last; row++) {
    const at = (<usize>row) << 2;
    const from = inputStart + <usize>load<i32>(starts + at);
    const to = inputStart + <usize>load<i32>(starts + at, 4);
    const cut = placeIn(from, to);
    store<i32>(interleavedStarts + ((<usize>(row - first)) << 2), <i32>(out - interleavedStart));
    out = copy(from, cut, out);
    out = copy(affixes, affixes + before, out);
    out = writeKey(row, out);
    out = copy(affixes + MAX_AFFIX, affixes + MAX_AFFIX + after, out);
    out = copy(cut, to, out);
  }
  store<i32>(interleavedStarts + ((<usize>(last - first)) << 2), <i32>(out - interleavedStart));
  return <i32>(out - interleavedStart);
}

/** Returns the first row from `first` on whose bytes or key `escapeLine` may change, or `rows`. */
export function nextEscaped(first: i32, rows: i32): i32 {
  for (let row = first; row < rows; row++) {
    const at = (<usize>row) << 2;
    const from = inputStart + <usize>load<i32>(starts + at);
    const to = inputStart + <usize>load<i32>(starts + at, 4);
    const key = keysStart + <usize>load<i32>(keyOffsets + at);
    const keyEnd = keysStart + <usize>load<i32>(keyOffsets + at, 4);
    if (hasHidden(from, to) || hasHidden(key, keyEnd)) return row;
  }
  return rows;
}

/** Returns whether a byte is a backslash, or is not printable ASCII, TAB or LF. */
function hasHidden(from: usize, to: usize): bool {
  for (let p = from; p < to; p += 16) {
    const bytes = v128.load(p);
    const isSpace = v128.or(i8x16.eq(bytes, i8x16.splat(TAB)), i8x16.eq(bytes, i8x16.splat(LF)));
    // Bytes from 0x80 on are negative.
    const isControl = v128.andnot(i8x16.lt_s(bytes, i8x16.splat(SPACE)), isSpace);
    const isOther = v128.or(
      i8x16.eq(bytes, i8x16.splat(BACKSLASH)),
      i8x16.eq(bytes, i8x16.splat(DELETE)),
    );
    const lanes: u32 = i8x16.bitmask(v128.or(isControl, isOther));
    if (lanes !== 0 && p + <usize>ctz(lanes) < to) return true;
  }
  return false;
}

/** Returns where the key of a row is added. */
function placeIn(from: usize, to: usize): usize {
  if (place === START) return from;
  const end = load<u8>(to - 1) === LF ? contentEnd(from, to - 1) : to;
  if (place !== BRACE) return end;
  let p = end - 1;
  while (p > from && load<u8>(p) !== 0x7d) p--;
  return p;
}

function writeKey(row: i32, out: usize): usize {
  const at = (<usize>row) << 2;
  const from = keysStart + <usize>load<i32>(keyOffsets + at);
  const to = keysStart + <usize>load<i32>(keyOffsets + at, 4);
  // A string of JSON always has quotes, a field of CSV only if it needs them.
  const isSimple = quoting === 0 || !hasSpecial(from, to);
  const hasQuotes = quoting === STRING || (quoting === CSV && !isSimple);
  if (hasQuotes) store<u8>(out++, QUOTE);
  out = isSimple ? copy(from, to, out) : writeSpecial(from, to, out);
  if (hasQuotes) store<u8>(out++, QUOTE);
  return out;
}

/** Writes a key with bytes that are doubled, or have a backslash before them. */
function writeSpecial(from: usize, to: usize, out: usize): usize {
  for (let p = from; p < to; p++) {
    const byte = load<u8>(p);
    if (quoting === CSV ? byte === QUOTE : isSpecial(byte)) {
      store<u8>(out++, quoting === CSV ? QUOTE : BACKSLASH);
    }
    store<u8>(out++, byte);
  }
  return out;
}

function hasSpecial(from: usize, to: usize): bool {
  for (let p = from; p < to; p++) if (isSpecial(load<u8>(p))) return true;
  return false;
}

function isSpecial(byte: u8): bool {
  if (quoting === STRING) return byte === QUOTE || byte === BACKSLASH;
  if (quoting === ESCAPED) return byte === APOSTROPHE || byte === BACKSLASH;
  return byte === separator || byte === QUOTE || byte === CR || byte === LF;
}

function copy(from: usize, to: usize, out: usize): usize {
  const length = to - from;
  for (let at: usize = 0; at < length; at += 16) v128.store(out + at, v128.load(from + at));
  return out + length;
}
