/*
 * The fast path for one row: is it in normal form already, but perhaps for the `/` of an empty path,
 * and what do the options do to it? Few rows need more, and their bytes move in bulk. What it passes is
 * what row.ts would write, byte for byte (test/kernel/scan.test.ts ties the two together); in doubt the
 * exact path decides. stops.ts draws how 16 bytes are looked at.
 *
 * Memory: reads 16 bytes at a time from the row, so up to 15 bytes after it and one before.
 */

import { keptFragmentEnd } from "../options/fragment";
import {
  defaultProfile,
  hasOptions,
  ruleFilter,
  schemesTable,
  sparesPlain,
  sparesQueries,
} from "../plan";
import { BY_EMPTY_PATH, beginReasons, note } from "../reasons";
import { findName } from "../tables";
import {
  CR,
  DOT,
  HASH,
  isNormalTriplet,
  LEFT_PAREN,
  LF,
  PERCENT,
  QUESTION,
  SEMICOLON,
  SLASH,
} from "../url/chars";
import { findOutside, writeBytes } from "../url/component";
import { isLocalhost } from "../url/host";
import {
  HOST,
  highRow,
  outside,
  PARAM,
  PLAIN,
  REST,
  splat,
  WRITTEN_PARAM,
  WRITTEN_PLAIN,
} from "../url/sets";
import { isQuerySettled, prepareQueryScan, scanQuery, writeScannedQuery } from "./query-scan";
import { mayHaveRules } from "./site-filter";

export const HTTP_HEAD: u64 = 0x002f2f3a70747468;
export const HTTPS_HEAD: u64 = 0x2f2f3a7370747468;
export const FILE_HEAD: u64 = 0x002f2f3a656c6966;
export const SEVEN_BYTES: u64 = 0x00ffffffffffffff;

const SCHEME_NAME: usize = memory.data(8, 16);

// Results of the last scan, which batch.ts and row.ts read. They hold until the next one.

/** The address where the row lacks the `/` of an empty path; 0 where it lacks none. */
export let missingSlash: usize = 0;
/** Whether the scan knows all that the options do to the row. If not, the exact path must find out. */
export let isSettled: bool = false;
/** Where the options change a settled row: the start of its query or fragment; 0 where they change nothing. */
export let tailStart: usize = 0;
/** The start of what the options leave of the fragment of a settled row; 0 where they take all of it, or it has none. */
let fragmentStart: usize = 0;
/** The end of what they leave of it. */
let fragmentEnd: usize = 0;
/** Whether there can be rules for the site of the row. */
export let mayBeRuled: bool = false;
/** Whether the plan does not let the scheme of the row pass. */
export let isRefused: bool = false;

// What the last prepareScan read from the plan.

/** Whether the plan lets a URL of http pass. */
let passesHttp: bool = false;
/** The same of https. */
let passesHttps: bool = false;
/** The same of file. */
export let passesFile: bool = false;

/** Whether options can leave a URL of http as it is. */
export let sparesHttp: bool = false;
/** The same of https. */
export let sparesHttps: bool = false;
/** The same of file. */
export let sparesFile: bool = false;

/** Reads from a new plan what scanning asks it. */
export function prepareScan(): void {
  passesHttp = passes(HTTP_HEAD, 4);
  passesHttps = passes(HTTPS_HEAD, 5);
  passesFile = passes(FILE_HEAD, 4);
  const isSpared = !hasOptions || sparesPlain;
  sparesHttp = passesHttp && isSpared;
  sparesHttps = passesHttps && isSpared;
  sparesFile = passesFile && isSpared;
  prepareQueryScan();
}

function passes(head: u64, length: usize): bool {
  store<u64>(SCHEME_NAME, head);
  return schemesTable === 0 || findName(schemesTable, SCHEME_NAME, SCHEME_NAME + length) !== 0;
}

/**
 * Where what is in normal form from `p` on stops, a missing `/` aside: at `end`, or at the first byte
 * that is not part of it; 0 where scheme or host are not for the fast path.
 */
export function normalEnd(p: usize, end: usize): usize {
  const hostEnd = scanHead(p, end);
  if (hostEnd === 0) return 0;
  const looksClosely = hasOptions && isSettled;
  const at = scanPart(hostEnd, end, looksClosely ? PLAIN : REST);
  if (at === end || load<u8>(at) === LF) return at;
  return looksClosely ? scanByRules(at, end) : scanFragment(at, end);
}

/** Whether the scan knows all that the options do to a URL that is known to be in normal form. */
export function isKnown(p: usize, end: usize): bool {
  const hostEnd = scanHead(p, end);
  if (hostEnd === 0 || !isSettled) return false;
  let at = findOutside(hostEnd, end, WRITTEN_PLAIN);
  if (at === end) return true;
  if (load<u8>(at) !== HASH) {
    if (load<u8>(at) !== QUESTION || !sparesQueries) return false;
    const query = at;
    at = scanQuery(query + 1, end, WRITTEN_PARAM);
    takeQuery(query);
  }
  if (at < end) takeFragment(at, end);
  return true;
}

