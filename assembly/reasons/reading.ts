/*
 * Which rules of SPEC sections 2 and 3 changed a URL: compares it, component by component, with what
 * url.ts made of it. Only rows whose reasons are asked for come here.
 * Memory: reads the URL and its normal form between the pointers it is given.
 */
import { findPort } from "../url/authority";
import { baseScheme, hasBase, startsWithSlashes } from "../url/base";
import {
  AT,
  BACKSLASH,
  DOT,
  FRAGMENT,
  HASH,
  hasClass,
  isDigit,
  PATH,
  PERCENT,
  QUESTION,
  SLASH,
  SPECIAL_QUERY,
  tripletValue,
  UNRESERVED,
  ZERO,
} from "../url/chars";
import { find, findOutside, lowered, sameBytes } from "../url/component";
import { findAuthorityEnd, findPathEnd } from "../url/hierarchy";
import { isSlash } from "../url/path";
import { defaultPort, FILE, HTTP, OTHER, schemeAt, schemeEnd } from "../url/scheme";
import { DOMAIN, setOf, splat } from "../url/sets";
import {
  BY_BASE,
  BY_DEFAULT_PORT,
  BY_DOT_SEGMENTS,
  BY_EMPTY_PATH,
  BY_EMPTY_PORT,
  BY_HOST,
  BY_HOST_CASE,
  BY_PERCENT_ENCODING,
  BY_PORT,
  BY_SCHEME_CASE,
  BY_SLASHES,
  BY_TRIPLET_CASE,
  BY_UNRESERVED_TRIPLETS,
  BY_USERINFO,
  note,
  UNTOLD,
} from "./reasons";

/**
 * Notes what reading changed of the URL or reference `[p, end)`, which has no surrounding space and no
 * TAB, LF and CR, and whose normal form is `[out, stop)`.
 */
export function noteReading(p: usize, end: usize, out: usize, stop: usize): void {
  if (end - p === stop - out && sameBytes(p, out, end - p)) return;
  const colon = schemeEnd(p, end);
  if (colon === 0) {
    note(BY_BASE);
    return;
  }
  const scheme = schemeAt(p, colon);
  const rest = colon + 1;
  const isPlain = startsWithSlashes(rest, end);
  if (scheme === OTHER || scheme === FILE || (hasBase && scheme === baseScheme && !isPlain)) {
    note(UNTOLD);
    return;
  }
  if (!sameBytes(p, out, colon - p)) note(BY_SCHEME_CASE);
  let authority = rest;
  while (authority < end && isSlash(load<u8>(authority), HTTP)) authority++;
  if (authority - rest !== 2 || !isPlain) note(BY_SLASHES);
  let stopped = findOutside(authority, end, DOMAIN);
  const outAuthority = out + (rest - p) + 2;
  const outEnd = find(outAuthority, stop, SLASH);
  if (stopped < end && load<u8>(stopped) === SLASH) {
    noteHost(authority, stopped, outAuthority, outEnd);
  } else {
    stopped = findAuthorityEnd(authority, end, HTTP);
    noteAuthority(authority, stopped, outAuthority, outEnd, scheme);
  }
  const length = end - stopped;
  if (length !== stop - outEnd || !sameBytes(stopped, outEnd, length)) noteRest(stopped, end);
}

/** The same for path, query and fragment, after the authority. */
function noteRest(p: usize, end: usize): void {
  const pathEnd = findPathEnd(p, end);
  if (p === pathEnd) note(BY_EMPTY_PATH);
  notePath(p, pathEnd);
  if (pathEnd === end) return;
  const hash = find(pathEnd, end, HASH);
  if (load<u8>(pathEnd) === QUESTION) noteComponent(pathEnd + 1, hash, SPECIAL_QUERY);
  if (hash < end) noteComponent(hash + 1, end, FRAGMENT);
}

/** Compares the authority `[p, end)` with the written one. */
function noteAuthority(p: usize, end: usize, out: usize, outEnd: usize, scheme: i32): void {
  const at = find(out, outEnd, AT);
  const outHost = at === outEnd ? out : at + 1;
  const host = afterLastAt(p, end);
  const length = host - p;
  if (length !== outHost - out || !sameBytes(p, out, length)) note(BY_USERINFO);
  const port = findPort(host, end);
  noteHost(host, port, outHost, findPort(outHost, outEnd));
  notePort(port, end, defaultPort(scheme));
}

function afterLastAt(p: usize, end: usize): usize {
  let host = p;
  for (let at = find(p, end, AT); at < end; at = find(host, end, AT)) host = at + 1;
  return host;
}

