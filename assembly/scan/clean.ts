/*
 * The second of two passes over lines. It passes lines that need nothing, which are nine of ten, and mends
 * lines that need little. stops.ts has found the bytes that can end or spoil a line. If the first stop of a
 * line is its LF, only its host must still be checked. All other lines are left to scan.ts, which reads one
 * row more closely. Both must agree (test/kernel/clean-lines.test.ts, mended-lines.test.ts,
 * query-lines.test.ts, scan.test.ts).
 *
 * The loop keeps sets and addresses in locals, so that V8 keeps them in registers. It begins a line without
 * waiting for the end of the line before.
 *
 * Memory: reads `stops` and 40 bytes of each line, so up to 40 after the end. Writes inOffsets, outOffsets
 * and status of the lines it passes, and the output up to the last line that it mends. Lines that need
 * nothing gather in a run of the input, which moves as a whole when a line is mended (batch.ts).
 */

import {
  inOffsets,
  inputStart,
  outOffsets,
  outputStart,
  rowCapacity,
  statusStart,
  stopsStart,
} from "../memory";
import { hasOptions, maxLength, ruleFilter, sparesQueries } from "../plan";
import { setStatus } from "../results";
import { CHANGED, SCHEME_NOT_ALLOWED, UNCHANGED } from "../status";
import {
  AMPERSAND,
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
import { writeBytes } from "../url/component";
import { HOST, highRow, outside, PIECE, PLAIN, REST, splat } from "../url/sets";
import { isOnePlainParam, scanQueryStops } from "./query-scan";
import {
  beginMended,
  FILE_HEAD,
  HTTP_HEAD,
  HTTPS_HEAD,
  normalHostEnd,
  passesFile,
  SEVEN_BYTES,
  sparesFile,
  sparesHttp,
  sparesHttps,
  tailStart,
  takeEmptyPath,
  takeFragment,
  takeQuery,
  writeMended,
} from "./scan";
import { mayHaveRules } from "./site-filter";
import { blockStart, findStops, forgetStops, stopsEnd } from "./stops";

// What the loop does with a line.
const NOTHING: i32 = 0;
const MENDS: i32 = 1;
const REFUSES: i32 = 2;

/** Stands for the first eight bytes of a scheme that the plan does not let pass: no line begins so. */
const NO_HEAD: u64 = 0xffffffffffffffff;

// Results of the last call, which batch.ts reads.

/** The number of the first line that the call did not pass. */
export let rowAfter: i32 = 0;
/** The start of the run that this line belongs to. */
export let runAfter: usize = 0;
/** Where that run comes out in the output. */
export let outAfter: usize = 0;

/** Whether that line is known not to be in normal form. */
export let isSpoiled: bool = false;

/** The word of `stops` that the next call or line reads first. */
let nextStop: usize = 0;

/** Makes passCleanLines begin with other input. */
export function beginLines(): void {
  forgetStops();
  nextStop = stopsStart;
}

/**
 * Passes lines from `p` on, the first of which is number `row`, up to the first line that needs more. A line
 * passes if it is in normal form, an empty path aside, and its site has no rules. The options may change its
 * query and fragment, or refuse its scheme, and no more. The bytes `[run, p)` come out at `out`, unchanged.
 * Returns where the first line begins that does not pass. `p` must not go back before the next beginLines.
 */
export function passCleanLines(p: usize, end: usize, row: i32, run: usize, out: usize): usize {
  const hostRow = v128.load(HOST);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  const http = sparesHttp ? HTTP_HEAD : NO_HEAD;
  const https = sparesHttps ? HTTPS_HEAD : NO_HEAD;
  const file = sparesFile ? FILE_HEAD : NO_HEAD;
  const refused = passesFile ? NO_HEAD : FILE_HEAD;
  const looksAtSites = ruleFilter !== 0;
  const looksAtQueries = hasOptions && sparesQueries;
  const set = hasOptions ? (sparesQueries ? PIECE : PLAIN) : REST;
  const longest = maxLength;
  const toIn = inputStart;
  let toOut = out - run - outputStart;
  let inAt = inOffsets + ((<usize>row) << 2);
  let outAt = outOffsets + ((<usize>row) << 2);
  let statusAt = statusStart + <usize>row;
  const statusEnd = statusStart + <usize>rowCapacity;
  let stopAt = nextStop;

  isSpoiled = false;
  while (stopAt < stopsEnd && <usize>load<u32>(stopAt) < p) stopAt += 4;
  while (statusAt < statusEnd) {
    const head = load<u64>(p);
    const isHttps = head === https;
    const isFile = (head & SEVEN_BYTES) === file;
    const isHttp = (head & SEVEN_BYTES) === http;
    const host = p + 7 + <usize>isHttps;
    const first = v128.load(host);
    const second = v128.load(host, 16);
    const others: u32 =
      i8x16.bitmask(outside(first, hostRow, high, nibble)) |
      (i8x16.bitmask(outside(second, hostRow, high, nibble)) << 16);
    const dots: u32 =
      i8x16.bitmask(i8x16.eq(first, dot)) | (i8x16.bitmask(i8x16.eq(second, dot)) << 16);
    let hostEnd = host + <usize>ctz(others);
    // The last label begins after the last dot before the first byte that is not part of the host.
    const label = host + 32 - <usize>clz<u32>(dots & ~others & (others - 1));
    let isName = <u32>(load<u8>(label) >= 0x61);
    if (others === 0) {
      hostEnd = normalHostEnd(host, end);
      isName = <u32>(hostEnd !== 0);
    }
    const isHost = isName & <u32>(load<u8>(hostEnd) === SLASH);
    const initial = load<u8>(host);
    // One branch for all schemes: the processor cannot predict which scheme comes next.
    const isWeb = (<u32>isHttps | <u32>isHttp) & isHost;
    const isLocal = <u32>(initial === SLASH) | (isHost & <u32>(initial !== 0x6c)); // not `localhost`
    let does = NOTHING;
    if ((isWeb | (<u32>isFile & isLocal)) === 0) {
      if ((isHttp || isHttps) && isName !== 0 && load<u8>(hostEnd) === LF) does = MENDS;
      else if ((head & SEVEN_BYTES) === refused && isLocal !== 0) does = REFUSES;
      else break;
    }
    if (looksAtSites && !isFile && mayHaveRules(host, hostEnd)) break;

    let at: usize = load<u32>(stopAt);
    const byte = load<u8>(at);
    if (byte !== LF) {
      const after: usize = load<u32>(stopAt, 4);
      if (
        looksAtQueries &&
        byte === QUESTION &&
        load<u8>(after) === LF &&
        isOnePlainParam(at + 1, after)
      ) {
        stopAt += 4;
        at = after;
      } else {
        at = lineEndAfter(stopAt, end);
        stopAt = nextStop;
        if (at === 0) {
          if (stopAt !== stopsEnd) {
            isSpoiled = spoils(load<u8>(load<u32>(stopAt)));
            break;
          }
          if (p === blockStart) break;
          findStops(p, end, set);
          stopAt = stopsStart;
          continue;
        }
        if (tailStart !== 0 && does === NOTHING) does = MENDS;
      }
    }
    if (at - p > longest - <usize>(does === MENDS)) break;
    store<i32>(inAt, <i32>(p - toIn));
    store<i32>(outAt, <i32>(p + toOut));
    if (does === NOTHING) store<u8>(statusAt, <u8>UNCHANGED);
    else {
      out = run + toOut + outputStart;
      out = does === MENDS ? mend(run, hostEnd, at, out) : writeBytes(run, p, out);
      run = at;
      toOut = out - run - outputStart;
      setStatus(<i32>(statusAt - statusStart), does === MENDS ? CHANGED : SCHEME_NOT_ALLOWED);
    }
    statusAt++;
    inAt += 4;
    outAt += 4;
    stopAt += 4;
    p = at + 1;
  }
  nextStop = stopAt;
  rowAfter = <i32>(statusAt - statusStart);
  runAfter = run;
  outAfter = run + toOut + outputStart;
  return p;
}

/** Returns whether the byte of a stop shows that the line is not in normal form. */
function spoils(byte: u8): bool {
  return byte !== CR && byte !== SEMICOLON && byte !== LEFT_PAREN && byte !== QUESTION;
}

/**
 * Writes the run from `run` on up to `end`, where it ends with a mended line whose host ends at `hostEnd`.
 */
function mend(run: usize, hostEnd: usize, end: usize, out: usize): usize {
  if (hostEnd === end) {
    beginMended();
    takeEmptyPath(end);
  }
  return writeMended(run, end, out);
}

/**
 * Returns the LF of the line whose first stop is at `stopAt` in `stops`. Returns 0 if the line needs more
 * than scan.ts can mend, or if the block ends first. Sets nextStop to the last stop it looked at.
 */
function lineEndAfter(stopAt: usize, end: usize): usize {
  let mayHaveFragment = true;
  beginMended();
  for (; stopAt !== stopsEnd; stopAt += 4) {
    const at: usize = load<u32>(stopAt);
    const byte = load<u8>(at);
    if (byte === PERCENT) {
      if (!isNormalTriplet(at, end)) break;
    } else if (byte === LF) {
      nextStop = stopAt;
      return at;
    } else if (byte === HASH) {
      if (hasOptions) return lineEndAfterTail(stopAt, end);
      if (!mayHaveFragment) break;
      mayHaveFragment = false;
    } else if (byte === LEFT_PAREN) {
      if (load<u8>(at - 1) === SLASH) break;
    } else if (byte === QUESTION) {
      if (!hasOptions || !sparesQueries) break;
      return lineEndAfterTail(stopAt, end);
    } else if (byte !== AMPERSAND) break;
  }
  nextStop = stopAt;
  return 0;
}

/** Does the same for a line whose query or fragment begins at the stop, under options. */
function lineEndAfterTail(stopAt: usize, end: usize): usize {
  const tail: usize = load<u32>(stopAt);
  if (load<u8>(tail) === QUESTION) {
    stopAt = scanQueryStops(stopAt, end);
    takeQuery(tail);
  }
  const hash: usize = load<u32>(stopAt);
  if (load<u8>(hash) === HASH) {
    stopAt = fragmentEndAfter(stopAt, end);
    if (stopAt !== stopsEnd) takeFragment(hash, load<u32>(stopAt));
  }
  nextStop = stopAt;
  const at: usize = load<u32>(stopAt);
  return load<u8>(at) === LF ? at : 0;
}

/** Returns the first stop after the fragment that begins at the stop `stopAt`, or stopsEnd. */
function fragmentEndAfter(stopAt: usize, end: usize): usize {
  while (true) {
    stopAt += 4;
    if (stopAt === stopsEnd) return stopAt;
    const at: usize = load<u32>(stopAt);
    const byte = load<u8>(at);
    const isPart =
      byte === AMPERSAND ||
      byte === QUESTION ||
      byte === SEMICOLON ||
      byte === LEFT_PAREN ||
      (byte === PERCENT && isNormalTriplet(at, end));
    if (!isPart) return stopAt;
  }
}
