/*
 * CSV (RFC 4180). A quote opens a field only as its first byte; elsewhere it is data. A row is UNCLEAR if text
 * comes after a closing quote, if a quote in the URL is doubled, or if it has another number of fields than the header.
 * A quote is not closed if the input ends before, or if text comes after the quote that ends a field of several lines.
 * Its row ends with its line (src/formats/tables/csv-records.ts).
 */

import { CR, contentEnd, LF, QUOTE } from "./bytes";
import { endInput, inputStart } from "./memory";
import { addRow, areFull, beginRows, endRows, QUOTED, UNCLEAR, URL } from "./rows";

export let separator: u8 = 0;
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
      let isOpen = false;
      p++;
      while (true) {
        p = nextQuote(p, end);
        isOpen = p >= end;
        if (isOpen) break;
        p++;
        if (load<u8>(p) !== QUOTE) break;
        isDoubled = true;
        p++;
      }
      if (p >= end) {
        // The quote is not closed, or it is the last byte of an input without LF: the host knows.
        addRow(start, UNCLEAR, start, start);
        return isOpen ? min<usize>(nextLine(field, end) + 1, end) : end;
      }
      if (isHalfEnd(p, end)) {
        addRow(start, UNCLEAR, start, start);
        return end;
      }
      if (!endsField(p, end, separator)) {
        const line = nextLine(field, p);
        if (line < p) {
          addRow(start, UNCLEAR, start, start);
          return line + 1;
        }
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

/** Returns the next LF before `end`, or `end`. */
function nextLine(p: usize, end: usize): usize {
  const lf = i8x16.splat(LF);
  for (; p < end; p += 16) {
    const lanes: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), lf));
    if (lanes !== 0) return min<usize>(end, p + <usize>ctz(lanes));
  }
  return end;
}

/**
 * The states of a search for the end of records: where a quote opens a field, in a field without quotes, in quotes, after
 * a quote that may close, after the CR after it. In the last three, the line ends of the field are in the bits above.
 */
const BEGIN: i32 = 0;
const PLAIN: i32 = 1;
const OPEN: i32 = 2;
const CLOSED: i32 = 3;
const CLOSED_CR: i32 = 4;
const STATE_BITS: i32 = 3;
/** Ends a search in whose bytes a quote is not closed, or closes a field of more than MANY_LINES line ends. */
const DOUBTFUL: i32 = -1;
const MANY_LINES: i32 = 999;

/** The state after the last call of csvEnd. */
export let csvState: i32 = 0;

/** The end of the last record that `quoteAfterLines` has passed. */
let lastEnd: usize = 0;

/**
 * Returns where the last record ends that ends in the first `length` bytes of the input, or 0 if no record does. Goes from
 * quote to quote: one opens a field only after `byte`, the separator, or after an LF. `state`: the state after the bytes
 * before.
 */
export function csvEnd(length: i32, byte: i32, state: i32): i32 {
  const end = inputStart + <usize>length;
  const kind = state & ((1 << STATE_BITS) - 1);
  let lines = state >> STATE_BITS;
  let isOpen = kind === OPEN;
  let opened = inputStart;
  let p = inputStart;
  csvState = state;
  if (length === 0) return 0;
  lastEnd = inputStart;
  // Each search ends at this quote. The byte before the input says whether a quote can open a field there: a quote, which
  // never is the separator, says no.
  store<u8>(end, QUOTE);
  store<u8>(inputStart - 1, kind === BEGIN ? LF : QUOTE);
  if (kind === CLOSED && load<u8>(p) === QUOTE) {
    isOpen = true;
    p++;
  } else if (kind >= CLOSED) {
    const isEnd = kind === CLOSED ? endsField(p, end, <u8>byte) : load<u8>(p) === LF;
    if (kind === CLOSED && isHalfEnd(p, end)) return endIn(CLOSED_CR, lines);
    if (isDoubtful(isEnd, lines)) return endIn(DOUBTFUL, 0);
  }
  while (true) {
    if (!isOpen) {
      p = quoteAfterLines(p);
      const opens = beginsField(load<u8>(p - 1), <u8>byte);
      if (p === end) return endIn(opens ? BEGIN : PLAIN, 0);
      p++;
      isOpen = opens;
      opened = p;
      lines = 0;
      continue;
    }
    p = nextQuote(p, end);
    if (p === end) return endIn(OPEN, lines + linesIn(opened, p));
    p++;
    if (p === end) return endIn(CLOSED, lines + linesIn(opened, p));
    if (load<u8>(p) === QUOTE) {
      p++; // two quotes in a field with quotes are one
      continue;
    }
    if (isHalfEnd(p, end)) return endIn(CLOSED_CR, lines + linesIn(opened, p));
    const isEnd = endsField(p, end, <u8>byte);
    // Most fields need no count.
    if (!isEnd || lines > 0 || p - opened > <usize>MANY_LINES) {
      if (isDoubtful(isEnd, lines + linesIn(opened, p))) return endIn(DOUBTFUL, 0);
    }
    isOpen = false;
  }
}

/** Ends a search in a state. Returns where the last record ends. */
function endIn(state: i32, lines: i32): i32 {
  csvState = state < 0 ? state : state | (min<i32>(lines, MANY_LINES + 1) << STATE_BITS);
  return <i32>(lastEnd - inputStart);
}

/** Returns whether a field of so many line ends is doubtful. `isEnd`: says whether it ends after the quote that closes it. */
function isDoubtful(isEnd: bool, lines: i32): bool {
  return isEnd ? lines > MANY_LINES : lines > 0;
}

function beginsField(before: u8, separator: u8): bool {
  return before === separator || before === LF;
}

/** Returns whether a field ends at `p`: before a separator, LF or CR LF. */
function endsField(p: usize, end: usize, separator: u8): bool {
  const byte = load<u8>(p);
  if (byte === separator || byte === LF) return true;
  return byte === CR && p + 1 < end && load<u8>(p, 1) === LF;
}

/** Returns whether the input ends with the CR at `p`. */
function isHalfEnd(p: usize, end: usize): bool {
  return p + 1 === end && load<u8>(p) === CR;
}

/** Returns the number of LF from `p` to `end`. */
function linesIn(p: usize, end: usize): i32 {
  const lf = i8x16.splat(LF);
  let count = 0;
  for (; p < end; p += 16) {
    let lanes: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), lf));
    if (end - p < 16) lanes &= (1 << (<u32>(end - p))) - 1;
    count += popcnt<u32>(lanes);
  }
  return count;
}

/** Returns the number of LF in the first `length` bytes of the input. */
export function lineEnds(length: i32): i32 {
  return linesIn(inputStart, inputStart + <usize>length);
}

/** Returns the next quote: there must be one. Notes where the last record before it ends. */
function quoteAfterLines(p: usize): usize {
  const quote = i8x16.splat(QUOTE);
  const lf = i8x16.splat(LF);
  while (true) {
    const bytes = v128.load(p);
    const quotes: u32 = i8x16.bitmask(i8x16.eq(bytes, quote));
    let lines: u32 = i8x16.bitmask(i8x16.eq(bytes, lf));
    if (quotes !== 0) lines &= (quotes & -quotes) - 1;
    if (lines !== 0) lastEnd = p + 32 - <usize>clz(lines);
    if (quotes !== 0) return p + <usize>ctz(quotes);
    p += 16;
  }
}
