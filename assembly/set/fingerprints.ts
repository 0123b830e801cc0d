/*
 * Memory: reads output and status of the last call, up to 7 bytes before the end of a row and after it, and the 16 bytes
 * of key at fingerprintKey. Of rows with an error it reads the input by inOffsets instead, and writes one byte after the
 * row, which it restores. Writes 16 bytes a row at fingerprints.
 *
 * SipHash (Aumasson and Bernstein, 2012) with c = 1 and d = 3 and 128 bits of output. A round waits for the one before
 * it, but rows do not wait for each other: a processor begins the next row while it finishes one. Two rows in the lanes
 * of a vector would take longer, because vectors have no rotation.
 */

import {
  fingerprintKey,
  fingerprints,
  inOffsets,
  inputStart,
  outOffsets,
  outputStart,
  statusStart,
} from "../memory";
import { failedRows } from "../results";
import { CHANGED } from "../status";
import { CR, LF } from "../url/chars";

/**
 * Fingerprints the first `rows` rows of the last call under the key at fingerprintKey. Leaves out the
 * `terminator` bytes at the end of each row: 1 for lines. A failed row gets zeros or, with `texts`, the
 * fingerprint of its text.
 */
export function fingerprintRows(rows: i32, terminator: i32, texts: bool): void {
  for (let row = 0; row < rows; row++) {
    hash(rowStart(row), rowEnd(row, terminator), fingerprintOf(row));
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
  hash(start, end + 1, fingerprintOf(row));
  store<u8>(end, next);
}

function fingerprintOf(row: i32): usize {
  return fingerprints + ((<usize>row) << 4);
}

function rowStart(row: i32): usize {
  return outputStart + <usize>load<i32>(outOffsets + ((<usize>row) << 2));
}

function rowEnd(row: i32, terminator: i32): usize {
  return outputStart + <usize>load<i32>(outOffsets + ((<usize>row) << 2), 4) - <usize>terminator;
}

/** Returns the bytes of a row after its whole words, with its length in the highest byte. */
function lastWord(start: usize, end: usize): u64 {
  const rest = (end - start) & 7;
  const tail = rest === 0 ? 0 : load<u64>(end - rest) & (u64.MAX_VALUE >> (64 - (rest << 3)));
  return tail | ((<u64>(end - start)) << 56);
}

/**
 * Writes the fingerprint of the row [p, end) at `out`. The round is written four times: a function cannot return the four
 * words of its state, and one loop for all takes 1.25 times as long.
 */
function hash(p: usize, end: usize, out: usize): void {
  const last = lastWord(p, end);
  const k0 = load<u64>(fingerprintKey);
  const k1 = load<u64>(fingerprintKey, 8);
  const words = p + ((end - p) & ~(<usize>7));
  let v0 = k0 ^ 0x736f6d6570736575;
  let v1 = k1 ^ (0x646f72616e646f6d ^ 0xee);
  let v2 = k0 ^ 0x6c7967656e657261;
  let v3 = k1 ^ 0x7465646279746573;
  for (; p < words; p += 8) {
    const word = load<u64>(p);
    v3 ^= word;
    v0 += v1;
    v2 += v3;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 = rotl<u64>(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 = rotl<u64>(v2, 32);
    v0 ^= word;
  }
  v3 ^= last;
  v0 += v1;
  v2 += v3;
  v1 = rotl<u64>(v1, 13) ^ v0;
  v3 = rotl<u64>(v3, 16) ^ v2;
  v0 = rotl<u64>(v0, 32);
  v2 += v1;
  v0 += v3;
  v1 = rotl<u64>(v1, 17) ^ v2;
  v3 = rotl<u64>(v3, 21) ^ v0;
  v2 = rotl<u64>(v2, 32);
  v0 ^= last;
  v2 ^= 0xee;
  for (let round = 0; round < 3; round++) {
    v0 += v1;
    v2 += v3;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 = rotl<u64>(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 = rotl<u64>(v2, 32);
  }
  store<u64>(out, v0 ^ v1 ^ v2 ^ v3);
  v1 ^= 0xdd;
  for (let round = 0; round < 3; round++) {
    v0 += v1;
    v2 += v3;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 = rotl<u64>(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 = rotl<u64>(v2, 32);
  }
  store<u64>(out, v0 ^ v1 ^ v2 ^ v3, 8);
}
