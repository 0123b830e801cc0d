/*
 * Memory: reads a normalized URL between the pointers it is given, and up to 15 bytes after it. Writes at `out`, at most three
 * bytes for each that it reads. Uses the pieces region.
 */

import { isRoute } from "./options/fragment";
import {
  addPiece,
  areEqual,
  beginPieces,
  isSorted,
  pieceCount,
  pieceEnd,
  pieceStart,
} from "./options/param-slices";
import { sortPieces } from "./options/sort-pieces";
import {
  AMPERSAND,
  AT,
  COLON,
  EQUALS,
  HASH,
  hexValue,
  isDigit,
  LEFT_BRACKET,
  PERCENT,
  QUESTION,
  RIGHT_BRACKET,
  SLASH,
  tripletValue,
} from "./url/chars";
import { find, findEither, writeBytes } from "./url/component";
import { schemeEnd } from "./url/scheme";

const MINUS: u8 = 0x2d;
/** Hexadecimal digits that an id has at least. */
const SHORTEST_HEX: usize = 16;
/** Bytes of a UUID (RFC 9562 4), and of its first group. */
const UUID: usize = 36;
const UUID_HEAD: usize = 8;
/** `<N>`, `<H>` and `<U>`, which stand for ids. No URL has a `<`. */
const NUMBER: usize = memory.data(48, 16);
const HEX: usize = NUMBER + 16;
const UUID_MARK: usize = NUMBER + 32;
const MARK_BYTES: usize = 3;

store<u32>(NUMBER, 0x3e4e3c);
store<u32>(HEX, 0x3e483c);
store<u32>(UUID_MARK, 0x3e553c);

/** Writes the template of a URL, as src/url/template.ts says. Returns the end. */
export function writeTemplate(p: usize, end: usize, out: usize): usize {
  const fragment = find(p, end, HASH);
  const question = find(p, fragment, QUESTION);
  const path = pathStart(p, question);
  out = writeBytes(p, path, out);
  out = writeMarked(path, question, out);
  if (question < fragment) out = writeNames(question + 1, fragment, out);
  return isRoute(fragment + 1, end) ? writeMarked(fragment, end, out) : out;
}

/** Writes the host of a URL. Returns the end, or 0 if it has no host. */
export function writeHostAlone(p: usize, end: usize, out: usize): usize {
  const path = pathStart(p, find(p, find(p, end, HASH), QUESTION));
  const start = schemeEnd(p, path) + 1;
  let host = hasAuthority(start, path) ? start + 2 : path;
  const at = find(host, path, AT);
  if (at < path) host = at + 1;
  const isAddress = host < path && load<u8>(host) === LEFT_BRACKET;
  const stop = isAddress ? find(host, path, RIGHT_BRACKET) + 1 : find(host, path, COLON);
  return host === stop ? 0 : writeBytes(host, stop, out);
}

/** Returns where the path of a URL begins; `end` ends the path. */
function pathStart(p: usize, end: usize): usize {
  const start = schemeEnd(p, end) + 1;
  return hasAuthority(start, end) ? find(start + 2, end, SLASH) : start;
}

function hasAuthority(p: usize, end: usize): bool {
  return end - p >= 2 && load<u8>(p) === SLASH && load<u8>(p, 1) === SLASH;
}

/** Writes a path or a route with its ids marked. Triplets stay. */
function writeMarked(p: usize, end: usize, out: usize): usize {
  while (p < end) {
    const byte = load<u8>(p);
    if (hexValue(byte) < 0) {
      const length: usize = byte === PERCENT && tripletValue(p, end) >= 0 ? 3 : 1;
      store<u32>(out, load<u32>(p));
      out += length;
      p += length;
      continue;
    }
    const stop = idEnd(p, end);
    const mark = markOf(p, stop);
    if (mark === 0) out = writeNumbers(p, stop, out);
    else {
      store<u32>(out, load<u32>(mark));
      out += MARK_BYTES;
    }
    p = stop;
  }
  return out;
}

/** Returns the end of the UUID at `p`, else of the run of hexadecimal digits there. */
function idEnd(p: usize, end: usize): usize {
  let stop = p;
  while (stop < end && hexValue(load<u8>(stop)) >= 0) stop++;
  return stop - p === UUID_HEAD && isUuid(p, end) ? p + UUID : stop;
}

/** Returns whether a text that begins with the first group of a UUID is one, and no digit comes after it. */
function isUuid(p: usize, end: usize): bool {
  if (end - p < UUID || (end - p > UUID && hexValue(load<u8>(p, UUID)) >= 0)) return false;
  for (let at = UUID_HEAD; at < UUID; at++) {
    const isDash = at === 8 || at === 13 || at === 18 || at === 23;
    const byte = load<u8>(p + at);
    if (isDash ? byte !== MINUS : hexValue(byte) < 0) return false;
  }
  return true;
}

/** Returns the address of the mark for what idEnd ended; 0 if it is too short to be an id, and has a letter. */
function markOf(p: usize, stop: usize): usize {
  let at = p;
  while (at < stop && isDigit(load<u8>(at))) at++;
  if (at === stop) return NUMBER;
  if (stop - p < SHORTEST_HEX) return 0;
  return stop - p === UUID && load<u8>(p, UUID_HEAD) === MINUS ? UUID_MARK : HEX;
}

/** Writes a text with each run of decimal digits marked. */
function writeNumbers(p: usize, end: usize, out: usize): usize {
  while (p < end) {
    const byte = load<u8>(p++);
    if (isDigit(byte)) {
      while (p < end && isDigit(load<u8>(p))) p++;
      store<u32>(out, load<u32>(NUMBER));
      out += MARK_BYTES;
    } else store<u8>(out++, byte);
  }
  return out;
}

/** Writes `?` and the names of the parameters of a query, in order, each once. Writes nothing for a query without names. */
function writeNames(p: usize, end: usize, out: usize): usize {
  beginPieces(false, false);
  while (true) {
    const name = findEither(p, end, EQUALS, AMPERSAND);
    if (p < name) addName(p, name);
    const stop = find(name, end, AMPERSAND);
    if (stop === end) break;
    p = stop + 1;
  }
  if (!isSorted()) sortPieces();
  for (let i = 0; i < pieceCount; i++) {
    if (i > 0 && areEqual(i - 1, i)) continue;
    store<u8>(out++, i === 0 ? QUESTION : AMPERSAND);
    // Not writeShort: see there.
    out = writeBytes(pieceStart(i), pieceEnd(i), out);
  }
  return out;
}

/** Adds a name, or the mark of a name that is an id. */
function addName(p: usize, end: usize): void {
  const mark: usize = hexValue(load<u8>(p)) >= 0 && idEnd(p, end) === end ? markOf(p, end) : 0;
  if (mark === 0) addPiece(p, end, end);
  else addPiece(mark, mark + MARK_BYTES, mark + MARK_BYTES);
}
