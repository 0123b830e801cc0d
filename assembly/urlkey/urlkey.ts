/*
 * Memory: reads a row between the pointers it is given, and up to 15 bytes after it. Writes its key at `out`, at most as
 * many bytes as any row. Copies the row to `text` if bytes must be removed.
 */

import { textStart } from "../memory";
import { keepsWww } from "../plan";
import { BAD_PORT, EMPTY, fail } from "../status";
import {
  AT,
  COLON,
  CR,
  HASH,
  isDigit,
  LEFT_BRACKET,
  QUESTION,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SLASH,
  SPACE,
  TAB,
  ZERO,
} from "../url/chars";
import { find, findEither, writeBytes } from "../url/component";
import { writeDecimal } from "../url/ipv4";
import { copyWithoutRemoved, hasRemoved } from "../url/removed";
import { HTTP, HTTPS, schemeAt, schemeEnd } from "../url/scheme";
import { storeLowerTriplet } from "./escapes";
import { hostEnd, hostStart, readHost, removeWww, writeLabels } from "./host";
import { writePath } from "./path";
import { writeQuery } from "./query";

/** Words of text, little-endian. */
const FILEDESC: u64 = 0x6373_6564_656c_6966;
const HTTP_NAME: u32 = 0x7074_7468;
const HTTP_HEAD: u64 = 0x2f_2f3a_7074_7468;
const HTTPS_HEAD: u64 = 0x2f2f_3a73_7074_7468;
const SEVEN_BYTES: u64 = 0xff_ffff_ffff_ffff;
const DELETE: u8 = 0x7f;
const DNS: u32 = 0x73_6e64;
const LARGEST_PORT: u32 = 65535;
/** A path of one slash, and bytes after it. */
const ROOT: usize = memory.data(32, 16);
/** What readPort returns for a text that is not a port. */
const NO_PORT: u32 = u32.MAX_VALUE;

store<u8>(ROOT, SLASH);

// The parts of the URL that was read last, as they were written.

let hostFrom: usize = 0;
let hostTo: usize = 0;
let portFrom: usize = 0;
let portTo: usize = 0;
let pathFrom: usize = 0;
let pathTo: usize = 0;

/**
 * Writes the key of a URL in indexes of web archives, as writeUrlkey of src/url/urlkey says. Returns the end, or 0 with
 * EMPTY or BAD_PORT at the start of the row.
 */
export function writeUrlkey(row: usize, end: usize, out: usize): usize {
  if (end - row >= 8 && load<u64>(row) === FILEDESC) return writeDescription(row, end, out);
  let p = row;
  while (p < end && isSpace(load<u8>(p))) p++;
  while (end > p && isSpace(load<u8>(end - 1))) end--;
  if (p === end) return fail(EMPTY, row);
  if (hasRemoved(p, end)) {
    end = copyWithoutRemoved(p, end, textStart);
    p = textStart;
  }
  p = lastScheme(p, end);
  const colon = schemeEnd(p, end);
  end = find(p, end, HASH);
  const hasScheme = colon !== 0;
  const question = readParts(p, colon, end);
  const isWeb = !hasScheme || (colon - p >= 4 && load<u32>(p) === HTTP_NAME);
  if (hostFrom === hostTo && pathFrom < pathTo && isWeb) readHostOfPath();
  const port = readPort(hasScheme ? schemeAt(p, colon) : HTTP);
  if (port === NO_PORT) return fail(BAD_PORT, row);
  readHost(hostFrom, hostTo);
  const hasHost = hostStart < hostEnd;
  const isDns = hasScheme && colon - p === 3 && (load<u32>(p) & 0xff_ffff) === DNS;
  if (!isDns && !keepsWww) removeWww();
  if (hostStart < hostEnd) out = writeAuthority(port, out);
  else if (hasScheme) out = writeBytes(p, colon + 1, out);
  else out = writeHttp(out);
  const head = out;
  out = writePath(pathFrom, pathTo, out, hasHost);
  if (end - question < 2) return out;
  const path = out;
  if (path === head) store<u8>(out++, SLASH);
  store<u8>(out++, QUESTION);
  const stop = writeQuery(question + 1, end, out);
  return stop === out ? path : stop;
}

