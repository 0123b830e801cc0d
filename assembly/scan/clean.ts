/*
 * The second of two passes over rows. It passes rows that need nothing, which are nine of ten, and patches rows
 * that need little. stops.ts has found the bytes that can end or spoil a row. A line needs no more than a
 * look at its host if its first stop is its LF; a row of a column, if its first stop is not before its end.
 * An LF within a row of a column spoils it. All other rows are left to scan.ts, which reads one row more
 * closely. Both must agree (test/kernel/clean-lines.test.ts, clean-rows.test.ts, patched-lines.test.ts,
 * query-lines.test.ts, scan.test.ts).
 *
 * The loop is compiled twice, for lines and for columns. It keeps sets and addresses in locals, so that V8
 * keeps them in registers. It begins a row without waiting for the end of the row before.
 *
 * Memory: reads `stops` and 40 bytes of each row, so up to 40 after the end, and inOffsets of a column.
 * Writes inOffsets of lines, outOffsets and status of the rows it passes, and the output up to the last row
 * that it patches. Rows that need nothing gather in a run of the input, which moves as a whole when a row is
 * patched (batch.ts).
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
import { hasOptions, maxLength, queriesUnaffected, ruleFilter } from "../plan";
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
import { isOnePlainParam, isQueryInDoubt, scanQueryStops } from "./query-scan";
import {
  beginPatched,
  FILE_HEAD,
  fileUnaffected,
  HTTP_HEAD,
  HTTPS_HEAD,
  httpsUnaffected,
  httpUnaffected,
  normalHostEnd,
  passesFile,
  SEVEN_BYTES,
  tailStart,
  takeEmptyPath,
  takeFragment,
  takeQuery,
  writePatched,
} from "./scan";
import { mayHaveRules } from "./site-filter";
import {
  blockEnd,
  blockStart,
  byteBefore,
  endsByOffset,
  findStops,
  forgetStops,
  stopBefore,
  stopsEnd,
} from "./stops";

// What tells where rows end, as the type by which `pass` is compiled: an LF, or inOffsets.
type ByLf = u8;
type ByOffset = i32;

// What the loop does to a row.
const NOTHING: i32 = 0;
const MENDS: i32 = 1;
const REFUSES: i32 = 2;

/** Stands for the first eight bytes of a scheme that the plan does not let pass: no line begins so. */
const NO_HEAD: u64 = 0xffffffffffffffff;

// Results of the last call, which batch.ts reads.

/** The number of the first row that the call did not pass. */
export let rowAfter: i32 = 0;
/** The start of the run that this row belongs to. */
export let runAfter: usize = 0;
/** Where that run comes out in the output. */
export let outAfter: usize = 0;

/** Whether that row is known not to be in normal form. */
export let isDirty: bool = false;

/** The word of `stops` that the next call or row reads first. */
let nextStop: usize = 0;

/** Makes passCleanLines begin with other input. */
export function beginLines(): void {
  forgetStops<ByLf>();
  nextStop = stopsStart;
}

/** Makes passCleanRows begin with other input. */
export function beginColumn(): void {
  forgetStops<ByOffset>();
  nextStop = stopsStart;
}

/**
 * Passes lines from `p` on, the first of which is number `row`, up to the first line that needs more. A line
 * passes if it is in normal form, an empty path aside, and its site has no rules. The options may change its
 * query and fragment, or refuse its scheme, and no more. The bytes `[run, p)` come out at `out`, unchanged.
 * Returns where the first line begins that does not pass. `p` must not go back before the next beginLines.
 */
export function passCleanLines(p: usize, end: usize, row: i32, run: usize, out: usize): usize {
  return pass<ByLf>(p, end, row, rowCapacity, run, out);
}

/** Does the same for a column of `rows` rows, which ends at `end`. `p` must not go back before the next beginColumn. */
export function passCleanRows(
  p: usize,
  end: usize,
  row: i32,
  rows: i32,
  run: usize,
  out: usize,
): usize {
  return pass<ByOffset>(p, end, row, rows, run, out);
}

