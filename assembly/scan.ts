/*
 * The fast path: is a row in normal form already, and do the rules leave it alone? Nine of ten real
 * URLs are, and their bytes move in bulk. What it passes is what row.ts would write, byte for byte
 * (test/kernel/scan.test.ts ties the two together); in doubt the exact path decides.
 *
 * Memory: reads 16 bytes at a time from the row, so up to 15 bytes behind it and one before.
 *
 *   lanes     0   1   2   3   4   5   6   7   8   9   a   b   c   d   e   f
 *   block     m   /   a   /   .   .   /   %   7   e   ?   q   =   1   #   x
 *   outside   .   .   .   .   .   .   .   X   .   .   .   .   .   .   X   .    not in the set (sets.ts)
 *   before    w   m   /   a   /   .   .   /   %   7   e   ?   q   =   1   #    the block one byte back
 *   dots      .   .   .   .   X   .   .   .   .   .   .   .   .   .   .   .    a dot behind a slash
 *   stops     .   .   .   .   X   .   .   X   .   .   .   .   .   .   X   .    looked at one by one
 */
import { CR, DOT, HASH, isNormalTriplet, LF, PERCENT, QUESTION, SLASH } from "./chars";
import { writeBytes } from "./component";
import { isLocalhost } from "./host";
import { defaultProfile, hasRules, schemesTable, sparesPlain, sparesQueries } from "./plan";
import { isQuerySettled, prepareQueryScan, scanQuery, writeScannedQuery } from "./query-scan";
import { keepsFragment } from "./rewrite";
import { HOST, highRow, outside, PLAIN, REST, splat } from "./sets";
import { findName } from "./tables";

const SEMICOLON: u8 = 0x3b;
const HTTP_HEAD: u64 = 0x002f2f3a70747468;
const HTTPS_HEAD: u64 = 0x2f2f3a7370747468;
const FILE_HEAD: u64 = 0x002f2f3a656c6966;
const SEVEN_BYTES: u64 = 0x00ffffffffffffff;

const SCHEME_NAME: usize = memory.data(8, 16);

/** Where the row scanned last lacks the `/` of an empty path, or 0. */
export let missingSlash: usize = 0;
/** Whether the scan found all that the rules do to the row scanned last, besides that `/`: */
export let isSettled: bool = false;
/** nothing, where this is 0; else they change what begins here, its query or its fragment, */
export let tailStart: usize = 0;
/** and leave the fragment that begins here, if it is not 0. */
let fragmentStart: usize = 0;

/** Whether rules can leave a URL of the scheme as it is. */
let sparesHttp: bool = false;
let sparesHttps: bool = false;
let sparesFile: bool = false;

/** Reads from a new plan what scanning asks it. */
export function prepareScan(): void {
  sparesHttp = passes(HTTP_HEAD, 4);
  sparesHttps = passes(HTTPS_HEAD, 5);
  sparesFile = passes(FILE_HEAD, 4);
  prepareQueryScan();
}

function passes(head: u64, length: usize): bool {
  if (!hasRules) return true;
  store<u64>(SCHEME_NAME, head);
  const isListed =
    schemesTable === 0 || findName(schemesTable, SCHEME_NAME, SCHEME_NAME + length) !== 0;
  return sparesPlain && isListed;
}

/**
 * Where what is in normal form from `p` on stops, a missing `/` aside: at `end`, or at the first byte
 * that is none of it; 0 where scheme or host are not for the fast path.
 */
export function normalEnd(p: usize, end: usize): usize {
  if (end - p < 8) return 0;
  const head = load<u64>(p);
  missingSlash = 0;
  tailStart = 0;
  fragmentStart = 0;
  if (head === HTTPS_HEAD) {
    isSettled = sparesHttps;
    return normalEndFromHost(p + 8, end);
  }
  if ((head & SEVEN_BYTES) === HTTP_HEAD) {
    isSettled = sparesHttp;
    return normalEndFromHost(p + 7, end);
  }
  if ((head & SEVEN_BYTES) !== FILE_HEAD) return 0;
  isSettled = sparesFile;
  p += 7;
  if (load<u8>(p) === SLASH) return normalRestEnd(p, end);
  return isLocalhost(p, min(p + 9, end)) ? 0 : normalEndFromHost(p, end);
}

function normalEndFromHost(p: usize, end: usize): usize {
  const hostEnd = normalHostEnd(p, end);
  if (hostEnd === 0) return 0;
  if (hostEnd === end || load<u8>(hostEnd) !== SLASH) {
    if (hostEnd < end && !endsHost(load<u8>(hostEnd))) return 0;
    missingSlash = hostEnd;
  }
  return normalRestEnd(hostEnd, end);
}

/** Behind an empty path: query, fragment, or the end of the line. */
function endsHost(byte: u8): bool {
  return byte === LF || byte === CR || byte === QUESTION || byte === HASH;
}

/**
 * The end of a host of lower-case letters, digits, `-`, `.`, `_` whose last label begins with a
 * letter; 0 for any other host.
 */
function normalHostEnd(p: usize, end: usize): usize {
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

/** The same for path, query and fragment; finds what the rules leave of them. */
function normalRestEnd(p: usize, end: usize): usize {
  if (!hasRules || !isSettled) return scanToFragment(p, end);
  let at = scanPart(p, end, PLAIN);
  if (at === end) return end;
  let byte = load<u8>(at);
  if (byte === SEMICOLON || (byte === QUESTION && !sparesQueries)) {
    isSettled = false;
    return scanToFragment(at, end);
  }
  if (byte === QUESTION) {
    const query = at;
    at = scanQuery(query + 1, end);
    if (!isQuerySettled) tailStart = query;
    if (at === end) return end;
    byte = load<u8>(at);
  }
  if (byte !== HASH) return at;
  if (keepsFragment(at, end, defaultProfile)) fragmentStart = at;
  else if (tailStart === 0) tailStart = at;
  return scanPart(at + 1, end, REST);
}

function scanToFragment(p: usize, end: usize): usize {
  const at = scanPart(p, end, REST);
  return at < end && load<u8>(at) === HASH ? scanPart(at + 1, end, REST) : at;
}

/** Where bytes of a set, triplets to keep and no dot segment stop, or `end`. */
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
      if (load<u8>(at) !== PERCENT || !isNormalTriplet(at, end)) return at;
    }
  }
  return end;
}

/** Writes what the rules leave of the row scanned last, which ends at `end`, from `tailStart` on. */
export function writeScannedTail(end: usize, out: usize): usize {
  if (load<u8>(tailStart) === QUESTION) out = writeScannedQuery(out);
  return fragmentStart === 0 ? out : writeBytes(fragmentStart, end, out);
}
