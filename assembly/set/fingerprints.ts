/*
 * Memory: reads output and status of the last call, up to 7 bytes after a row, and the 16 bytes of key at
 * fingerprintKey. Of rows with an error it reads the input by inOffsets instead, and writes one byte after the
 * row, which it restores. Writes 16 bytes a row at fingerprints. FIRST_ROWS, static data, and sameLength hold
 * the order in which rows are taken.
 *
 * SipHash (Aumasson and Bernstein, 2012) with c = 1 and d = 3 and 128 bits of output. A round waits for the
 * one before it, so two rows of equally many words are hashed together, one in each lane:
 *
 *   lanes   0: row 7                1: row 12
 *   v0..v3  the state of row 7      the state of row 12
 *   word    8 bytes of row 7        8 bytes of row 12
 */

import {
  fingerprintKey,
  fingerprints,
  inOffsets,
  inputStart,
  outOffsets,
  outputStart,
  sameLength,
  statusStart,
} from "../memory";
import { failedRows } from "../results";
import { CHANGED } from "../status";
import { CR, LF } from "../url/chars";

/**
 * The number of chains. A chain links rows of equally many words of 8 bytes; the last chain has all longer
 * rows.
 */
const CHAINS: usize = 64;
const FIRST_ROWS: usize = memory.data(4 * 64, 16);
const NONE: i32 = -1;

/**
 * Fingerprints the first `rows` rows of the last call under the key at fingerprintKey. Leaves out the
 * `terminator` bytes at the end of each row: 1 for lines. A failed row gets zeros or, with `texts`, the
 * fingerprint of its text.
 */
export function fingerprintRows(rows: i32, terminator: i32, texts: bool): void {
  memory.fill(FIRST_ROWS, 0xff, 4 * CHAINS);
  for (let row = 0; row < rows; row++) {
    const length = rowEnd(row, terminator) - rowStart(row);
    const chain = FIRST_ROWS + (min<usize>(length >> 3, CHAINS - 1) << 2);
    store<i32>(nextOf(row), load<i32>(chain));
    store<i32>(chain, row);
  }
  const last = FIRST_ROWS + 4 * (CHAINS - 1);
  for (let chain = FIRST_ROWS; chain <= last; chain += 4) {
    for (let row = load<i32>(chain); row !== NONE; ) {
      let other = load<i32>(nextOf(row));
      const next = other === NONE ? NONE : chain === last ? other : load<i32>(nextOf(other));
      // A row without a partner of its length is hashed with itself.
      if (other === NONE || chain === last) other = row;
      hashPair(
        rowStart(row),
        rowEnd(row, terminator),
        rowStart(other),
        rowEnd(other, terminator),
        fingerprintOf(row),
        fingerprintOf(other),
      );
      row = next;
    }
  }
  if (failedRows !== 0) fingerprintFailed(rows, terminator, texts);
}

function fingerprintFailed(rows: i32, terminator: i32, texts: bool): void {
  for (let row = 0; row < rows; row++) {
    if (<i32>load<u8>(statusStart + <usize>row) <= CHANGED) continue;
    if (texts) fingerprintText(row, terminator);
    else v128.store(fingerprintOf(row), i64x2.splat(0));
  }
}

/**
 * Fingerprints the bytes of a row of the input, without the end of a line, and an LF after them. No normal
 * form has an LF, so the key of a text is never that of a URL.
 */
function fingerprintText(row: i32, terminator: i32): void {
  const start = inputStart + <usize>load<i32>(inOffsets + ((<usize>row) << 2));
  let end = inputStart + <usize>load<i32>(inOffsets + ((<usize>row) << 2), 4);
  if (terminator !== 0 && end > start && load<u8>(end - 1) === LF) {
    end--;
    if (end > start && load<u8>(end - 1) === CR) end--;
  }
  const next = load<u8>(end);
  store<u8>(end, LF);
  hashPair(start, end + 1, start, end + 1, fingerprintOf(row), fingerprintOf(row));
  store<u8>(end, next);
}