function pass<E>(p: usize, end: usize, row: i32, rows: i32, run: usize, out: usize): usize {
  const isColumn = endsByOffset<E>();
  const hostRow = v128.load(HOST);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  const http = httpUnaffected ? HTTP_HEAD : NO_HEAD;
  const https = httpsUnaffected ? HTTPS_HEAD : NO_HEAD;
  const file = fileUnaffected ? FILE_HEAD : NO_HEAD;
  const refused = passesFile ? NO_HEAD : FILE_HEAD;
  const looksAtSites = ruleFilter !== 0;
  const looksAtQueries = hasOptions && queriesUnaffected;
  const set = hasOptions ? (queriesUnaffected ? PIECE : PLAIN) : REST;
  const longest = maxLength;
  const toIn = inputStart;
  let toOut = out - run - outputStart;
  let inAt = inOffsets + ((<usize>row) << 2);
  let outAt = outOffsets + ((<usize>row) << 2);
  let statusAt = statusStart + <usize>row;
  const statusEnd = statusStart + <usize>rows;
  let stopAt = nextStop;

  isDirty = false;
  while (stopAt < stopsEnd && <usize>load<u32>(stopAt) < p) stopAt += 4;
  while (statusAt < statusEnd) {
    const rowEnd = isColumn ? toIn + <usize>load<i32>(inAt, 4) : end;
    if (isColumn && rowEnd > blockEnd) {
      if (p === blockStart) break;
      findStops(p, end, set);
      stopAt = stopsStart;
      continue;
    }
    const head = load<u64>(p);
    const isHttps = head === https;
    const isFile = (head & SEVEN_BYTES) === file;
    const isHttp = (head & SEVEN_BYTES) === http;
    const host = p + 7 + <usize>isHttps;
    const first = v128.load(host);
    const second = v128.load(host, 16);
    let others: u32 =
      i8x16.bitmask(outside(first, hostRow, high, nibble)) |
      (i8x16.bitmask(outside(second, hostRow, high, nibble)) << 16);
    const dots: u32 =
      i8x16.bitmask(i8x16.eq(first, dot)) | (i8x16.bitmask(i8x16.eq(second, dot)) << 16);
    if (isColumn) others |= (<u32>(rowEnd - host < 32)) << (<u32>(rowEnd - host));
    let hostEnd = host + <usize>ctz(others);
    // The last label begins after the last dot before the first byte that is not part of the host.
    const label = host + 32 - <usize>clz<u32>(dots & ~others & (others - 1));
    let isName = <u32>(load<u8>(label) >= 0x61);
    if (others === 0) {
      hostEnd = normalHostEnd(host, rowEnd);
      isName = <u32>(hostEnd !== 0);
    } else if (isColumn) isName &= <u32>(label < rowEnd);
    const isInside = isColumn ? <u32>(hostEnd < rowEnd) : 1;
    const isHost = isName & <u32>(load<u8>(hostEnd) === SLASH) & isInside;
    const initial = load<u8>(host);
    // One branch for all schemes: the processor cannot predict which scheme comes next.
    const isWeb = (<u32>isHttps | <u32>isHttp) & isHost;
    const isLocal = (<u32>(initial === SLASH) & isInside) | (isHost & <u32>(initial !== 0x6c)); // not `localhost`
    let does = NOTHING;
    if ((isWeb | (<u32>isFile & isLocal)) === 0) {
      const isBare = isColumn ? hostEnd === rowEnd : load<u8>(hostEnd) === LF;
      if ((isHttp || isHttps) && isName !== 0 && isBare) does = MENDS;
      else if ((head & SEVEN_BYTES) === refused && isLocal !== 0) does = REFUSES;
      else break;
    }
    if (looksAtSites && !isFile && mayHaveRules(host, hostEnd)) break;

    let at = stopBefore<E>(stopAt, rowEnd);
    const byte = load<u8>(at);
    if (isColumn ? at !== rowEnd : byte !== LF) {
      const after = stopBefore<E>(stopAt + 4, rowEnd);
      if (
        looksAtQueries &&
        byte === QUESTION &&
        (isColumn ? after === rowEnd : load<u8>(after) === LF) &&
        isOnePlainParam(at + 1, after)
      ) {
        stopAt += 4;
        at = after;
      } else {
        at = rowEndAfter<E>(stopAt, rowEnd);
        stopAt = nextStop;
        if (at === 0) {
          if (isColumn || stopAt !== stopsEnd) {
            isDirty = spoils(load<u8>(load<u32>(stopAt)));
            break;
          }
          if (p === blockStart) break;
          findStops(p, end, set);
          stopAt = stopsStart;
          continue;
        }
        if (isColumn && at !== rowEnd) {
          isDirty = true;
          break;
        }
        if (tailStart !== 0 && does === NOTHING) does = MENDS;
      }
    }
    if (at - p > longest - <usize>(does === MENDS)) break;
    if (!isColumn) store<i32>(inAt, <i32>(p - toIn));
    store<i32>(outAt, <i32>(p + toOut));
    if (does === NOTHING) store<u8>(statusAt, <u8>UNCHANGED);
    else {
      out = run + toOut + outputStart;
      out = does === MENDS ? patch(run, hostEnd, at, out) : writeBytes(run, p, out);
      run = at;
      toOut = out - run - outputStart;
      setStatus(<i32>(statusAt - statusStart), does === MENDS ? CHANGED : SCHEME_NOT_ALLOWED);
    }
    statusAt++;
    inAt += 4;
    outAt += 4;
    if (!isColumn) stopAt += 4;
    p = isColumn ? rowEnd : at + 1;
  }
  nextStop = stopAt;
  rowAfter = <i32>(statusAt - statusStart);
  runAfter = run;
  outAfter = run + toOut + outputStart;
  return p;
}

