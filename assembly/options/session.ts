/*
 * Session ids: `;jsessionid=x` in a path segment or at the end of a query value, and the segment `(S(x))`
 * of ASP.NET. src/lists/session-ids.ts has the evidence.
 * Memory: reads a path or a query value in normal form, writes at `out`; `merged` holds a path without
 * its session ids.
 */

import { mergedStart } from "../memory";
import {
  isAlpha,
  isDigit,
  LEFT_PAREN,
  QUESTION,
  RIGHT_PAREN,
  SEMICOLON,
  SLASH,
} from "../url/chars";
import { find } from "../url/component";
import { writeSegments } from "../url/path";

/** `/(s(`, the `S` in lower case. */
const SEGMENT_HEAD: u32 = 0x2873282f;

/** Returns whether `;jsessionid=` begins at `p`, in any case. */
function isSessionAt(p: usize, end: usize): bool {
  if (end - p < 12 || load<u8>(p) !== SEMICOLON || load<u8>(p, 11) !== 0x3d) return false;
  // "jsession" and "id", letters made lower-case.
  if ((load<u64>(p, 1) | 0x2020202020202020) !== 0x6e6f69737365736a) return false;
  return (load<u16>(p, 9) | 0x2020) === 0x6469;
}

/** Returns whether `/(S(` begins at `p`, in any case. */
function isSegmentHead(p: usize): bool {
  return (load<u32>(p) | 0x200000) === SEGMENT_HEAD;
}

/** Returns whether the path `[p, end)` may hold a session id. */
export function hasSession(p: usize, end: usize): bool {
  for (let at = find(p, end, SEMICOLON); at < end; at = find(at + 1, end, SEMICOLON)) {
    if (isSessionAt(at, end)) return true;
  }
  for (let at = find(p, end, LEFT_PAREN); at < end; at = find(at + 1, end, LEFT_PAREN)) {
    if (isSegmentHead(at - 1)) return true;
  }
  return false;
}

/**
 * Writes the path `[p, end)` without `;jsessionid=…` up to the next `;` or the end of its segment. Then
 * removes segments `(S(…))`, and dot segments that this leaves.
 */
export function writeWithoutSession(p: usize, end: usize, out: usize, scheme: i32): usize {
  let kept = mergedStart;
  let segment = kept;
  while (p < end) {
    if (isSessionAt(p, end)) {
      p++;
      while (p < end && load<u8>(p) !== SEMICOLON && load<u8>(p) !== SLASH) p++;
      continue;
    }
    const byte = load<u8>(p++);
    if (byte === SLASH) {
      if (isSessionSegment(segment, kept)) kept = segment;
      segment = kept;
    }
    store<u8>(kept++, byte);
  }
  if (isSessionSegment(segment, kept)) kept = segment + 1;
  return writeSegments(mergedStart + 1, kept, out, out, scheme, false);
}

/** Returns whether `[p, end)` is `/(S(`, letters and digits, and `))`. */
function isSessionSegment(p: usize, end: usize): bool {
  if (end - p < 7 || !isSegmentHead(p)) return false;
  if (load<u8>(end - 1) !== RIGHT_PAREN || load<u8>(end - 2) !== RIGHT_PAREN) return false;
  for (let at = p + 4; at < end - 2; at++) {
    if (!isDigit(load<u8>(at)) && !isAlpha(load<u8>(at))) return false;
  }
  return true;
}

/** Returns where the query value `[p, end)` ends without the `;jsessionid=…` at its end. */
export function valueEndWithoutSession(p: usize, end: usize): usize {
  for (let at = end; at > p; ) {
    const byte = load<u8>(--at);
    if (byte === SLASH || byte === QUESTION) break;
    if (byte !== SEMICOLON) continue;
    if (!isSessionAt(at, end)) break;
    end = at;
  }
  return end;
}