function fingerprintOf(row: i32): usize {
  return fingerprints + ((<usize>row) << 4);
}

function nextOf(row: i32): usize {
  return sameLength + ((<usize>row) << 2);
}

function rowStart(row: i32): usize {
  return outputStart + <usize>load<i32>(outOffsets + ((<usize>row) << 2));
}

function rowEnd(row: i32, terminator: i32): usize {
  return outputStart + <usize>load<i32>(outOffsets + ((<usize>row) << 2), 4) - <usize>terminator;
}

/** Returns the bytes of a row after its whole words, with its length in the highest byte. */
function lastWord(start: usize, end: usize): i64 {
  const rest = (end - start) & 7;
  const tail = rest === 0 ? 0 : load<u64>(end - rest) & (u64.MAX_VALUE >> (64 - (rest << 3)));
  return <i64>(tail | ((<u64>(end - start)) << 56));
}

/**
 * Fingerprints two rows of equally many words, [p, end) and [q, otherEnd), and writes the results at `a` and
 * `b`. One loop runs all rounds: first for the words, then three rounds for each half of the output.
 */
function hashPair(p: usize, end: usize, q: usize, otherEnd: usize, a: usize, b: usize): void {
  const lastOfA = i64x2.splat(lastWord(p, end));
  const lastWords = i64x2.replace_lane(lastOfA, 1, lastWord(q, otherEnd));
  const k0 = v128.load64_splat(fingerprintKey);
  const k1 = v128.load64_splat(fingerprintKey, 8);
  let v0 = v128.xor(k0, i64x2.splat(0x736f6d6570736575));
  let v1 = v128.xor(k1, i64x2.splat(0x646f72616e646f6d ^ 0xee));
  let v2 = v128.xor(k0, i64x2.splat(0x6c7967656e657261));
  let v3 = v128.xor(k1, i64x2.splat(0x7465646279746573));
  let first = k0;
  let rounds = <i32>((end - p) >> 3) + 1;
  let half = 0;
  for (;;) {
    let word = i64x2.splat(0);
    if (half === 0) {
      word = rounds > 1 ? v128.load_lane<u64>(q, v128.load64_zero(p), 1) : lastWords;
      p += 8;
      q += 8;
    }
    v3 = v128.xor(v3, word);
    v0 = i64x2.add(v0, v1);
    v1 = v128.xor(rotate(v1, 13), v0);
    v0 = swapHalves(v0);
    v2 = i64x2.add(v2, v3);
    v3 = v128.xor(rotate(v3, 16), v2);
    v0 = i64x2.add(v0, v3);
    v3 = v128.xor(rotate(v3, 21), v0);
    v2 = i64x2.add(v2, v1);
    v1 = v128.xor(rotate(v1, 17), v2);
    v2 = swapHalves(v2);
    v0 = v128.xor(v0, word);
    if (--rounds > 0) continue;
    if (half === 2) break;
    rounds = 3;
    if (half++ === 0) {
      v2 = v128.xor(v2, i64x2.splat(0xee));
    } else {
      first = join(v0, v1, v2, v3);
      v1 = v128.xor(v1, i64x2.splat(0xdd));
    }
  }
  const second = join(v0, v1, v2, v3);
  v128.store(a, i64x2.shuffle(first, second, 0, 2));
  v128.store(b, i64x2.shuffle(first, second, 1, 3));
}

function join(v0: v128, v1: v128, v2: v128, v3: v128): v128 {
  return v128.xor(v128.xor(v0, v1), v128.xor(v2, v3));
}

/** Rotates each lane to the left. */
function rotate(x: v128, bits: i32): v128 {
  return v128.or(i64x2.shl(x, bits), i64x2.shr_u(x, 64 - bits));
}

/** Rotates each lane by 32. */
function swapHalves(x: v128): v128 {
  return i32x4.shuffle(x, x, 1, 0, 3, 2);
}
