/*
 * The URL that rules of sites work on, in its parts: what stays, and the site and the target (path and
 * query), which rules replace.
 *
 * Memory: reads a normalized http or https URL between the pointers it is given, the plan region, and
 * targets, where rules write path and query by turns. Writes one URL at `out`.
 */

import { firstTarget, secondTarget } from "../memory";
import { HTTP_HEAD, HTTPS_HEAD, SEVEN_BYTES } from "../scan/scan";
import { AT, HASH, QUESTION, SLASH } from "../url/chars";
import { find, findEither, sameBytes, writeBytes } from "../url/component";

// The parts of the URL that was read last, as rules have changed them since.

/** Whether its scheme is http; else it is https. */
export let isHttp: bool = false;
/** Its userinfo, with the `@`. */
let userStart: usize = 0;
let userEnd: usize = 0;
/** The start of its site, the host with `:port` if it has one: in the URL or in the plan. */
export let siteStart: usize = 0;
/** The end of its site. */
export let siteEnd: usize = 0;
/** The start of its target, the path and then `?` and the query if it has one: in the URL, in targets or in the plan. */
export let targetStart: usize = 0;
/** The end of its path. */
export let pathEnd: usize = 0;
/** The end of its target. */
export let targetEnd: usize = 0;
/** Its fragment, with the `#`. */
let fragmentStart: usize = 0;
let fragmentEnd: usize = 0;

/** Whether `[p, end)` begins as a normalized http or https URL does. */
export function isWebUrl(p: usize, end: usize): bool {
  if (end - p < 8) return false;
  const head = load<u64>(p);
  return head === HTTPS_HEAD || (head & SEVEN_BYTES) === HTTP_HEAD;
}

/** Takes the URL `[p, end)` into its parts. */
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

/** Bytes of the whole URL, of which no parameter has been taken since its target was written. */
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

/** Where the next target can be written: it may be as long as LONGEST_RULED. */
export function nextTarget(): usize {
  return targetStart === firstTarget ? secondTarget : firstTarget;
}

/** Takes path and query in `[p, end)` instead; false, and leaves the URL, where these are the same or no path. */
export function setTarget(p: usize, end: usize): bool {
  if (p === end || load<u8>(p) !== SLASH) return false;
  const length = end - p;
  if (length === targetEnd - targetStart && sameBytes(p, targetStart, length)) return false;
  targetStart = p;
  pathEnd = find(p, end, QUESTION);
  targetEnd = end;
  return true;
}

/** Writes the query after a path that was written at `p` up to `out`, and takes both as `setTarget`. */
export function setPath(p: usize, out: usize): bool {
  return setTarget(p, writeBytes(pathEnd, targetEnd, out));
}

export function setSite(p: usize, end: usize): void {
  siteStart = p;
  siteEnd = end;
}

/** http becomes https; a port that https implies goes. */
export function setHttps(): void {
  isHttp = false;
  // Port 443 with its `:`; an IPv6 address ends with `]`.
  if (siteEnd - siteStart > 4 && load<u32>(siteEnd - 4) === 0x3334343a) siteEnd -= 4;
}

/** Whether A to Z stand in the path. */
export function hasUpper(): bool {
  for (let p = targetStart; p < pathEnd; p += 16) {
    const fromA = i8x16.sub(v128.load(p), i8x16.splat(0x41));
    const lanes: u32 = i8x16.bitmask(i8x16.lt_u(fromA, i8x16.splat(26)));
    if (lanes !== 0) return p + <usize>ctz(lanes) < pathEnd;
  }
  return false;
}
