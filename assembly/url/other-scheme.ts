// Memory: reads one URL between the pointers it is given, the base and merged regions, writes at `out`.

import { baseStart, mergedStart } from "../memory";
import { writeAuthority } from "./authority";
import {
  baseEnd,
  baseHasAuthority,
  baseHeadEnd,
  baseLastSlash,
  basePath,
  basePathEnd,
  startsWithSlashes,
} from "./base";
import { COLON, DOT, PATH, SLASH } from "./chars";
import { find, writeBytes, writeComponent } from "./component";
import { findAuthorityEnd, findPathEnd, writeSamePath, writeTail } from "./hierarchy";
import { writeRootless, writeSegments } from "./path";
import { OTHER } from "./scheme";

/** Writes what follows `scheme:` of a scheme that is not special (RFC 3986 appendix B). */
export function writeOtherRest(p: usize, end: usize, out: usize): usize {
  if (startsWithSlashes(p, end)) {
    const stop = findAuthorityEnd(p + 2, end, OTHER);
    store<u16>(out, 0x2f2f);
    out = writeAuthority(p + 2, stop, out + 2, OTHER);
    if (out === 0) return 0;
    const pathEnd = findPathEnd(stop, end);
    if (pathEnd > stop) out = writeSegments(stop + 1, pathEnd, out, out, OTHER, false);
    return writeTail(pathEnd, end, out, OTHER);
  }
  const pathEnd = findPathEnd(p, end);
  if (p < pathEnd && load<u8>(p) === SLASH) {
    const pathStart = out;
    out = writeSegments(p + 1, pathEnd, out, pathStart, OTHER, false);
    out = guardPath(pathStart, out);
  } else {
    out = writeComponent(p, pathEnd, out, PATH);
  }
  return writeTail(pathEnd, end, out, OTHER);
}

/** Writes a reference to a base whose scheme is not special (RFC 3986 5.2.2). */
export function writeOtherReference(p: usize, end: usize, out: usize): usize {
  if (startsWithSlashes(p, end)) {
    out = writeBytes(baseStart, find(baseStart, baseEnd, COLON) + 1, out);
    return writeOtherRest(p, end, out);
  }
  const pathEnd = findPathEnd(p, end);
  if (pathEnd === p) return writeSamePath(p, end, out);
  out = writeBytes(baseStart, baseHeadEnd, out);
  const pathStart = out;
  if (load<u8>(p) === SLASH) {
    out = writeSegments(p + 1, pathEnd, out, pathStart, OTHER, false);
  } else if (basePath < basePathEnd && load<u8>(basePath) === SLASH) {
    out = writeBytes(basePath, baseLastSlash(), out);
    out = writeSegments(p, pathEnd, out, pathStart, OTHER, false);
  } else if (baseHasAuthority) {
    out = writeSegments(p, pathEnd, out, pathStart, OTHER, false);
  } else {
    const slash = baseLastSlash();
    let merged = mergedStart;
    if (slash !== 0) merged = writeBytes(basePath, slash + 1, merged);
    merged = writeBytes(p, pathEnd, merged);
    out = writeRootless(mergedStart, merged, out);
  }
  if (!baseHasAuthority) out = guardPath(pathStart, out);
  return writeTail(pathEnd, end, out, OTHER);
}

/**
 * Puts `/.` before a path that begins with `//` and has no authority before it (URL Standard, "URL
 * serializer").
 */
export function guardPath(pathStart: usize, out: usize): usize {
  if (!startsWithSlashes(pathStart, out)) return out;
  memory.copy(pathStart + 2, pathStart, out - pathStart);
  store<u8>(pathStart, SLASH);
  store<u8>(pathStart, DOT, 1);
  return out + 2;
}
