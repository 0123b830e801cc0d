// Memory: reads one URL between the pointers it is given, the base region, and writes at `out`.

import { baseStart } from "../memory";
import { BAD_USERINFO, fail } from "../status";
import { baseHeadEnd, baseLastSlash, basePath, basePathEnd, baseScheme, hasBase } from "./base";
import { AT, HASH, QUESTION } from "./chars";
import { find, writeBytes } from "./component";
import {
  findAuthorityEnd,
  findPathEnd,
  writeHierarchy,
  writeSamePath,
  writeTail,
} from "./hierarchy";
import { isLocalhost, writeDomainHost } from "./host";
import { isDriveLetter, isDrivePath, isSlash, writeSegments } from "./path";
import { FILE, writeScheme } from "./scheme";

/** Writes `file://`. */
function writeHead(out: usize): usize {
  out = writeScheme(FILE, out);
  store<u16>(out, 0x2f2f);
  return out + 2;
}

/**
 * Writes what follows `file:`, or a reference to a file base (URL Standard, "file state", "file slash state",
 * "file host state").
 */
export function writeFileReference(p: usize, end: usize, out: usize): usize {
  const based = hasBase && baseScheme === FILE;
  if (p < end && isSlash(load<u8>(p), FILE)) {
    if (end - p > 1 && isSlash(load<u8>(p, 1), FILE)) return writeFileHost(p + 2, end, out);
    return based
      ? writeRooted(p + 1, end, out)
      : writeHierarchy(p, end, writeHead(out), FILE, false);
  }
  return based
    ? writeFileRelative(p, end, out)
    : writeHierarchy(p, end, writeHead(out), FILE, false);
}

/** Writes `file://host/path`. A drive letter in the place of the host begins the path instead. */
function writeFileHost(p: usize, end: usize, out: usize): usize {
  out = writeHead(out);
  const stop = findAuthorityEnd(p, end, FILE);
  if (stop === p || isDriveLetter(p, stop)) return writeHierarchy(p, end, out, FILE, false);
  const at = find(p, stop, AT);
  if (at < stop) return fail(BAD_USERINFO, at);
  const host = out;
  out = writeDomainHost(p, stop, out);
  if (out === 0) return 0;
  return writeHierarchy(stop, end, isLocalhost(host, out) ? host : out, FILE, false);
}

/** Writes `/path` with the host of the base, and with its drive letter unless the path has one. */
function writeRooted(p: usize, end: usize, out: usize): usize {
  out = writeBytes(baseStart, baseHeadEnd, out);
  const pathStart = out;
  const pathEnd = findPathEnd(p, end);
  let drive = false;
  if (!startsWithDriveLetter(p, end) && baseHasDrive()) {
    out = writeBytes(basePath, basePath + 3, out);
    drive = true;
  }
  out = writeSegments(p, pathEnd, out, pathStart, FILE, drive);
  return writeTail(pathEnd, end, out, FILE);
}

function writeFileRelative(p: usize, end: usize, out: usize): usize {
  const pathEnd = findPathEnd(p, end);
  if (pathEnd === p) return writeSamePath(p, end, out);
  out = writeBytes(baseStart, baseHeadEnd, out);
  const pathStart = out;
  let drive = false;
  if (!startsWithDriveLetter(p, end)) {
    drive = baseHasDrive();
    const keep = isDrivePath(basePath, basePathEnd) ? basePathEnd : baseLastSlash();
    out = writeBytes(basePath, keep, out);
  }
  out = writeSegments(p, pathEnd, out, pathStart, FILE, drive);
  return writeTail(pathEnd, end, out, FILE);
}

/** Returns whether a text starts with a Windows drive letter (URL Standard). */
function startsWithDriveLetter(p: usize, end: usize): bool {
  if (end - p < 2 || !isDriveLetter(p, p + 2)) return false;
  if (end - p === 2) return true;
  const byte = load<u8>(p, 2);
  return isSlash(byte, FILE) || byte === QUESTION || byte === HASH;
}

/** Returns whether the first segment of the base's path is a drive letter. */
function baseHasDrive(): bool {
  const length = basePathEnd - basePath;
  if (length < 3 || !isDrivePath(basePath, basePath + 3)) return false;
  return length === 3 || isSlash(load<u8>(basePath, 3), FILE);
}
