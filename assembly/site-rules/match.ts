/*
 * Patterns and templates of rules.
 *
 * Memory: reads the target (ruled-url.ts) or the text between the pointers it is given, up to 15 bytes after
 * it, and the plan region. Writes templates at `out`. CAPTURES, static data, holds start and end of up to
 * nine captures.
 */
import { ELEMENT, ELEMENT_KIND, PARTS, PIECE, TEXT } from "../catalog.generated";
import { address } from "../plan";
import { textEnd, textStart } from "../tables";
import { isDigit, SLASH } from "../url/chars";
import { find, sameBytes, writeBytes } from "../url/component";
import { targetEnd, targetStart } from "./ruled-url";

const SHORTEST_HEX: usize = 16;

const CAPTURES: usize = memory.data(9 * 8, 16);
const CAPTURES_END: usize = CAPTURES + 9 * 8;

/** Returns whether a pattern matches the whole path `[p, end)`. */
export function matchPath(pattern: usize, p: usize, end: usize): bool {
  return matchElements(pattern, p, end) === end;
}

/**
 * Returns where a match of the pattern that begins at `at` ends, in the path and query `[start, end)`; 0 if
 * it does not match. A match neither begins nor ends within a run of letters or of digits.
 */
export function matchAt(pattern: usize, at: usize, start: usize, end: usize): usize {
  if (!isBoundary(at, start, end)) return 0;
  const stop = matchElements(pattern, at, end);
  return stop !== 0 && isBoundary(stop, start, end) ? stop : 0;
}

/** Returns the end of the match that begins at `at`, or 0. */
function matchElements(pattern: usize, at: usize, end: usize): usize {
  const last = pattern + PARTS.BYTES + <usize>load<u32>(pattern, PARTS.COUNT) * ELEMENT.BYTES;
  let capture = CAPTURES;
  for (let element = pattern + PARTS.BYTES; element < last; element += ELEMENT.BYTES) {
    const kind = load<u32>(element, ELEMENT.KIND);
    if (kind === ELEMENT_KIND.TEXT) {
      const text = address(element + ELEMENT.TEXT);
      const length = <usize>load<u32>(text, TEXT.LENGTH);
      if (end - at < length || !sameBytes(at, textStart(text), length)) return 0;
      at += length;
    } else if (kind === ELEMENT_KIND.END) {
      if (at < end) return 0;
    } else {
      let stop: usize = 0;
      let suffix: usize = 0;
      if (kind >= ELEMENT_KIND.SEGMENT) {
        const text = address(element + ELEMENT.TEXT);
        suffix = <usize>load<u32>(text, TEXT.LENGTH);
        stop = kind === ELEMENT_KIND.SEGMENT ? find(at, end, SLASH) : end;
        if (stop - at < suffix + <usize>(kind === ELEMENT_KIND.SEGMENT)) return 0;
        if (!sameBytes(stop - suffix, textStart(text), suffix)) return 0;
      } else {
        stop = runEnd(kind, at, end);
        const length = <usize>load<u32>(element, ELEMENT.LENGTH);
        const fits = stop - at >= (kind === ELEMENT_KIND.HEX ? SHORTEST_HEX : 1);
        if (length === 0 ? !fits : stop - at !== length) return 0;
      }
      if (capture < CAPTURES_END) {
        store<u32>(capture, <u32>at);
        store<u32>(capture, <u32>(stop - suffix), 4);
        capture += 8;
      }
      at = stop;
    }
  }
  return at;
}

function runEnd(kind: u32, p: usize, end: usize): usize {
  while (p < end && isInRun(kind, load<u8>(p))) p++;
  return p;
}

/** Returns whether a byte can be in a run of this kind: digits, hexadecimal digits, or a word. */
export function isInRun(kind: u32, byte: u8): bool {
  if (kind === ELEMENT_KIND.DIGITS) return isDigit(byte);
  if (kind === ELEMENT_KIND.HEX) return isDigit(byte) || <u8>((byte | 0x20) - 0x61) < 6;
  return !isDelimiter(byte);
}

/** Returns whether a byte is a delimiter of path and query: `/?&=;:`. */
function isDelimiter(byte: u8): bool {
  if (byte === SLASH || byte === 0x26) return true;
  return byte === 0x3a || byte === 0x3b || byte === 0x3d || byte === 0x3f;
}

/** Returns whether the bytes before and at `at` are not both letters and not both digits. */
function isBoundary(at: usize, start: usize, end: usize): bool {
  if (at === start || at >= end) return true;
  const kind = runKind(load<u8>(at));
  return kind === 0 || kind !== runKind(load<u8>(at - 1));
}

/** Returns 1 for digits, 2 for letters, 0 for other bytes. */
function runKind(byte: u8): i32 {
  if (isDigit(byte)) return 1;
  return <u8>((byte | 0x20) - 0x61) < 26 ? 2 : 0;
}

/** Writes a template with the captures of the last match. */
export function writeTemplate(template: usize, out: usize): usize {
  const end = template + PARTS.BYTES + <usize>load<u32>(template, PARTS.COUNT) * PIECE.BYTES;
  for (let piece = template + PARTS.BYTES; piece < end; piece += PIECE.BYTES) {
    const number = <usize>load<u32>(piece, PIECE.CAPTURE);
    if (number === 0) {
      const text = address(piece + PIECE.TEXT);
      out = writeBytes(textStart(text), textEnd(text), out);
    } else {
      const capture = CAPTURES + ((number - 1) << 3);
      out = writeBytes(<usize>load<u32>(capture), <usize>load<u32>(capture, 4), out);
    }
  }
  return out;
}

/** Returns the text that a pattern begins with. */
export function firstText(pattern: usize): usize {
  return address(pattern + PARTS.BYTES + ELEMENT.TEXT);
}

/** Returns whether the target holds the text that the pattern begins with. */
export function mayMatch(pattern: usize): bool {
  return findText(firstText(pattern), targetStart, targetEnd) !== 0;
}

/** Returns where a text of the plan first occurs in `[p, end)`, or 0. */
export function findText(text: usize, p: usize, end: usize): usize {
  const length = <usize>load<u32>(text, TEXT.LENGTH);
  if (end - p < length) return 0;
  const last = end - length;
  const first = i8x16.splat(load<u8>(text, TEXT.BYTES));
  const final = i8x16.splat(load<u8>(textStart(text) + length - 1));
  for (; p <= last; p += 16) {
    const begins = i8x16.eq(v128.load(p), first);
    let lanes: u32 = i8x16.bitmask(v128.and(begins, i8x16.eq(v128.load(p + length - 1), final)));
    for (; lanes !== 0; lanes &= lanes - 1) {
      const at = p + <usize>ctz(lanes);
      if (at > last) return 0;
      if (sameBytes(at, textStart(text), length)) return at;
    }
  }
  return 0;
}
