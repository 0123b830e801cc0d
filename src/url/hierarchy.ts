import { type Base, headOf, writeGuarded } from "./base.ts";
import { BACKSLASH, FRAGMENT, HASH, PATH, QUESTION, SLASH, SPECIAL_QUERY } from "./chars.ts";
import { writeComponent } from "./component.ts";
import { normalRestEnd } from "./normal-text.ts";
import { withoutDotSegments } from "./path/dot-segments.ts";
import { isSlash, PathWriter } from "./path/path.ts";

/** Returns the end of a path that begins at `start`: its `?`, its `#` or the end of the text. */
export function findPathEnd(text: string, start: number): number {
  const hash = text.indexOf("#", start);
  const end = hash < 0 ? text.length : hash;
  const question = text.indexOf("?", start);
  return question < 0 || question > end ? end : question;
}

/**
 * Returns the end of an authority that begins at `start`: its `/` (or `\` if the scheme is special), its `?`,
 * its `#` or the end of the text.
 */
export function findAuthorityEnd(text: string, start: number, special: boolean): number {
  let at = start;
  while (at < text.length && !endsAuthority(text.charCodeAt(at), special)) at++;
  return at;
}

function endsAuthority(code: number, special: boolean): boolean {
  return code === SLASH || code === QUESTION || code === HASH || (special && code === BACKSLASH);
}

/**
 * Writes path, query and fragment after an authority of a special scheme, and a first `/` if it is missing.
 * The text is in normal form up to `normal`.
 */
export function writeHierarchy(
  text: string,
  start: number,
  scheme: string,
  normal: number = normalRestEnd(text, start),
): string {
  if (scheme === "file") return writeSegments(text, start, findPathEnd(text, start), scheme);
  if (normal > start && normal === text.length) return text.slice(start);
  const pathEnd = findPathEnd(text, start);
  if (normal > pathEnd) return text.slice(start, normal) + writeTailFrom(text, pathEnd, normal);
  if (text.charCodeAt(start) !== SLASH || text.includes("\\", normal))
    return writeSegments(text, start, pathEnd, scheme);
  const path = text.slice(start, normal) + writeComponent(text, normal, pathEnd, PATH);
  return withoutDotSegments(path) + writeTail(text, pathEnd, true);
}

/** Writes a path segment by segment. A `\` ends a segment, and a drive letter stays. */
function writeSegments(text: string, start: number, pathEnd: number, scheme: string): string {
  const slash = start < pathEnd && isSlash(text.charCodeAt(start), true);
  const path = new PathWriter(scheme);
  path.add(text, slash ? start + 1 : start, pathEnd);
  return path.toString() + writeTail(text, pathEnd, true);
}

/** Writes the rest of query and fragment, from `from` on. The path ends at `start`. */
function writeTailFrom(text: string, start: number, from: number): string {
  const hash = text.indexOf("#", start);
  if (hash < 0) return writeComponent(text, from, text.length, SPECIAL_QUERY);
  if (hash < from) return writeComponent(text, from, text.length, FRAGMENT);
  return writeComponent(text, from, hash, SPECIAL_QUERY) + writeTail(text, hash, true);
}

/** Writes query and fragment, from the `?` or `#` at `start` if any. */
export function writeTail(text: string, start: number, special: boolean): string {
  if (start === text.length) return "";
  let tail = "";
  let hash = start;
  if (text.charCodeAt(start) === QUESTION) {
    const next = text.indexOf("#", start);
    hash = next < 0 ? text.length : next;
    tail = `?${writeComponent(text, start + 1, hash, special ? SPECIAL_QUERY : FRAGMENT)}`;
    if (hash === text.length) return tail;
  }
  return `${tail}#${writeComponent(text, hash + 1, text.length, FRAGMENT)}`;
}

/**
 * Writes a reference without a path: the base up to its path, and its query too unless the reference has a
 * query.
 */
export function writeSamePath(text: string, start: number, base: Base): string {
  const query = text.charCodeAt(start) === QUESTION ? "" : base.query;
  const path = writeGuarded(base.authority, base.path);
  return headOf(base) + path + query + writeTail(text, start, base.special);
}
