/*
 * Applies the options (docs/spec.md 4) to a URL in normal form.
 * Memory: reads the URL between the pointers it is given and the plan region, writes at `out`.
 */

import {
  BY_EXPLICIT_PORT,
  BY_SCHEME,
  BY_USERINFO,
  choiceOf,
  EXPLICIT_PORT_CHOICE,
  SCHEME_CHOICE,
  USERINFO_CHOICE,
} from "../catalog.generated";
import { defaultProfile, schemesTable } from "../plan";
import { note } from "../reasons";
import { findName } from "../tables";
import { hasPathGuard, startsWithSlashes } from "../url/base";
import { AT, COLON, HASH, LEFT_BRACKET, QUESTION, RIGHT_BRACKET, SLASH } from "../url/chars";
import { find, writeBytes } from "../url/component";
import { findAuthorityEnd, findPathEnd } from "../url/hierarchy";
import { guardPath } from "../url/other-scheme";
import { defaultPort, FILE, HTTP, HTTPS, OTHER, schemeAt, writeScheme } from "../url/scheme";
import { keptFragmentEnd } from "./fragment";
import { hostEnd, hostStart, moveHost, profileOf } from "./host";
import { writePath } from "./path";
import { writeQuery } from "./query";

/** Writes what the options make of the normalized URL `[p, end)`; returns 0 if its scheme does not pass. */
export function rewriteUrl(p: usize, end: usize, out: usize): usize {
  const colon = find(p, end, COLON);
  if (schemesTable !== 0 && findName(schemesTable, p, colon) === 0) return 0;
  const scheme = schemeAt(p, colon);
  const isWeb = scheme !== OTHER && scheme !== FILE;
  const hasAuthority = startsWithSlashes(colon + 1, end);
  let path = colon + 1;
  let profile = defaultProfile;
  let written = scheme;
  if (hasAuthority) {
    const authority = colon + 3;
    path = findAuthorityEnd(authority, end, OTHER);
    const at = find(authority, path, AT);
    const host = at === path ? authority : at + 1;
    const port = findPort(host, path);
    moveHost(host, port, isWeb);
    if (isWeb) profile = profileOf(hostStart, hostEnd);
    written = schemeToWrite(scheme, choiceOf(profile, SCHEME_CHOICE));
    out = written === scheme ? writeBytes(p, colon + 1, out) : writeScheme(written, out);
    store<u16>(out, 0x2f2f);
    out += 2;
    if (written !== scheme) note(BY_SCHEME);
    if (at < path) {
      if (choiceOf(profile, USERINFO_CHOICE) === 0) out = writeBytes(authority, at + 1, out);
      else note(BY_USERINFO);
    }
    out = writeBytes(hostStart, hostEnd, out);
    const isImplied = written !== scheme && isPort(port, path, defaultPort(written));
    if (port < path && !isImplied) {
      if (choiceOf(profile, EXPLICIT_PORT_CHOICE) === 0) out = writeBytes(port, path, out);
      else note(BY_EXPLICIT_PORT);
    }
  } else {
    out = writeBytes(p, path, out);
    if (hasPathGuard(path, end)) path += 2;
  }
  return writeRest(path, end, out, profile, scheme, hasAuthority);
}

/**
 * Returns the scheme to write by the choice of `scheme`: keep, http or https. Any scheme but these two stays.
 */
function schemeToWrite(scheme: i32, choice: u32): i32 {
  if (choice === 0 || (scheme !== HTTP && scheme !== HTTPS)) return scheme;
  return choice === 1 ? HTTP : HTTPS;
}

/** Returns the `:` before the port of a normalized authority, or `end`. */
function findPort(host: usize, end: usize): usize {
  if (host < end && load<u8>(host) === LEFT_BRACKET) host = find(host, end, RIGHT_BRACKET);
  return find(host, end, COLON);
}

/** Returns whether `[p, end)` is `:` and the number. */
function isPort(p: usize, end: usize, number: i32): bool {
  let value = 0;
  for (let at = p + 1; at < end; at++) value = value * 10 + <i32>(load<u8>(at) - 0x30);
  return p < end && value === number;
}

function writeRest(
  p: usize,
  end: usize,
  out: usize,
  profile: usize,
  scheme: i32,
  hasAuthority: bool,
): usize {
  const pathEnd = findPathEnd(p, end);
  const hash = find(pathEnd, end, HASH);
  if (p < pathEnd && load<u8>(p) === SLASH) {
    const pathStart = out;
    out = writePath(p, pathEnd, out, profile, scheme);
    if (!hasAuthority) out = guardPath(pathStart, out);
  } else if (!hasAuthority) {
    // An opaque path has no segments, and the text after its `?` has no parameters.
    return writeFragment(hash, end, writeBytes(p, hash, out), profile);
  }
  if (pathEnd < hash && load<u8>(pathEnd) === QUESTION)
    out = writeQuery(pathEnd + 1, hash, out, profile);
  return writeFragment(hash, end, out, profile);
}

/** Writes what the options leave of `[p, end)`, which is empty or begins with `#`. */
function writeFragment(p: usize, end: usize, out: usize, profile: usize): usize {
  return writeBytes(p, keptFragmentEnd(p, end, profile), out);
}
