/*
 * Memory: reads and writes the output of the last call and its outOffsets. Copies one scheme and authority at a time to
 * hostText.
 *
 * Rows become SURT forms in place, from the first to the last. Most get shorter:
 *
 *   http://user@www.example.com:81/x?q      ->      com,example,www:81@user)/x?q
 *   [head                         [rest             [head                   [rest
 *
 * A head may get longer, by `%2C` for a comma, or by `(` and `)` after another scheme. If it would reach the rest, all rows
 * that are still to be read move up first. Blocks of 16 bytes are written over bytes still to be read, which are put back.
 */

import { hostText, outOffsets, outputEnd, outputStart } from "../memory";
import { setWritten } from "../results";
import {
  AT,
  COLON,
  COMMA,
  DOT,
  HASH,
  isDigit,
  LEFT_BRACKET,
  LEFT_PAREN,
  QUESTION,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SLASH,
  storeTriplet,
} from "../url/chars";
import { find, writeBytes } from "../url/component";

/** The bytes of `http`, and of `://` in the lower three quarters. */
const HTTP: u32 = 0x70747468;
const COLON_SLASHES: u32 = 0x2f2f3a;
/** Bytes that `://(` and `)` are longer than `://`. */
const PARENTHESES: usize = 2;
/** Bytes that a triplet is longer than what it stands for. */
const TRIPLET: usize = 2;
/** Bytes that the rows not yet read move up at once, so that a list of other schemes moves them a few times. */
const ROOM: usize = 4096;

// What the head of the row that was read last has.
let headStart: usize = 0;
let authority: usize = 0;
let headEnd: usize = 0;
let isWeb: bool = false;
let punctuation: usize = 0;
/** Bytes by which the rows that are still to be read have moved up. */
let moved: usize = 0;

/**
 * Writes the first `rows` rows of the last call in Sort-friendly URI Reordering Transform (src/normalizer/surt.ts).
 * Leaves the `terminator` bytes that end each: 1 for lines. Returns how many rows there was room for, at least one. The
 * others are void.
 */
export function writeSurts(rows: i32, terminator: i32): i32 {
  const last = rowStart(rows);
  let out = outputStart;
  let p = outputStart;
  moved = 0;
  let row = 0;
  for (; row < rows; row++) {
    const end = rowStart(row + 1);
    const hasHead = readHead(p, end + moved - terminator);
    if (hasHead && !hasRoom(p, last, out)) break;
    setOutOffset(row, out);
    if (hasHead) {
      out = writeHead(headStart, out);
      p = headEnd;
    }
    out = moveDown(p, end + moved, out);
    p = end + moved;
  }
  setOutOffset(row, out);
  setWritten(out);
  return row;
}

/**
 * Returns whether the head that was read last, at `p`, can be written at `out`. Moves it up with all that follows, to
 * `last` before any move, if that is what it takes.
 */
function hasRoom(p: usize, last: usize, out: usize): bool {
  const longest = headEnd - p + <usize>(isWeb ? 0 : PARENTHESES) + TRIPLET * punctuation;
  headStart = p;
  if (out + longest <= headEnd) return true;
  const more = min(longest + ROOM, outputEnd - last - moved);
  if (out + longest > headEnd + more) return false;
  memory.copy(p + more, p, last + moved - p);
  moved += more;
  headStart += more;
  authority += more;
  headEnd += more;
  return true;
}

function rowStart(row: i32): usize {
  return outputStart + <usize>load<i32>(outOffsets + ((<usize>row) << 2));
}

function setOutOffset(row: i32, out: usize): void {
  store<i32>(outOffsets + ((<usize>row) << 2), <i32>(out - outputStart));
}

/** Copies bytes to `out`, which is not after them, and leaves those at `end`. */
function moveDown(p: usize, end: usize, out: usize): usize {
  const next = v128.load(end);
  const distance = p - out;
  for (; p < end; p += 16) v128.store(p - distance, v128.load(p));
  v128.store(end, next);
  return end - distance;
}

