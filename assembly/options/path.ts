// Memory: reads a path in normal form and the plan region, writes at `out`.

import {
  BY_CASE,
  BY_DIRECTORY_INDEX,
  BY_DUPLICATE_SLASHES,
  BY_SESSION_IDS,
  BY_TRAILING_SLASH,
  CASE_CHOICE,
  choiceOf,
  DUPLICATE_SLASHES_CHOICE,
  SESSION_IDS_CHOICE,
  TRAILING_SLASH_CHOICE,
} from "../catalog.generated";
import { indexTable } from "../plan";
import { note } from "../reasons";
import { findName } from "../tables";
import { COLON, DOT, hasClass, isAlpha, PERCENT, SCHEME, SLASH } from "../url/chars";
import { lowerInPlace, sameBytes, writeBytes } from "../url/component";
import { isDrivePath } from "../url/path";
import { FILE } from "../url/scheme";
import { splat } from "../url/sets";
import { hasSession, writeWithoutSession } from "./session";

const ADD: u32 = 1;
const REMOVE: u32 = 2;

/** Writes the path `[p, end)`, which begins with `/`, by the options of a profile. */
export function writePath(p: usize, end: usize, out: usize, profile: usize, scheme: i32): usize {
  const start = out;
  // A file URL has no session ids. Removing one could make a Windows drive letter.
  const isSession =
    choiceOf(profile, SESSION_IDS_CHOICE) !== 0 && scheme !== FILE && hasSession(p, end);
  const isLower = choiceOf(profile, CASE_CHOICE) !== 0;
  out = isSession
    ? writeWithoutSession(p, end, out, scheme, isLower ? 0x20 : 0)
    : writeBytes(p, end, out);
  if (isSession && (out - start !== end - p || !sameBytes(p, start, end - p))) note(BY_SESSION_IDS);
  if (isLower && lowerInPlace(start, out)) note(BY_CASE);
  if (choiceOf(profile, DUPLICATE_SLASHES_CHOICE) !== 0)
    out = noted(out, collapseSlashes(start, out), BY_DUPLICATE_SLASHES);
  const index = indexTable(profile);
  const slash = choiceOf(profile, TRAILING_SLASH_CHOICE);
  while (true) {
    const before = out;
    if (index !== 0) out = noted(out, dropIndex(start, out, index), BY_DIRECTORY_INDEX);
    if (slash === REMOVE)
      out = noted(out, dropTrailingSlashes(start, out, scheme), BY_TRAILING_SLASH);
    else if (slash === ADD) out = noted(out, addTrailingSlash(start, out), BY_TRAILING_SLASH);
    if (out === before) return out;
  }
}

/** Returns `end`, the end of a path after a step. Notes the step if the path ended elsewhere before. */
function noted(before: usize, end: usize, bit: u64): usize {
  if (end !== before) note(bit);
  return end;
}

/** Removes duplicate slashes in place; the second slash after the `:` of a scheme stays. */
function collapseSlashes(start: usize, end: usize): usize {
  const first = findDoubleSlash(start, end) + 1;
  let out = first;
  for (let p = first; p < end; p++) {
    const byte = load<u8>(p);
    const isDouble = byte === SLASH && load<u8>(p - 1) === SLASH;
    if (!isDouble || endsInScheme(start, out - 1)) store<u8>(out++, byte);
  }
  return out;
}

/** Returns the first of two slashes, or `end - 1`. */
function findDoubleSlash(p: usize, end: usize): usize {
  const slash = splat(SLASH);
  const last = end - 1;
  for (; p < last; p += 16) {
    const slashes = i8x16.eq(v128.load(p), slash);
    const lanes: u32 = i8x16.bitmask(v128.and(slashes, i8x16.eq(v128.load(p, 1), slash)));
    if (lanes !== 0) return min(p + <usize>ctz(lanes), last);
  }
  return last;
}

/** Returns whether a path ends at `end` with a scheme of two characters or more (RFC 3986 3.1) and `:`. */
function endsInScheme(start: usize, end: usize): bool {
  if (load<u8>(--end) !== COLON || end <= start) return false;
  let at = end;
  while (hasClass(load<u8>(at - 1), SCHEME)) at--;
  if (load<u8>(at - 1) === PERCENT) at += 2;
  for (; at + 1 < end; at++) if (isAlpha(load<u8>(at))) return true;
  return false;
}

/** Removes the last segment if it is on the list; its `/` stays. */
function dropIndex(start: usize, end: usize, index: usize): usize {
  const segment = lastSegment(start, end);
  return segment < end && findName(index, segment, end) !== 0 ? segment : end;
}

/** Removes the slashes at the end, but not that of the root or of a Windows drive. */
function dropTrailingSlashes(start: usize, end: usize, scheme: i32): usize {
  let kept = end;
  while (kept - start > 1 && load<u8>(kept - 1) === SLASH) kept--;
  return scheme === FILE && kept < end && isDrivePath(start, kept) ? kept + 1 : kept;
}

/**
 * Adds a slash at the end of the path `[start, end)` unless the last segment holds a dot. Returns the new end.
 */
export function addTrailingSlash(start: usize, end: usize): usize {
  for (let p = lastSegment(start, end); p < end; p++) if (load<u8>(p) === DOT) return end;
  if (load<u8>(end - 1) === SLASH) return end;
  store<u8>(end, SLASH);
  return end + 1;
}

/** Returns the start of the last segment, after the last `/`. */
function lastSegment(start: usize, end: usize): usize {
  while (end > start && load<u8>(end - 1) !== SLASH) end--;
  return end;
}