/** Writes the name of a record that describes an ARC file as it is, with triplets for what is not printable ASCII. */
function writeDescription(p: usize, end: usize, out: usize): usize {
  for (; p < end; p++) {
    const byte = load<u8>(p);
    if (byte > SPACE && byte < DELETE) store<u8>(out++, byte);
    else out = storeLowerTriplet(out, byte);
  }
  return out;
}

/** Returns whether a byte is one that Python's `bytes.strip` removes. */
function isSpace(byte: u8): bool {
  return byte === SPACE || <u8>(byte - TAB) <= CR - TAB;
}

/** Returns where the last scheme begins of a URL that begins like `http://https://a`. */
function lastScheme(p: usize, end: usize): usize {
  let next = webHead(p, end);
  while (webHead(next, end) !== next) {
    p = next;
    next = webHead(p, end);
  }
  return p;
}

/** Returns where the `http://` or `https://` at `p` ends, or `p` if there is none. */
function webHead(p: usize, end: usize): usize {
  if (end - p >= 7 && (load<u64>(p) & SEVEN_BYTES) === HTTP_HEAD) return p + 7;
  return end - p >= 8 && load<u64>(p) === HTTPS_HEAD ? p + 8 : p;
}

/**
 * Reads authority and path of a URL up to its fragment; `colon` ends its scheme, or is 0. Returns where its query begins,
 * with the `?`, or `end`.
 */
function readParts(p: usize, colon: usize, end: usize): usize {
  let from = p;
  let hasAuthority = true;
  if (colon !== 0) {
    from = colon + 1;
    hasAuthority = end - from >= 2 && load<u8>(from) === SLASH && load<u8>(from, 1) === SLASH;
    if (hasAuthority) from += 2;
  }
  const authorityEnd = hasAuthority ? findEither(from, end, SLASH, QUESTION) : from;
  readHostAndPort(from, authorityEnd);
  pathFrom = authorityEnd;
  pathTo = find(pathFrom, end, QUESTION);
  return pathTo;
}

/** Finds host and port in an authority. The host of `[::1]` lacks its brackets. */
function readHostAndPort(p: usize, end: usize): void {
  while (end > p && load<u8>(end - 1) === COLON) end--;
  let from = end;
  while (from > p && load<u8>(from - 1) !== AT) from--;
  const bracket = find(from, end, LEFT_BRACKET);
  let colon: usize = 0;
  if (bracket === end) {
    hostFrom = from;
    hostTo = find(from, end, COLON);
    colon = hostTo;
  } else {
    hostFrom = bracket + 1;
    hostTo = find(hostFrom, end, RIGHT_BRACKET);
    colon = find(hostTo, end, COLON);
  }
  portFrom = min(colon + 1, end);
  portTo = end;
}

/** Takes the first segment of the path that is not empty as the host, as in `http:/a/b` and `http:////a/b`. */
function readHostOfPath(): void {
  hostFrom = pathFrom;
  while (hostFrom < pathTo && load<u8>(hostFrom) === SLASH) hostFrom++;
  hostTo = find(hostFrom, pathTo, SLASH);
  pathFrom = hostTo;
  if (pathFrom < pathTo) return;
  pathFrom = ROOT;
  pathTo = ROOT + 1;
}

/** Returns the port, 0 if there is none or the scheme implies it, or NO_PORT. */
function readPort(scheme: i32): u32 {
  let port: u32 = 0;
  for (let p = portFrom; p < portTo; p++) {
    const byte = load<u8>(p);
    if (!isDigit(byte)) return NO_PORT;
    port = 10 * port + <u32>(byte - ZERO);
    if (port > LARGEST_PORT) return NO_PORT;
  }
  const implied: u32 = scheme === HTTP ? 80 : scheme === HTTPS ? 443 : 0;
  return port === implied ? 0 : port;
}

/** Writes labels and port, with `)` after them. */
function writeAuthority(port: u32, out: usize): usize {
  out = writeLabels(out);
  if (port !== 0) {
    store<u8>(out++, COLON);
    out = writeDecimal(port, out);
  }
  store<u8>(out, RIGHT_PAREN);
  return out + 1;
}

/** Writes the scheme of a URL without one, and its `:`. */
function writeHttp(out: usize): usize {
  store<u32>(out, HTTP_NAME);
  store<u8>(out, COLON, 4);
  return out + 5;
}
