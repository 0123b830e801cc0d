/*
 * CSV (RFC 4180). A quote opens a field only as its first byte; elsewhere it is data. A row is UNCLEAR if text
 * comes after a closing quote, if a quote in the URL is doubled, or if it has another number of fields than the header.
 */

import { CR, contentEnd, LF, QUOTE } from "./bytes";
import { endInput, inputStart } from "./memory";
import { addRow, areFull, beginRows, endRows, QUOTED, UNCLEAR, URL } from "./rows";

let separator: u8 = 0;
/** The number of the field with the URL, from 0 on. */
let wanted: i32 = 0;
/** The number of fields of each row, or 0 for any. */
let width: i32 = 0;

/** Sets how rows are written. */
export function setColumns(byte: i32, field: i32, fields: i32): void {
  separator = <u8>byte;
  wanted = field;
  width = fields;
}

/** Scans the rows in the first `length` bytes of the input, from `begin` on. Returns the number of rows. */
export function scanCsv(begin: i32, length: i32): i32 {
  const end = inputStart + <usize>length;
  let start = inputStart + <usize>begin;
  endInput(end);
  beginRows();
  while (start < end && !areFull()) start = addCsvRow(start, end);
  return endRows(start);
}

/** Adds the row at `start`. Returns where the next one begins. */
function addCsvRow(start: usize, end: usize): usize {
  let fields = 0;
  let isClear = true;
  let kind = UNCLEAR;
  let from: usize = start;
  let to: usize = start;
  let p = start;
  while (true) {
    const field = p;
    let isQuoted = load<u8>(p) === QUOTE && p < end;
    let isDoubled = false;
    if (isQuoted) {
      p++;
      while (true) {
        p = nextQuote(p, end);
        if (p >= end) break;
        p++;
        if (load<u8>(p) !== QUOTE) break;
        isDoubled = true;
        p++;
      }
      if (p >= end) {
        // The quote is not closed, or it is the last byte of an input without LF: the host knows.
        addRow(start, UNCLEAR, start, start);
        return end;
      }
      const byte = load<u8>(p);
      const isClosed =
        byte === separator || byte === LF || (byte === CR && load<u8>(p, 1) === LF && p + 1 < end);
      if (!isClosed) {
        isClear = false;
        isQuoted = false;
      }
    }
    p = nextEnd(p);
    const isLast = load<u8>(p) === LF;
    if (fields === wanted) {
      from = field;
      to = isLast ? contentEnd(field, p) : p;
      // A quote in a URL that is written without quotes is data, and doubled if the URL is written again.
      kind = nextQuote(from, to) < to ? UNCLEAR : URL;
      if (isQuoted) {
        from++;
        to--;
        kind = isDoubled ? UNCLEAR : QUOTED;
      }
    }
    fields++;
    if (!isLast) {
      p++;
      continue;
    }
    const isWhole = isClear && p < end && (width === 0 ? fields > wanted : fields === width);
    const isBlank = contentEnd(start, p) === start;
    addRow(start, isWhole && !isBlank ? kind : UNCLEAR, from, to);
    return min<usize>(p + 1, end);
  }
}

/** Returns the next separator or LF. */
function nextEnd(p: usize): usize {
  const lf = i8x16.splat(LF);
  const between = i8x16.splat(separator);
  while (true) {
    const bytes = v128.load(p);
    const lanes: u32 = i8x16.bitmask(v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, between)));
    if (lanes !== 0) return p + <usize>ctz(lanes);
    p += 16;
  }
}

/** Returns the next quote, or `end` if the input has no more. */
function nextQuote(p: usize, end: usize): usize {
  const quote = i8x16.splat(QUOTE);
  for (; p < end; p += 16) {
    const lanes: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), quote));
    if (lanes !== 0) return min<usize>(end, p + <usize>ctz(lanes));
  }
  return end;
}

/** The states of a search for the end of records: at the start of a field, in one, in quotes, after a quote there. */
const BEGIN: i32 = 0;
const PLAIN: i32 = 1;
const OPEN: i32 = 2;
const CLOSED: i32 = 3;

/** The state after the last call of csvEnd. */
export let csvState: i32 = 0;

/**
 * Returns where the last record ends that ends in the first `length` bytes of the input, or 0 if none does. `state`:
 * the state after the bytes before.
 */
export function csvEnd(length: i32, state: i32): i32 {
  const end = inputStart + <usize>length;
  let last = inputStart;
  let p = inputStart;
  endInput(end);
  while (p < end) {
    if (state === OPEN) {
      p = nextQuote(p, end);
      if (p === end) break;
      p++;
      state = CLOSED;
      continue;
    }
    if (load<u8>(p) === QUOTE && state !== PLAIN) {
      p++;
      state = OPEN;
      continue;
    }
    p = nextEnd(p);
    if (p >= end) {
      // The last byte may be a separator only if it is before the end.
      state = PLAIN;
      break;
    }
    if (load<u8>(p) === LF) last = p + 1;
    p++;
    state = BEGIN;
  }
  csvState = state;
  return <i32>(last - inputStart);
}
