// Memory: reads one URL between the pointers it is given, the base region, and writes at `out`.

import { baseStart } from "../memory";
import { asksReasons } from "../reasons";
import { writeAuthority } from "./authority";
import { baseEnd, baseHeadEnd, baseLastSlash, basePath, baseScheme } from "./base";
import { BACKSLASH, COLON, HASH, QUESTION, SLASH } from "./chars";
import { find, findOutside, writeBytes } from "./component";
import {
  findAuthorityEnd,
  findPathEnd,
  writeHierarchy,
  writeSamePath,
  writeTail,
} from "./hierarchy";
import { writePlainHost } from "./host";
import { notePlainHost } from "./host-reasons";
import { isSlash, writeSegments } from "./path";
import { DOMAIN } from "./sets";

/** Writes what follows `scheme:` of a special scheme other than file: any slashes, authority, path. */
export function writeSpecialRest(p: usize, end: usize, out: usize, scheme: i32): usize {
  store<u16>(out, 0x2f2f);
  p = skipSlashes(p, end, scheme);
  const hostEnd = findOutside(p, end, DOMAIN);
  if (hostEnd > p && (hostEnd === end || endsAuthority(load<u8>(hostEnd)))) {
    const stop = writePlainHost(p, hostEnd, out + 2);
    if (stop === 0) return 0;
    if (asksReasons) notePlainHost(p, hostEnd, out + 2, stop);
    return writeHierarchy(hostEnd, end, stop, scheme, false);
  }
  const stop = findAuthorityEnd(p, end, scheme);
  out = writeAuthority(p, stop, out + 2, scheme);
  return out === 0 ? 0 : writeHierarchy(stop, end, out, scheme, false);
}

/** Returns whether a byte ends the authority of a special scheme. */
function endsAuthority(byte: u8): bool {
  return byte === SLASH || byte === QUESTION || byte === HASH || byte === BACKSLASH;
}

function skipSlashes(p: usize, end: usize, scheme: i32): usize {
  while (p < end && isSlash(load<u8>(p), scheme)) p++;
  return p;
}

/**
 * Writes a reference without a scheme, or with the base's, to a special base (URL Standard, "relative
 * state").
 */
export function writeSpecialReference(p: usize, end: usize, out: usize): usize {
  if (p < end && isSlash(load<u8>(p), baseScheme)) {
    if (end - p > 1 && isSlash(load<u8>(p, 1), baseScheme)) {
      out = writeBytes(baseStart, find(baseStart, baseEnd, COLON) + 1, out);
      return writeSpecialRest(p, end, out, baseScheme);
    }
    out = writeBytes(baseStart, baseHeadEnd, out);
    return writeHierarchy(p, end, out, baseScheme, false);
  }
  return writeRelative(p, end, out);
}

/**
 * Writes a reference that is empty, or begins with its query, its fragment or a path segment, to a base whose
 * path begins with `/`.
 */
function writeRelative(p: usize, end: usize, out: usize): usize {
  const pathEnd = findPathEnd(p, end);
  if (pathEnd === p) return writeSamePath(p, end, out);
  out = writeBytes(baseStart, baseHeadEnd, out);
  const pathStart = out;
  out = writeBytes(basePath, baseLastSlash(), out);
  out = writeSegments(p, pathEnd, out, pathStart, baseScheme, false);
  return writeTail(pathEnd, end, out, baseScheme);
}
