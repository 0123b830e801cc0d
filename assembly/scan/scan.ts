/*
 * The fast path for one row. It tells whether the row is in normal form, the `/` of an empty path aside, and
 * what the options do to it. Few rows need more, and bytes move in bulk. If a row passes, row.ts would write
 * the same bytes (test/kernel/scan.test.ts ties the two together). In doubt, the exact path decides. stops.ts
 * draws how 16 bytes are looked at.
 *
 * Memory: reads 16 bytes at a time from the row, so up to 15 bytes after it and one before.
 */

import { BY_EMPTY_PATH } from "../catalog.generated";
import { keptFragmentEnd } from "../options/fragment";
import {
  defaultProfile,
  hasOptions,
  plainUnaffected,
  queriesUnaffected,
  ruleFilter,
  schemesTable,
} from "../plan";
import { beginReasons, note } from "../reasons";
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
import {
  isQueryInDoubt,
  isQuerySettled,
  prepareQueryScan,
  scanQuery,
  writeScannedQuery,
} from "./query-scan";
import { mayHaveRules } from "./site-filter";

export const HTTP_HEAD: u64 = 0x002f2f3a70747468;
export const HTTPS_HEAD: u64 = 0x2f2f3a7370747468;
export const FILE_HEAD: u64 = 0x002f2f3a656c6966;
export const SEVEN_BYTES: u64 = 0x00ffffffffffffff;

const SCHEME_NAME: usize = memory.data(8, 16);

// Results of the last scan, which batch.ts and row.ts read. They hold until the next one.

/** The address at which the row lacks the `/` of an empty path; 0 if it does not lack one. */
export let missingSlash: usize = 0;
/** Whether the scan knows all that the options do to the row. If not, the exact path must decide. */
export let isSettled: bool = false;
/** Where the options change a settled row: the start of its query or fragment; 0 if they change nothing. */
export let tailStart: usize = 0;
/**
 * The start of what the options leave of a settled row's fragment; 0 if nothing is left or there is no
 * fragment.
 */
let fragmentStart: usize = 0;
/** The end of what the options leave of the fragment. */
let fragmentEnd: usize = 0;
/** Whether the site of the row can have rules. */
export let mayBeRuled: bool = false;
/** Whether the plan refuses the scheme of the row. */
export let isRefused: bool = false;

// What the last prepareScan read from the plan.

/** Whether the plan lets a URL of http pass. */
let passesHttp: bool = false;
/** Whether the plan lets a URL of https pass. */
let passesHttps: bool = false;
/** Whether the plan lets a URL of file pass. */
export let passesFile: bool = false;

/** Whether options can leave a URL of http as it is. */
export let httpUnaffected: bool = false;
/** Whether options can leave a URL of https as it is. */
export let httpsUnaffected: bool = false;
/** Whether options can leave a URL of file as it is. */
export let fileUnaffected: bool = false;

/** Reads what scanning needs from a new plan. */
export function prepareScan(): void {
  passesHttp = passes(HTTP_HEAD, 4);
  passesHttps = passes(HTTPS_HEAD, 5);
  passesFile = passes(FILE_HEAD, 4);
  const isSpared = !hasOptions || plainUnaffected;
  httpUnaffected = passesHttp && isSpared;
  httpsUnaffected = passesHttps && isSpared;
  fileUnaffected = passesFile && isSpared;
  prepareQueryScan();
}

function passes(head: u64, length: usize): bool {
  store<u64>(SCHEME_NAME, head);
  return schemesTable === 0 || findName(schemesTable, SCHEME_NAME, SCHEME_NAME + length) !== 0;
}

/**
 * Returns where the normal form from `p` on ends, a missing `/` aside: at `end`, or at the first byte that is
 * not part of it. Returns 0 if the scheme or the host is not for the fast path.
 */
