import { type Base, headOf } from "./base.ts";
import { AT, HASH, QUESTION } from "./chars.ts";
import { find } from "./component.ts";
import { Failure } from "./failure.ts";
import {
  findAuthorityEnd,
  findPathEnd,
  writeHierarchy,
  writeSamePath,
  writeTail,
} from "./hierarchy.ts";
import { writeDomainHost } from "./host/host.ts";
import { isDriveLetter, isSlash, PathWriter } from "./path/path.ts";

/**
 * Writes what follows `file:`, or a reference to a `file` base (URL Standard, "file state", "file
 * slash state", "file host state").
 */
export function writeFileReference(
  text: string,
  start: number,
  base: Base | null,
): string | Failure {
  if (start < text.length && isSlash(text.charCodeAt(start), true)) {
    if (start + 1 < text.length && isSlash(text.charCodeAt(start + 1), true)) {
      return writeFileHost(text, start + 2);
    }
    if (base !== null) return writeRooted(text, start + 1, base);
  } else if (base !== null) {
    return writeRelative(text, start, base);
  }
  return `file://${writeHierarchy(text, start, "file")}`;
}

/** Writes `file://host/path`. A drive letter in the place of the host begins the path instead. */
function writeFileHost(text: string, start: number): string | Failure {
  const stop = findAuthorityEnd(text, start, true);
  if (stop === start || isDriveLetter(text.slice(start, stop))) {
    return `file://${writeHierarchy(text, start, "file")}`;
  }
  const at = find(text, start, stop, AT);
  if (at < stop) return new Failure("BAD_USERINFO", at);
  const host = writeDomainHost(text, start, stop);
  if (typeof host !== "string") return host;
  return `file://${host === "localhost" ? "" : host}${writeHierarchy(text, stop, "file")}`;
}

/** Writes `/path` with the host of the base, and with its drive letter unless the path has one. */
function writeRooted(text: string, start: number, base: Base): string {
  const path = new PathWriter("file");
  if (!startsWithDriveLetter(text, start)) path.keepDrive(base.path);
  return writeOnto(text, start, base, path);
}

function writeRelative(text: string, start: number, base: Base): string {
  if (findPathEnd(text, start) === start) return writeSamePath(text, start, base);
  const path = new PathWriter("file");
  if (!startsWithDriveLetter(text, start)) path.keep(base.path);
  return writeOnto(text, start, base, path);
}

function writeOnto(text: string, start: number, base: Base, path: PathWriter): string {
  const pathEnd = findPathEnd(text, start);
  path.add(text, start, pathEnd);
  return headOf(base) + path.toString() + writeTail(text, pathEnd, true);
}

/** Returns whether a text starts with a Windows drive letter (URL Standard). */
function startsWithDriveLetter(text: string, start: number): boolean {
  if (!isDriveLetter(text.slice(start, start + 2))) return false;
  if (start + 2 === text.length) return true;
  const code = text.charCodeAt(start + 2);
  return isSlash(code, true) || code === QUESTION || code === HASH;
}