/** The end of scheme and host at `p`, or 0 where they are not for the fast path. */
function scanHead(p: usize, end: usize): usize {
  if (end - p < 8) return 0;
  const head = load<u64>(p);
  const isHttps = head === HTTPS_HEAD;
  const isFile = (head & SEVEN_BYTES) === FILE_HEAD;
  if (!isHttps && !isFile && (head & SEVEN_BYTES) !== HTTP_HEAD) return 0;
  isSettled = isHttps ? sparesHttps : isFile ? sparesFile : sparesHttp;
  isRefused = !(isHttps ? passesHttps : isFile ? passesFile : passesHttp);
  missingSlash = 0;
  tailStart = 0;
  fragmentStart = 0;
  mayBeRuled = false;
  const host = p + 7 + <usize>isHttps;
  if (isFile && load<u8>(host) === SLASH) return host;
  const hostEnd = normalHostEnd(host, end);
  if (hostEnd === 0 || (isFile && isLocalhost(host, hostEnd))) return 0;
  if (hostEnd === end || load<u8>(hostEnd) !== SLASH) {
    if (hostEnd < end && !endsHost(load<u8>(hostEnd))) return 0;
    missingSlash = hostEnd;
  }
  mayBeRuled = ruleFilter !== 0 && !isFile && mayHaveRules(host, hostEnd);
  return hostEnd;
}

/** Whether reading and options leave the URL `[p, end)` as it is; false also where a closer look must tell. */
export function isLeftAlone(p: usize, end: usize): bool {
  return normalEnd(p, end) === end && isSettled && (missingSlash | tailStart) === 0;
}

/** After an empty path: query, fragment, or the end of the line. */
function endsHost(byte: u8): bool {
  return byte === LF || byte === CR || byte === QUESTION || byte === HASH;
}

/**
 * The end of a host of lower-case letters, digits, `-`, `.`, `_` whose last label begins with a
 * letter; 0 for any other host.
 */
export function normalHostEnd(p: usize, end: usize): usize {
  const row = v128.load(HOST);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  let label = p;
  for (;;) {
    if (p >= end) break;
    const block = v128.load(p);
    const stop = ctz<u32>(i8x16.bitmask(outside(block, row, high, nibble)) | 0x10000);
    const inside: u32 = (1 << stop) - 1;
    const dots = i8x16.bitmask(i8x16.eq(block, dot)) & inside;
    if (dots !== 0) label = p + 32 - <usize>clz<u32>(dots);
    p += <usize>stop;
    if (stop < 16) break;
  }
  p = min(p, end);
  return label < p && load<u8>(label) >= 0x61 ? p : 0;
}

/** Goes on where the path stops; finds what the options leave of query and fragment. */
function scanByRules(p: usize, end: usize): usize {
  let byte = load<u8>(p);
  if (byte === SEMICOLON || byte === LEFT_PAREN || (byte === QUESTION && !sparesQueries)) {
    isSettled = false;
    p = scanPart(p, end, REST);
    return p === end ? end : scanFragment(p, end);
  }
  if (byte === QUESTION) {
    const query = p;
    p = scanQuery(query + 1, end, PARAM);
    takeQuery(query);
    if (p === end) return end;
    byte = load<u8>(p);
  }
  if (byte !== HASH) return p;
  const stop = scanPart(p + 1, end, REST);
  takeFragment(p, stop);
  return stop;
}

/** Takes the fragment `[p, end)`, with its `#`, of the row that is scanned. */
export function takeFragment(p: usize, end: usize): void {
  fragmentEnd = keptFragmentEnd(p, end, defaultProfile);
  if (fragmentEnd > p) fragmentStart = p;
  if (fragmentEnd < end && tailStart === 0) tailStart = p;
}

function scanFragment(p: usize, end: usize): usize {
  return load<u8>(p) === HASH ? scanPart(p + 1, end, REST) : p;
}

/**
 * Where bytes of a set, triplets to keep and no dot segment stop, or `end`. In a set without `(`, only one
 * that begins a segment stops them.
 */
function scanPart(p: usize, end: usize, set: usize): usize {
  const row = v128.load(set);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  const slash = splat(SLASH);
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const dots = v128.and(i8x16.eq(block, dot), i8x16.eq(v128.load(p - 1), slash));
    let stops: u32 = i8x16.bitmask(v128.or(outside(block, row, high, nibble), dots));
    for (; stops !== 0; stops &= stops - 1) {
      const at = p + <usize>ctz(stops);
      if (at >= end) return end;
      const byte = load<u8>(at);
      if (byte === LEFT_PAREN && load<u8>(at - 1) !== SLASH) continue;
      if (byte !== PERCENT || !isNormalTriplet(at, end)) return at;
    }
  }
  return end;
}

/** Begins with a row in normal form whose site has no rules. Its empty path, query or fragment may be mended. */
export function beginMended(): void {
  beginReasons();
  isSettled = true;
  mayBeRuled = false;
  isRefused = false;
  missingSlash = 0;
  fragmentStart = 0;
  tailStart = 0;
}

/** Takes the empty path after the host that ends at `p`, which lacks its `/`, of a row begun by beginMended. */
export function takeEmptyPath(p: usize): void {
  missingSlash = p;
  note(BY_EMPTY_PATH);
}

/** Takes the query at `p`, with its `?`, that query-scan.ts has just scanned. */
export function takeQuery(p: usize): void {
  if (!isQuerySettled) tailStart = p;
}

/**
 * Writes the bytes from `run` up to `end`, where the row scanned last ends, with the `/` it lacks and
 * what the options leave of its query and fragment.
 */
export function writeMended(run: usize, end: usize, out: usize): usize {
  if (missingSlash !== 0) {
    out = writeBytes(run, missingSlash, out);
    store<u8>(out++, SLASH);
    run = missingSlash;
  }
  if (tailStart === 0) return writeBytes(run, end, out);
  out = writeBytes(run, tailStart, out);
  if (load<u8>(tailStart) === QUESTION) out = writeScannedQuery(out);
  return fragmentStart === 0 ? out : writeBytes(fragmentStart, fragmentEnd, out);
}
