import { type Base, headOf, writeGuarded } from "./base.ts";
import { COLON, hasClass, isAlpha, PATH, SCHEME } from "./chars.ts";
import { find, writeComponent } from "./component.ts";
import { Failure } from "./failure.ts";
import { writeFileReference } from "./file.ts";
import {
  findAuthorityEnd,
  findPathEnd,
  writeHierarchy,
  writeSamePath,
  writeTail,
} from "./hierarchy.ts";
import { findPlainEnd, writeAuthority } from "./host/authority.ts";
import { isSlash, PathWriter } from "./path/path.ts";
import { isSpecial, schemeEnd, schemeOf } from "./scheme.ts";

/**
 * Writes the normal form (docs/spec.md 2 and 3) of a URL or reference, which has no surrounding
 * space and no TAB, LF or CR.
 */
export function writeUrl(text: string, base: Base | null): string | Failure {
  const colon = schemeEnd(text);
  if (colon < 0) {
    if (base === null) return failWithoutScheme(text);
    if (base.scheme === "file") return writeFileReference(text, 0, base);
    return base.special ? writeSpecialReference(text, 0, base) : writeOtherReference(text, base);
  }
  const scheme = schemeOf(text, colon);
  const rest = colon + 1;
  if (scheme === "file")
    return writeFileReference(text, rest, base?.scheme === "file" ? base : null);
  if (!isSpecial(scheme)) return writeOther(text, rest, scheme);
  if (scheme === base?.scheme && !text.startsWith("//", rest)) {
    return writeSpecialReference(text, rest, base);
  }
  return writeSpecial(text, rest, scheme);
}

/**
 * Writes an http or https URL of printable ASCII that is in normal form up to `normal`, which is in its path
 * or after it (see `normalEnd`).
 */
export function writeFromPath(text: string, normal: number): string {
  // No path begins before index 8, as in `http://a/`.
  const path = text.indexOf("/", 8);
  return text.slice(0, path) + writeHierarchy(text, path, "http", normal);
}

function failWithoutScheme(text: string): Failure {
  const stop = findAuthorityEnd(text, 0, true);
  if (find(text, 0, stop, COLON) === stop) return new Failure("NO_SCHEME", 0);
  let bad = 0;
  if (isAlpha(text.charCodeAt(0))) while (hasClass(text.charCodeAt(bad), SCHEME)) bad++;
  return new Failure("BAD_SCHEME", bad);
}

/** Writes what follows `scheme:` of a special scheme other than file: any slashes, authority, path. */
function writeSpecial(text: string, start: number, scheme: string): string | Failure {
  let from = start;
  while (from < text.length && isSlash(text.charCodeAt(from), true)) from++;
  const plain = findPlainEnd(text, from);
  const stop = findAuthorityEnd(text, plain, true);
  const authority = writeAuthority(text, from, stop, scheme, plain);
  if (typeof authority !== "string") return authority;
  return `${scheme}://${authority}${writeHierarchy(text, stop, scheme)}`;
}

/**
 * Writes a reference without a scheme, or with the base's, to a special base (URL Standard, "relative
 * state").
 */
function writeSpecialReference(text: string, start: number, base: Base): string | Failure {
  if (start < text.length && isSlash(text.charCodeAt(start), true)) {
    if (start + 1 < text.length && isSlash(text.charCodeAt(start + 1), true)) {
      return writeSpecial(text, start, base.scheme);
    }
    return headOf(base) + writeHierarchy(text, start, base.scheme);
  }
  const pathEnd = findPathEnd(text, start);
  if (pathEnd === start) return writeSamePath(text, start, base);
  const path = new PathWriter(base.scheme);
  path.keep(base.path);
  path.add(text, start, pathEnd);
  return headOf(base) + path.toString() + writeTail(text, pathEnd, true);
}

/** Writes what follows `scheme:` of a scheme that is not special (RFC 3986 appendix B). */
function writeOther(text: string, start: number, scheme: string): string | Failure {
  let authority = "";
  let pathStart = start;
  if (text.startsWith("//", start)) {
    pathStart = findAuthorityEnd(text, start + 2, false);
    const written = writeAuthority(text, start + 2, pathStart, scheme);
    if (typeof written !== "string") return written;
    authority = `//${written}`;
  }
  const pathEnd = findPathEnd(text, pathStart);
  let path = "";
  if (text.startsWith("/", pathStart)) {
    const writer = new PathWriter(scheme);
    writer.add(text, pathStart + 1, pathEnd);
    path = writeGuarded(authority, writer.toString());
  } else {
    path = writeComponent(text, pathStart, pathEnd, PATH);
  }
  return `${scheme}:${authority}${path}${writeTail(text, pathEnd, false)}`;
}

/** Writes a reference to a base whose scheme is not special (RFC 3986 5.2.2). */
function writeOtherReference(text: string, base: Base): string | Failure {
  if (text.startsWith("//")) return writeOther(text, 0, base.scheme);
  const pathEnd = findPathEnd(text, 0);
  if (pathEnd === 0) return writeSamePath(text, 0, base);
  const path = mergePath(text, pathEnd, base);
  return headOf(base) + writeGuarded(base.authority, path) + writeTail(text, pathEnd, false);
}

/** Merges the path of a reference with that of the base (RFC 3986 5.2.3) and removes dot segments (5.2.4). */
function mergePath(text: string, pathEnd: number, base: Base): string {
  const writer = new PathWriter(base.scheme);
  if (text.startsWith("/")) {
    writer.add(text, 1, pathEnd);
    return writer.toString();
  }
  if (base.authority !== "" || base.path.startsWith("/")) {
    writer.keep(base.path);
    writer.add(text, 0, pathEnd);
    return writer.toString();
  }
  const merged = base.path.slice(0, base.path.lastIndexOf("/") + 1) + text.slice(0, pathEnd);
  writer.add(merged, 0, merged.length);
  return writer.toRootless();
}