/** Reads the scheme and the authority of a normalized URL. Returns false if there is no authority. */
function readHead(p: usize, end: usize): bool {
  if (end - p < 4) return false;
  let colon = p + 4 + <usize>(load<u8>(p, 4) === 0x73);
  isWeb = load<u32>(p) === HTTP && load<u8>(colon) === COLON;
  if (!isWeb) colon = find(p, end, COLON);
  if (colon + 3 > end || (load<u32>(colon) & 0xff_ffff) !== COLON_SLASHES) return false;
  authority = colon + 3;
  readAuthority(end);
  return true;
}

/** Finds the end of the authority, and counts what becomes triplets in it. */
function readAuthority(end: usize): void {
  punctuation = 0;
  for (let at = authority; at < end; at += 16) {
    const block = v128.load(at);
    const stops = i8x16.bitmask(
      v128.or(
        i8x16.eq(block, i8x16.splat(SLASH)),
        v128.or(i8x16.eq(block, i8x16.splat(QUESTION)), i8x16.eq(block, i8x16.splat(HASH))),
      ),
    );
    const length = min(<usize>ctz(stops | 0x10000), end - at);
    punctuation += <usize>popcnt(punctuationIn(block) & ((1 << (<i32>length)) - 1));
    if (length === 16) continue;
    headEnd = at + length;
    return;
  }
  headEnd = end;
}

/** Returns a bit for each comma and parenthesis of 16 bytes. */
function punctuationIn(block: v128): i32 {
  const isParenthesis = i8x16.eq(v128.or(block, i8x16.splat(1)), i8x16.splat(RIGHT_PAREN));
  return i8x16.bitmask(v128.or(isParenthesis, i8x16.eq(block, i8x16.splat(COMMA))));
}

/** Writes the head that was read last, which begins at `p`, and leaves the bytes at `headEnd`. Returns its end. */
function writeHead(p: usize, out: usize): usize {
  const next = v128.load(headEnd);
  // The form is written over it.
  const end = writeBytes(p, headEnd, hostText);
  const start = hostText + (authority - p);
  if (!isWeb) {
    out = writeBytes(hostText, start, out);
    store<u8>(out++, LEFT_PAREN);
  }
  const at = find(start, end, AT);
  const host = at === end ? start : at + 1;
  out = writeHost(host, end, out);
  if (start < host) {
    store<u8>(out++, AT);
    out = writeText(start, at, out);
  }
  store<u8>(out++, RIGHT_PAREN);
  v128.store(headEnd, next);
  return out;
}

/** Writes host and port. */
function writeHost(p: usize, end: usize, out: usize): usize {
  const hasBracket = p < end && load<u8>(p) === LEFT_BRACKET;
  const port = find(hasBracket ? find(p, end, RIGHT_BRACKET) : p, end, COLON);
  if (hasBracket || isAddress(p, port)) return writeBytes(p, end, out);
  return writeBytes(port, end, writeLabels(p, port, out));
}

/** Returns whether a host is four numbers with dots between them. */
function isAddress(p: usize, end: usize): bool {
  if (p === end || !isDigit(load<u8>(end - 1))) return false;
  let dots = 0;
  let before: u8 = DOT;
  for (; p < end; p++) {
    const byte = load<u8>(p);
    if (byte === DOT && before !== DOT) dots++;
    else if (!isDigit(byte)) return false;
    before = byte;
  }
  return dots === 3;
}

/** Writes the labels of a host from the last to the first, with commas between them. */
function writeLabels(p: usize, end: usize, out: usize): usize {
  let labelEnd = end;
  for (let at = end; at > p; at--) {
    if (load<u8>(at - 1) !== DOT) continue;
    out = writeText(at, labelEnd, out);
    store<u8>(out++, COMMA);
    labelEnd = at - 1;
  }
  return writeText(p, labelEnd, out);
}

/** Copies bytes with commas and parentheses as triplets. */
function writeText(p: usize, end: usize, out: usize): usize {
  if (punctuation === 0) return writeBytes(p, end, out);
  for (; p < end; p++) {
    const byte = load<u8>(p);
    const isPunctuation = byte === COMMA || byte === LEFT_PAREN || byte === RIGHT_PAREN;
    if (isPunctuation) out = storeTriplet(out, byte);
    else store<u8>(out++, byte);
  }
  return out;
}