/** Returns whether the byte of a stop shows that the row is not in normal form. */
function spoils(byte: u8): bool {
  return byte !== CR && byte !== SEMICOLON && byte !== LEFT_PAREN && byte !== QUESTION;
}

/**
 * Writes the run from `run` on up to `end`, where it ends with a patched line whose host ends at `hostEnd`.
 */
function patch(run: usize, hostEnd: usize, end: usize, out: usize): usize {
  if (hostEnd === end) {
    beginPatched();
    takeEmptyPath(end);
  }
  return writePatched(run, end, out);
}

/**
 * Returns the end of the row whose first stop is at `stopAt` in `stops`: its LF, or `end` in a column. Returns
 * 0 if the row needs more than scan.ts can patch, or if the block of a line ends first. Sets nextStop to the
 * last stop it looked at.
 */
function rowEndAfter<E>(stopAt: usize, end: usize): usize {
  let mayHaveFragment = true;
  beginPatched();
  for (; ; stopAt += 4) {
    const at = stopBefore<E>(stopAt, end);
    const byte = byteBefore<E>(at, end);
    if (byte === PERCENT) {
      if (!isNormalTriplet(at, end)) break;
    } else if (byte === LF) {
      nextStop = stopAt;
      return at;
    } else if (byte === HASH) {
      if (hasOptions) return rowEndAfterTail<E>(stopAt, end);
      if (!mayHaveFragment) break;
      mayHaveFragment = false;
    } else if (byte === LEFT_PAREN) {
      if (load<u8>(at - 1) === SLASH) break;
    } else if (byte === QUESTION) {
      if (!hasOptions || !queriesUnaffected) break;
      return rowEndAfterTail<E>(stopAt, end);
    } else if (byte !== AMPERSAND) break;
  }
  nextStop = stopAt;
  return 0;
}

/** Does the same for a row whose query or fragment begins at the stop, under options. */
function rowEndAfterTail<E>(stopAt: usize, end: usize): usize {
  const tail: usize = load<u32>(stopAt);
  if (load<u8>(tail) === QUESTION) {
    const query = stopAt;
    stopAt = scanQueryStops<E>(stopAt, end);
    if (isQueryInDoubt && (endsByOffset<E>() || stopAt !== stopsEnd)) {
      nextStop = query;
      return 0;
    }
    takeQuery(tail);
  }
  let at = stopBefore<E>(stopAt, end);
  if (byteBefore<E>(at, end) === HASH) {
    const hash = at;
    stopAt = fragmentEndAfter<E>(stopAt, end);
    at = stopBefore<E>(stopAt, end);
    if (stopAt !== stopsEnd || at === end) takeFragment(hash, at);
  }
  nextStop = stopAt;
  return byteBefore<E>(at, end) === LF ? at : 0;
}

/** The first stop that is not part of the fragment which begins at the stop `stopAt`, or stopsEnd. */
function fragmentEndAfter<E>(stopAt: usize, end: usize): usize {
  while (true) {
    stopAt += 4;
    const at = stopBefore<E>(stopAt, end);
    const byte = byteBefore<E>(at, end);
    const isPart =
      byte === AMPERSAND ||
      byte === QUESTION ||
      byte === SEMICOLON ||
      byte === LEFT_PAREN ||
      (byte === PERCENT && isNormalTriplet(at, end));
    if (!isPart) return stopAt;
  }
}