export function normalEnd(p: usize, end: usize): usize {
  const hostEnd = scanHead(p, end);
  if (hostEnd === 0) return 0;
  const looksClosely = hasOptions && isSettled;
  const at = scanPart(hostEnd, end, looksClosely ? PLAIN : REST);
  if (at === end || load<u8>(at) === LF) return at;
  return looksClosely ? scanByRules(at, end) : scanFragment(at, end);
}

/** Returns whether the scan knows all that the options do to a URL in normal form. */
export function isKnown(p: usize, end: usize): bool {
  const hostEnd = scanHead(p, end);
  if (hostEnd === 0 || !isSettled) return false;
  let at = findOutside(hostEnd, end, WRITTEN_PLAIN);
  if (at === end) return true;
  if (load<u8>(at) !== HASH) {
    if (load<u8>(at) !== QUESTION || !queriesUnaffected) return false;
    const query = at;
    at = scanQuery(query + 1, end, WRITTEN_PARAM);
    if (isQueryInDoubt) return false;
    takeQuery(query);
  }
  if (at < end) takeFragment(at, end);
  return true;
}

/** Returns the end of the scheme and host at `p`, or 0 if they are not for the fast path. */
function scanHead(p: usize, end: usize): usize {
  if (end - p < 8) return 0;
  const head = load<u64>(p);
  const isHttps = head === HTTPS_HEAD;
  const isFile = (head & SEVEN_BYTES) === FILE_HEAD;
  if (!isHttps && !isFile && (head & SEVEN_BYTES) !== HTTP_HEAD) return 0;
  isSettled = isHttps ? httpsUnaffected : isFile ? fileUnaffected : httpUnaffected;
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

/**
 * Returns whether reading and options leave the URL `[p, end)` as it is. Returns false also if a closer look
 * must tell.
 */
export function isLeftAlone(p: usize, end: usize): bool {
  return normalEnd(p, end) === end && isSettled && (missingSlash | tailStart) === 0;
}

/**
 * Returns whether a byte can follow a host with an empty path: it begins a query, a fragment or the line end.
 */
function endsHost(byte: u8): bool {
  return byte === LF || byte === CR || byte === QUESTION || byte === HASH;
}

/**
 * Returns the end of a host of lower-case letters, digits, `-`, `.`, `_` whose last label begins with a
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

/** Goes on after the plain part of the path. Finds what the options leave of query and fragment. */
function scanByRules(p: usize, end: usize): usize {
  let byte = load<u8>(p);
  if (byte === SEMICOLON || byte === LEFT_PAREN || (byte === QUESTION && !queriesUnaffected)) {
    isSettled = false;
    p = scanPart(p, end, REST);
    return p === end ? end : scanFragment(p, end);
  }
  if (byte === QUESTION) {
    const query = p;
    p = scanQuery(query + 1, end, PARAM);
    if (isQueryInDoubt) {
      beginReasons();
      isSettled = false;
      return p === end ? end : scanFragment(p, end);
    }
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
 * Returns the first byte outside a set, or the dot of a dot segment, or `end`. Triplets in normal form do not
 * stop it. If the set lacks `(`, only a `(` that begins a segment stops it.
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

/**
 * Begins a row in normal form whose site has no rules, and whose empty path, query or fragment may be patched.
 */
export function beginPatched(): void {
  beginReasons();
  isSettled = true;
  mayBeRuled = false;
  isRefused = false;
  missingSlash = 0;
  fragmentStart = 0;
  tailStart = 0;
}

/** Notes that the row begun by beginPatched lacks the `/` after its host, which ends at `p`. */
export function takeEmptyPath(p: usize): void {
  missingSlash = p;
  note(BY_EMPTY_PATH);
}

/** Takes the query at `p`, with its `?`, that query-scan.ts has just scanned. */
export function takeQuery(p: usize): void {
  if (!isQuerySettled) tailStart = p;
}

/**
 * Writes `[run, end)`, at the end of which is the row scanned last. Adds the `/` that the row lacks, and
 * writes what the options leave of its query and fragment.
 */
export function writePatched(run: usize, end: usize, out: usize): usize {
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