/** The digits of triplets are not letters of the host. */
function noteHost(p: usize, end: usize, out: usize, stop: usize): void {
  if (find(p, end, PERCENT) < end) {
    noteEncodedHost(p, end);
    return;
  }
  const length = end - p;
  if (length !== stop - out) note(BY_HOST);
  for (let at: usize = 0; at < length; at += 16) {
    const block = v128.load(p + at);
    const lower = lowered(block);
    const inside = at + 16 <= length ? 0xffff : ((<u32>1) << (<u32>(length - at))) - 1;
    if ((i8x16.bitmask(i8x16.ne(block, lower)) & inside) !== 0) note(BY_HOST_CASE);
    if ((i8x16.bitmask(i8x16.ne(v128.load(out + at), lower)) & inside) !== 0) note(BY_HOST);
  }
}

function noteEncodedHost(p: usize, end: usize): void {
  note(BY_HOST);
  while (p < end) {
    if (tripletValue(p, end) >= 0) p += 3;
    else if (<u8>(load<u8>(p++) - 0x41) < 26) note(BY_HOST_CASE);
  }
}

/** `[p, end)` is empty or a `:` and digits. */
function notePort(p: usize, end: usize, implied: i32): void {
  if (p === end) return;
  if (end - p === 1) {
    note(BY_EMPTY_PORT);
    return;
  }
  if (load<u8>(p, 1) === ZERO && end - p > 2) note(BY_PORT);
  let port = 0;
  for (p++; p < end && isDigit(load<u8>(p)); p++) port = port * 10 + <i32>(load<u8>(p) - ZERO);
  if (port === implied) note(BY_DEFAULT_PORT);
}

function notePath(p: usize, end: usize): void {
  if (!noteComponent(p, end, PATH)) {
    if (hasDotSegment(p, end)) note(BY_DOT_SEGMENTS);
    return;
  }
  for (let at = p; at < end; at++) {
    if (!isSlash(load<u8>(at), HTTP)) continue;
    if (load<u8>(at) === BACKSLASH) note(BY_SLASHES);
    if (isDotSegment(at + 1, end)) note(BY_DOT_SEGMENTS);
  }
}

/** Whether a path without `\` and dots in the form of triplets has a dot segment. */
function hasDotSegment(p: usize, end: usize): bool {
  const dot = splat(DOT);
  const slash = splat(SLASH);
  for (; p < end; p += 16) {
    const dots = v128.and(i8x16.eq(v128.load(p, 1), dot), i8x16.eq(v128.load(p), slash));
    let lanes: u32 = i8x16.bitmask(dots);
    for (; lanes !== 0; lanes &= lanes - 1) {
      const at = p + <usize>ctz(lanes);
      if (at < end && isDotSegment(at + 1, end)) return true;
    }
  }
  return false;
}

/** Whether one dot or two, triplets or not, are all of the segment at `p`. */
function isDotSegment(p: usize, end: usize): bool {
  for (let dots = 0; dots < 2; dots++) {
    const length = dotLength(p, end);
    if (length === 0) return false;
    p += length;
    if (p === end || isSlash(load<u8>(p), HTTP)) return true;
  }
  return false;
}

/** Bytes of a dot at `p`, or 0. */
function dotLength(p: usize, end: usize): usize {
  if (p === end) return 0;
  if (load<u8>(p) === DOT) return 1;
  return tripletValue(p, end) === <i32>DOT ? 3 : 0;
}

/**
 * Notes what writeComponent has to do. Returns whether there is a dot in the form of a triplet, or a `\`,
 * which is a slash where it stands in a path.
 */
function noteComponent(p: usize, end: usize, allowed: u8): bool {
  const set = setOf(allowed);
  let mayHide = false;
  for (p = findOutside(p, end, set); p < end; p = findOutside(p, end, set)) {
    const byte = load<u8>(p);
    const value = tripletValue(p, end);
    if (value >= 0) {
      if (hasLowerDigit(load<u8>(p, 1)) || hasLowerDigit(load<u8>(p, 2))) note(BY_TRIPLET_CASE);
      if (hasClass(<u8>value, UNRESERVED)) note(BY_UNRESERVED_TRIPLETS);
      if (value === <i32>DOT) mayHide = true;
      p += 3;
      continue;
    }
    if (byte === BACKSLASH) mayHide = true;
    if (byte !== BACKSLASH || allowed !== PATH) note(BY_PERCENT_ENCODING);
    // What decoding leaves after a stray `%` may look like a triplet to `explain`.
    if (byte === PERCENT) note(UNTOLD);
    p++;
  }
  return mayHide;
}

function hasLowerDigit(byte: u8): bool {
  return byte >= 0x61;
}
