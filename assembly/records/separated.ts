/*
 * Rows of fields with a separator between: TSV, TabSeparated, CDX, crawl logs, lines of one URL. A row is UNCLEAR if
 * its fields are not as many as they must be, if its URL is empty or begins with a space or control character (it may
 * be blank), or if it can be a header of CDX.
 */

import { APOSTROPHE, BACKSLASH, contentEnd, isEscaped, LF, SPACE } from "./bytes";
import { endInput, inputStart } from "./memory";
import { addRow, areFull, beginRows, endRows, UNCLEAR, URL } from "./rows";

let separator: u8 = 0;
/** The number of the field with the URL, from 0 on. */
let wanted: i32 = 0;
/** A bit for each number of fields that a row may have; 0 for any. */
let widths: u32 = 0;
/** Says whether a backslash begins an escape. */
let hasEscapes: bool = false;
/** Says whether separators that follow each other are one. */
let joinsSeparators: bool = false;
/** Says whether a row with CDX at its beginning can be a header. */
let hasLetters: bool = false;

/** Sets how rows are written. `flags`: 1 escapes, 2 runs of separators, 4 headers of CDX. */
export function setFields(byte: i32, field: i32, allowed: u32, flags: i32): void {
  separator = <u8>byte;
  wanted = field;
  widths = allowed;
  hasEscapes = (flags & 1) !== 0;
  joinsSeparators = (flags & 2) !== 0;
  hasLetters = (flags & 4) !== 0;
}

/** Scans the rows in the first `length` bytes of the input, from `begin` on. Returns the number of rows. */
export function scanFields(begin: i32, length: i32): i32 {
  const end = inputStart + <usize>length;
  const lf = i8x16.splat(LF);
  const between = i8x16.splat(separator);
  let start = inputStart + <usize>begin;
  let block = start;
  let field = start;
  let fields = 0;
  let from: usize = 0;
  let to: usize = 0;
  endInput(end);
  beginRows();
  while (start < end) {
    const bytes = v128.load(block);
    let lanes: u32 = i8x16.bitmask(v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, between)));
    for (; lanes !== 0; lanes &= lanes - 1) {
      const p = block + <usize>ctz(lanes);
      const isLast = load<u8>(p) === LF;
      if (hasEscapes && p < end && isEscaped(start, p)) continue;
      if (!isLast) {
        if (joinsSeparators && p === field) {
          field = p + 1;
          continue;
        }
        if (fields === wanted) {
          from = field;
          to = p;
        }
        fields++;
        field = p + 1;
        continue;
      }
      const close = contentEnd(start, p);
      if (!joinsSeparators || close > field) {
        if (fields === wanted) {
          from = field;
          to = close;
        }
        fields++;
      }
      const isCut = hasEscapes && isEscaped(start, close);
      const isWhole = p < end && !isCut && isAllowed(fields);
      const isClear = isWhole && isPlain(from, to) && !isHeader(start);
      addRow(start, isClear ? URL : UNCLEAR, from, to);
      start = min<usize>(p + 1, end);
      if (start === end || areFull()) return endRows(start);
      field = start;
      fields = 0;
      from = 0;
      to = 0;
    }
    block += 16;
  }
  return endRows(start);
}

function isAllowed(fields: i32): bool {
  return fields > wanted && (widths === 0 || (fields < 32 && ((widths >> fields) & 1) !== 0));
}

/** Returns whether the bytes of a field are its text, and the row is not blank. */
function isPlain(from: usize, to: usize): bool {
  if (to <= from || load<u8>(from) <= SPACE) return false;
  if (!hasEscapes) return true;
  for (let p = from; p < to; p++) {
    const byte = load<u8>(p);
    if (byte === BACKSLASH || byte === APOSTROPHE) return false;
  }
  return true;
}

/** Returns whether a row begins as a header of CDX does: CDX, or a byte and CDX. */
function isHeader(start: usize): bool {
  if (!hasLetters) return false;
  const word = load<u32>(start);
  return (word & 0xffffff) === 0x584443 || word >>> 8 === 0x584443;
}
