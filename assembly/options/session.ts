/*
 * Session ids: `;jsessionid=x` in a path segment or at the end of a query value, and the segments `(S(x))` and `(x)` of
 * ASP.NET. src/base/lists/session-ids.ts has the evidence.
 * Memory: reads a path or a query value in normal form, writes at `out`; `merged` holds a path without
 * its session ids.
 */

import { mergedStart } from "../memory";
import {
  HYPHEN,
  isAlpha,
  isDigit,
  LEFT_PAREN,
  QUESTION,
  RIGHT_PAREN,
  SEMICOLON,
  SLASH,
  UNDERSCORE,
} from "../url/chars";
import { find } from "../url/component";
import { writeSegments } from "../url/path";

/** The length of `/(x)`, where `x` is an id of ASP.NET 1.0. */
const ID_SEGMENT: usize = 27;

/** Returns whether `;jsessionid=` begins at `p`, in any case. */
function isSessionAt(p: usize, end: usize): bool {
  if (end - p < 12 || load<u8>(p) !== SEMICOLON || load<u8>(p, 11) !== 0x3d) return false;
  // "jsession" and "id", letters made lower-case.
  if ((load<u64>(p, 1) | 0x2020202020202020) !== 0x6e6f69737365736a) return false;
  return (load<u16>(p, 9) | 0x2020) === 0x6469;
}

/** Returns whether the path `[p, end)` may hold a session id. */
export function hasSession(p: usize, end: usize): bool {
  for (let at = find(p, end, SEMICOLON); at < end; at = find(at + 1, end, SEMICOLON)) {
    if (isSessionAt(at, end)) return true;
  }
  for (let at = find(p, end, LEFT_PAREN); at < end; at = find(at + 1, end, LEFT_PAREN)) {
    if (load<u8>(at - 1) === SLASH) return true;
  }
  return false;
}

/**
 * Writes the path `[p, end)` without `;jsessionid=…` up to the next `;` or the end of its segment. Then
 * removes segments with ids of ASP.NET, and dot segments that this leaves. `fold`: 0x20 if the path becomes lower-case, or 0.
 */
export function writeWithoutSession(
  p: usize,
  end: usize,
  out: usize,
  scheme: i32,
  fold: u8,
): usize {
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
      if (isSessionSegment(segment, kept, fold)) kept = segment;
      segment = kept;
    }
    store<u8>(kept++, byte);
  }
  if (isSessionSegment(segment, kept, fold)) kept = segment + 1;
  return writeSegments(mergedStart + 1, kept, out, out, scheme, false);
}

/** Returns whether `[p, end)` is `/` and a session id of ASP.NET in parentheses, or a list of named ones. */
function isSessionSegment(p: usize, end: usize, fold: u8): bool {
  if (end - p < 7 || load<u8>(p, 1) !== LEFT_PAREN || load<u8>(end - 1) !== RIGHT_PAREN) {
    return false;
  }
  return isSessionId(p, end, fold) || isSessionList(p + 2, end - 1);
}

/** Returns whether the segment `[p, end)` has 24 of the letters a to z and the digits 0 to 5. `fold`: 0x20 takes A to Z, too. */
function isSessionId(p: usize, end: usize, fold: u8): bool {
  if (end - p !== ID_SEGMENT) return false;
  for (let at = p + 2; at < end - 1; at++) {
    const byte = load<u8>(at) | fold;
    if (<u8>(byte - 0x61) > 25 && <u8>(byte - 0x30) > 5) return false;
  }
  return true;
}

/** Returns whether `[p, end)` is `A(…)`, `S(…)` and `F(…)`, one or more of them, each with an id. */
function isSessionList(p: usize, end: usize): bool {
  while (p < end) {
    const letter = load<u8>(p) | 0x20;
    if (letter !== 0x61 && letter !== 0x73 && letter !== 0x66) return false;
    if (p + 1 === end || load<u8>(p, 1) !== LEFT_PAREN) return false;
    const start = p + 2;
    p = start;
    while (p < end && isIdByte(load<u8>(p))) p++;
    if (p === start || p === end || load<u8>(p) !== RIGHT_PAREN) return false;
    p++;
  }
  return true;
}

function isIdByte(byte: u8): bool {
  return isDigit(byte) || isAlpha(byte) || byte === HYPHEN || byte === UNDERSCORE;
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
