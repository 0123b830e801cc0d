/*
 * The URL that rules of sites work on, in parts. Rules replace its site and its target, which is path and
 * query; the other parts stay.
 *
 * Memory: reads a normalized http or https URL between the pointers it is given, the plan region, and
 * targets. Rules write path and query to the two regions of targets by turns. Writes one URL at `out`.
 */

import { firstTarget, secondTarget } from "../memory";
import { HTTP_HEAD, HTTPS_HEAD, SEVEN_BYTES } from "../scan/scan";
import { AT, COLON, HASH, isDigit, QUESTION, SLASH } from "../url/chars";
import { find, findEither, sameBytes, writeBytes } from "../url/component";

// The parts of the URL read last, as rules have changed them since.

/** Whether its scheme is http, not https. */
export let isHttp: bool = false;
/** The start of its userinfo, which includes the `@`. */
let userStart: usize = 0;
let userEnd: usize = 0;
/** The start of its site, which is the host and its `:port`, if any. It is in the URL or in the plan. */
export let siteStart: usize = 0;
/** The end of its site. */
export let siteEnd: usize = 0;
/**
 * The start of its target, which is the path and, if any, `?` and the query. It is in the URL, in targets or
 * in the plan.
 */
export let targetStart: usize = 0;
/** The end of its path. */
export let pathEnd: usize = 0;
/** The end of its target. */
export let targetEnd: usize = 0;
/** The start of its fragment, which includes the `#`. */
let fragmentStart: usize = 0;
let fragmentEnd: usize = 0;

/** Returns whether `[p, end)` begins as a normalized http or https URL does. */
export function isWebUrl(p: usize, end: usize): bool {
  if (end - p < 8) return false;
  const head = load<u64>(p);
  return head === HTTPS_HEAD || (head & SEVEN_BYTES) === HTTP_HEAD;
}

/** Reads the parts of the URL `[p, end)`. */
export function readRuledUrl(p: usize, end: usize): void {
  isHttp = load<u64>(p) !== HTTPS_HEAD;
  userStart = p + 8 - <usize>isHttp;
  targetStart = find(userStart, end, SLASH);
  const at = find(userStart, targetStart, AT);
  userEnd = at === targetStart ? userStart : at + 1;
  siteStart = userEnd;
  siteEnd = targetStart;
  pathEnd = findEither(targetStart, end, QUESTION, HASH);
  targetEnd = pathEnd < end && load<u8>(pathEnd) === QUESTION ? find(pathEnd, end, HASH) : pathEnd;
  fragmentStart = targetEnd;
  fragmentEnd = end;
}

/** Returns the bytes of the whole URL. No parameter may have been taken since its target was written. */
export function ruledLength(): usize {
  const head: usize = 8 - <usize>isHttp + (userEnd - userStart) + (siteEnd - siteStart);
  return head + (targetEnd - targetStart) + (fragmentEnd - fragmentStart);
}

/** Writes what comes before the target: scheme, userinfo and site. */
export function writeRuledHead(out: usize): usize {
  store<u64>(out, isHttp ? HTTP_HEAD : HTTPS_HEAD);
  out = writeBytes(userStart, userEnd, out + 8 - <usize>isHttp);
  return writeBytes(siteStart, siteEnd, out);
}

/** Writes what comes after the target: the fragment, with its `#`, if there is one. */
export function writeRuledFragment(out: usize): usize {
  return writeBytes(fragmentStart, fragmentEnd, out);
}

/** Returns where to write the next target, which may have LONGEST_RULED bytes. */
export function nextTarget(): usize {
  return targetStart === firstTarget ? secondTarget : firstTarget;
}

/**
 * Sets path and query to `[p, end)`. Returns false and leaves the URL as it is if they are the same, or not a
 * path.
 */
export function setTarget(p: usize, end: usize): bool {
  if (p === end || load<u8>(p) !== SLASH) return false;
  const length = end - p;
  if (length === targetEnd - targetStart && sameBytes(p, targetStart, length)) return false;
  targetStart = p;
  pathEnd = find(p, end, QUESTION);
  targetEnd = end;
  return true;
}

/** Sets path and query to those of an earlier target, which is still there: `[start, end)`. */
export function restoreTarget(start: usize, stop: usize, end: usize): void {
  targetStart = start;
  pathEnd = stop;
  targetEnd = end;
}

/** Writes the query after the path in `[p, out)`, then sets both as setTarget does. */
export function setPath(p: usize, out: usize): bool {
  return setTarget(p, writeBytes(pathEnd, targetEnd, out));
}

/** Returns the end of the host, without the `:port` of the site. */
export function hostEnd(): usize {
  let at = siteEnd;
  while (at > siteStart && isDigit(load<u8>(at - 1))) at--;
  return at > siteStart && load<u8>(at - 1) === COLON ? at - 1 : siteEnd;
}

export function setSite(p: usize, end: usize): void {
  siteStart = p;
  siteEnd = end;
}

/** Writes https for http; a port that https implies goes. */
export function setHttps(): void {
  isHttp = false;
  // Removes `:443`. An IPv6 address cannot end so, because it ends with `]`.
  if (siteEnd - siteStart > 4 && load<u32>(siteEnd - 4) === 0x3334343a) siteEnd -= 4;
}

/** Returns whether the path holds one of A to Z. */
export function hasUpper(): bool {
  for (let p = targetStart; p < pathEnd; p += 16) {
    const fromA = i8x16.sub(v128.load(p), i8x16.splat(0x41));
    const lanes: u32 = i8x16.bitmask(i8x16.lt_u(fromA, i8x16.splat(26)));
    if (lanes !== 0) return p + <usize>ctz(lanes) < pathEnd;
  }
  return false;
}
