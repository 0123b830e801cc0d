/*
 * The tightest loop: lines that need nothing, which nine of ten do. It knows no function call and no
 * global between two lines, but where rules want a query looked at, so that V8 keeps sets and addresses
 * in registers; whatever is out of the ordinary it leaves to scan.ts, which looks at one row with more
 * patience and agrees (test/kernel/scan.test.ts).
 *
 * Memory: reads 16 bytes at a time from the input, up to 15 after the end; writes inOffsets,
 * outOffsets and status of the lines it passes.
 *
 *   lanes     0   1   2   3   4   5   6   7   8   9   a   b   c   d   e   f
 *   block     m   /   a   /   .   .   /   %   7   e   ?   q   =   1  LF   h
 *   outside   .   .   .   .   .   .   .   X   .   .   .   .   .   .   X   .    not in the set (sets.ts)
 *   before    w   m   /   a   /   .   .   /   %   7   e   ?   q   =   1  LF    the block one byte back
 *   dots      .   .   .   .   X   .   .   .   .   .   .   .   .   .   .   .    a dot after a slash
 *   stops     .   .   .   .   X   .   .   X   .   .   .   .   .   .   X   .    the first decides
 */

import { inOffsets, inputStart, outOffsets, rowCapacity, statusStart } from "../memory";
import { hasOptions, maxLength, ruleFilter, sparesQueries } from "../plan";
import { UNCHANGED } from "../status";
import { DOT, isNormalTriplet, LEFT_PAREN, LF, PERCENT, QUESTION, SLASH } from "../url/chars";
import { HOST, highRow, outside, PLAIN, REST, splat } from "../url/sets";
import { isQuerySettled, scanQuery } from "./query-scan";
import {
  FILE_HEAD,
  HTTP_HEAD,
  HTTPS_HEAD,
  mendQuery,
  SEVEN_BYTES,
  sparesFile,
  sparesHttp,
  sparesHttps,
} from "./scan";
import { mayHaveRules } from "./site-filter";

// Results of the last call, which batch.ts reads.

/** The end of the line that stopped the call, if only its query is to be mended (scan.ts); else 0. */
export let mendedEnd: usize = 0;
/** The number of the first line that the call did not pass. */
export let rowAfter: i32 = 0;

/**
 * Passes the lines from `p` on, of which the first is number `row`, that are in normal form, that the
 * rules leave as they are and whose sites have no rules. The line at `p` comes out at the offset `outOffset`. Returns where the
 * first other line begins.
 */
export function passCleanLines(p: usize, end: usize, row: i32, outOffset: usize): usize {
  const hostRow = v128.load(HOST);
  const restRow = v128.load(hasOptions ? PLAIN : REST);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  const slash = splat(SLASH);
  const http = sparesHttp;
  const https = sparesHttps;
  const file = sparesFile;
  const looksAtSites = ruleFilter !== 0;
  const looksAtQueries = hasOptions && sparesQueries;
  const longest = maxLength;
  const toOut = outOffset - p;
  const toIn = inputStart;
  let inAt = inOffsets + ((<usize>row) << 2);
  let outAt = outOffsets + ((<usize>row) << 2);
  let statusAt = statusStart + <usize>row;
  const statusEnd = statusStart + <usize>rowCapacity;

  mendedEnd = 0;
  while (statusAt < statusEnd && end - p > 8) {
    const head = load<u64>(p);
    const isHttps = head === HTTPS_HEAD;
    const scheme = head & SEVEN_BYTES;
    let at = p + 7 + <usize>isHttps;
    const isFile = scheme === FILE_HEAD && load<u8>(at) !== 0x6c; // not `localhost`
    if (!((isHttps && https) || (scheme === HTTP_HEAD && http) || (isFile && file))) break;
    if (load<u8>(at) !== SLASH || !isFile) {
      const host = at;
      let label = at;
      let stop: u32 = 16;
      while (at < end) {
        const block = v128.load(at);
        stop = ctz<u32>(i8x16.bitmask(outside(block, hostRow, high, nibble)) | 0x10000);
        const dots = i8x16.bitmask(i8x16.eq(block, dot)) & ((1 << stop) - 1);
        if (dots !== 0) label = at + 32 - <usize>clz<u32>(dots);
        at += <usize>stop;
        if (stop < 16) break;
      }
      if (stop === 16 || load<u8>(at) !== SLASH || load<u8>(label) < 0x61) break;
      if (looksAtSites && !isFile && mayHaveRules(host, at)) break;
    }
    while (at < end) {
      const block = v128.load(at);
      const dots = v128.and(i8x16.eq(block, dot), i8x16.eq(v128.load(at - 1), slash));
      const stops: u32 = i8x16.bitmask(v128.or(outside(block, restRow, high, nibble), dots));
      if (stops === 0) {
        at += 16;
        continue;
      }
      at += <usize>ctz(stops);
      const byte = load<u8>(at);
      if (byte === LEFT_PAREN && load<u8>(at - 1) !== SLASH) {
        at++;
        continue;
      }
      if (byte !== PERCENT || !isNormalTriplet(at, end)) break;
      at += 3;
    }
    if (looksAtQueries && at < end && load<u8>(at) === QUESTION) {
      const query = at;
      at = scanQuery(query + 1, end);
      if (!isQuerySettled) {
        if (at < end && load<u8>(at) === LF && at - p <= longest) {
          mendedEnd = at;
          mendQuery(query);
        }
        break;
      }
    }
    if (at >= end || load<u8>(at) !== LF || at - p > longest) break;
    store<i32>(inAt, <i32>(p - toIn));
    store<i32>(outAt, <i32>(p + toOut));
    store<u8>(statusAt++, <u8>UNCHANGED);
    inAt += 4;
    outAt += 4;
    p = at + 1;
  }
  rowAfter = <i32>(statusAt - statusStart);
  return p;
}
