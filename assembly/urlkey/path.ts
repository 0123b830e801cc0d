/*
 * Memory: reads a path between the pointers it is given, and writes it at `out`. Works in `normal`.
 */

import { normalStart } from "../memory";
import { DOT, isAlpha, isDigit, LEFT_PAREN, QUESTION, RIGHT_PAREN, SLASH } from "../url/chars";
import { find } from "../url/component";
import { hasPercent, unescapeRepeatedly, writeEscaped } from "./escapes";

/** `.asp` as a little-endian word; an `x` comes after it. */
const ASP: u32 = 0x7073612e;
const X: u8 = 0x78;
/** Digits and letters of a session id of ASP.NET. */
const ID: usize = 24;

/** Writes the path of a key. Without a host it is not a path of segments. */
export function writePath(p: usize, end: usize, out: usize, hasHost: bool): usize {
  if (hasPercent(p, end)) {
    end = unescapeRepeatedly(p, end, normalStart);
    p = normalStart;
  }
  if (hasHost && hasDots(p, end)) {
    end = writeSegments(p, end, normalStart);
    p = normalStart;
  }
  let stop = writeEscaped(p, end, out);
  if (hasHost && p === end) store<u8>(stop++, SLASH);
  if (find(out, stop, LEFT_PAREN) !== stop) {
    stop = removeSession(out, stop, true);
    stop = removeSession(out, stop, false);
  }
  return stop - out > 1 && load<u8>(stop - 1) === SLASH ? stop - 1 : stop;
}

/** Returns whether a path may have empty or dot segments. */
function hasDots(p: usize, end: usize): bool {
  for (p = find(p, end, SLASH); p < end; p = find(p + 1, end, SLASH)) {
    if (p + 1 < end && (load<u8>(p, 1) === SLASH || load<u8>(p, 1) === DOT)) return true;
  }
  return false;
}

/**
 * Writes a path without empty and dot segments. Unlike RFC 3986 5.2.4, keeps a `..` that has nothing before it; the next
 * `..` removes that one. May write over what it reads.
 */
function writeSegments(p: usize, end: usize, out: usize): usize {
  const start = out;
  p = find(p, end, SLASH);
  while (p < end) {
    const stop = find(p + 1, end, SLASH);
    const length = stop - p;
    const isDot = load<u8>(p, 1) === DOT;
    const isParent = length === 3 && isDot && load<u8>(p, 2) === DOT;
    if (isParent && out > start) {
      do out--;
      while (load<u8>(out) !== SLASH);
    } else if (length !== 2 || !isDot) {
      memory.copy(out, p, length);
      out += length;
    }
    p = stop;
  }
  if (out === start) store<u8>(out++, SLASH);
  return withoutEmpty(start, out);
}

/** Writes one slash for several, in place. */
function withoutEmpty(start: usize, end: usize): usize {
  let out = start + 1;
  for (let p = start + 1; p < end; p++) {
    const byte = load<u8>(p);
    if (byte !== SLASH || load<u8>(out - 1) !== SLASH) store<u8>(out++, byte);
  }
  return out;
}

/**
 * Removes, in place, the last segment that is a session id of ASP.NET, with its `/`. A name that ends in `.aspx` must come
 * after it, before any `?`, and something before `.aspx`. `named`: whether it is like `(s(…)f(…))`, else like `(…)`.
 */
function removeSession(start: usize, end: usize, named: bool): usize {
  let aspx: usize = 0;
  let stop = end;
  for (let p = end; p > start; ) {
    const byte = load<u8>(--p);
    if (byte === QUESTION) aspx = 0;
    else if (byte === DOT && aspx === 0 && end - p >= 5 && isAspx(p)) aspx = p;
    else if (byte === SLASH) {
      if (aspx > stop + 1 && (named ? isCookieless(p + 1, stop) : isBare(p + 1, stop))) {
        memory.copy(p + 1, stop + 1, end - stop - 1);
        return end - (stop - p);
      }
      stop = p;
    }
  }
  return end;
}

function isAspx(p: usize): bool {
  return load<u32>(p) === ASP && load<u8>(p, 4) === X;
}

/** Returns whether a segment is like `(s(…)f(…))`. */
function isCookieless(p: usize, end: usize): bool {
  if (end - p < ID + 5 || load<u8>(p) !== LEFT_PAREN || load<u8>(end - 1) !== RIGHT_PAREN)
    return false;
  for (p++; p < end - 1; p += ID + 3) {
    if (end - 1 - p < ID + 3 || !isAlpha(load<u8>(p)) || !isBare(p + 1, p + ID + 3)) return false;
  }
  return true;
}

/** Returns whether a text is 24 digits and letters in parentheses. */
function isBare(p: usize, end: usize): bool {
  if (end - p !== ID + 2 || load<u8>(p) !== LEFT_PAREN || load<u8>(end - 1) !== RIGHT_PAREN)
    return false;
  for (p++; p < end - 1; p++) if (!isDigit(load<u8>(p)) && !isAlpha(load<u8>(p))) return false;
  return true;
}
