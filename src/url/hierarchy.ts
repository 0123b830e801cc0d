import { type Base, headOf, writeGuarded } from "./base.ts";
import { BACKSLASH, FRAGMENT, HASH, PATH, QUESTION, SLASH, SPECIAL_QUERY } from "./chars.ts";
import { writeComponent } from "./component.ts";
import { isNormalRest } from "./normal-text.ts";
import { isSlash, PathWriter } from "./path.ts";

/** Returns where a path ends that begins at `start`: at its `?`, its `#` or the end of the text. */
export function findPathEnd(text: string, start: number): number {
  const hash = text.indexOf("#", start);
  const end = hash < 0 ? text.length : hash;
  const question = text.indexOf("?", start);
  return question < 0 || question > end ? end : question;
}

/**
 * Returns where an authority ends that begins at `start`: at its `/` (or `\` if the scheme is
 * special), its `?`, its `#` or the end of the text.
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
 * Writes path, query and fragment after an authority of a special scheme, and a first `/` if it is
 * missing.
 */
export function writeHierarchy(text: string, start: number, scheme: string): string {
  if (scheme !== "file" && isNormalRest(text, start)) return text.slice(start);
  const pathEnd = findPathEnd(text, start);
  if (scheme !== "file" && text.charCodeAt(start) === SLASH && !text.includes("\\", start)) {
    const written = writeComponent(text, start, pathEnd, PATH);
    if (!written.includes("/.")) return written + writeTail(text, pathEnd, true);
  }
  const slash = start < pathEnd && isSlash(text.charCodeAt(start), true);
  const path = new PathWriter(scheme);
  path.add(text, slash ? start + 1 : start, pathEnd);
  return path.toString() + writeTail(text, pathEnd, true);
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
 * Writes a reference without a path: the base up to its query if the reference has none, up to its
 * path else.
 */
export function writeSamePath(text: string, start: number, base: Base): string {
  const query = text.charCodeAt(start) === QUESTION ? "" : base.query;
  const path = writeGuarded(base.authority, base.path);
  return headOf(base) + path + query + writeTail(text, start, base.special);
}
