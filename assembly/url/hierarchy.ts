// Memory: reads one URL between the pointers it is given, the base region, and writes at `out`.

import { BY_EMPTY_PATH, BY_SLASHES } from "../catalog.generated";
import { baseStart } from "../memory";
import { note } from "../reasons";
import { baseEnd, basePathEnd, baseScheme } from "./base";
import { BACKSLASH, FRAGMENT, HASH, QUESTION, SPECIAL_QUERY } from "./chars";
import { find, findEither, writeBytes, writeComponent } from "./component";
import { isSlash, writeSegments } from "./path";
import { OTHER } from "./scheme";

/** Returns the end of a path at `p`: its `?`, its `#` or `end`. */
export function findPathEnd(p: usize, end: usize): usize {
  return findEither(p, end, QUESTION, HASH);
}

/** Returns the end of an authority at `p`. */
export function findAuthorityEnd(p: usize, end: usize, scheme: i32): usize {
  const stop = findPathEnd(p, end);
  while (p < stop && !isSlash(load<u8>(p), scheme)) p++;
  return p;
}

/** Writes path, query and fragment after an authority, and a first `/` if it is missing. */
export function writeHierarchy(p: usize, end: usize, out: usize, scheme: i32, drive: bool): usize {
  const pathEnd = findPathEnd(p, end);
  let segments = p;
  if (p === pathEnd) {
    note(BY_EMPTY_PATH);
  } else if (isSlash(load<u8>(p), scheme)) {
    if (load<u8>(p) === BACKSLASH) note(BY_SLASHES);
    segments++;
  }
  out = writeSegments(segments, pathEnd, out, out, scheme, drive);
  return writeTail(pathEnd, end, out, scheme);
}

/** Writes query and fragment, from the `?` or `#` at `p` if any. */
export function writeTail(p: usize, end: usize, out: usize, scheme: i32): usize {
  if (p < end && load<u8>(p) === QUESTION) {
    const hash = find(p, end, HASH);
    store<u8>(out++, QUESTION);
    out = writeComponent(p + 1, hash, out, scheme === OTHER ? FRAGMENT : SPECIAL_QUERY);
    p = hash;
  }
  if (p === end) return out;
  store<u8>(out++, HASH);
  return writeComponent(p + 1, end, out, FRAGMENT);
}

/**
 * Writes a reference without a path: the base up to its path, and its query too unless the reference has a
 * query.
 */
export function writeSamePath(p: usize, end: usize, out: usize): usize {
  const keep = p < end && load<u8>(p) === QUESTION ? basePathEnd : baseEnd;
  out = writeBytes(baseStart, keep, out);
  return writeTail(p, end, out, baseScheme);
}
