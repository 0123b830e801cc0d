/*
 * Linear memory of the scanner, low to high. It is a module of its own: browsers need no records.
 *
 *   0            static data
 *   __heap_base
 *   names        the steps of a path: for each, its length (Int32) and its bytes  (json.ts)
 *   starts       Int32 x (ROWS + 1), row starts within the input
 *   froms, tos   Int32 x ROWS each: the URL of a row, within the input
 *   kinds        Uint8 x ROWS                                                   (rows.ts)
 *   offsets      Int32 x (ROWS + 1), row starts within the column
 *   affixes      what comes before a key and after it, MAX_AFFIX bytes each     (interleave.ts)
 *   keyOffsets   Int32 x (ROWS + 1), row starts within the keys
 *   interleavedStarts  Int32 x (ROWS + 1), row starts within the interleaved rows
 *   input        whole records                                                 + PAD
 *   column       the URLs of the rows, one after the other                      + PAD
 *   keys         the keys of the rows, one after the other                      + PAD
 *   interleaved  rows with their keys                                           + PAD
 */

import { LF } from "./bytes";

/** Version of the interface of this module. The host refuses a module of another version. */
export const SCANNER_VERSION: i32 = 4;

/** Limits the rows of one call. */
export const ROWS: i32 = 1 << 14;
/** Bytes after a region that 16-byte loads and stores may touch. */
const PAD: usize = 64;
/** Bytes of an affix at most. */
export const MAX_AFFIX: usize = 32;
/** Bytes of the names. */
export const NAMES: usize = 4096;

const PAGE: usize = 65536;

function align(n: usize): usize {
  return (n + 15) & ~(<usize>15);
}

export const namesStart: usize = align(__heap_base);
export const starts: usize = namesStart + NAMES;
export const froms: usize = align(starts + ((<usize>ROWS + 1) << 2));
export const tos: usize = froms + ((<usize>ROWS) << 2);
export const kinds: usize = tos + ((<usize>ROWS) << 2);
export const offsets: usize = kinds + <usize>ROWS;
export const affixes: usize = align(offsets + ((<usize>ROWS + 1) << 2));
export const keyOffsets: usize = affixes + 2 * MAX_AFFIX;
export const interleavedStarts: usize = align(keyOffsets + ((<usize>ROWS + 1) << 2));
export const inputStart: usize = align(interleavedStarts + ((<usize>ROWS + 1) << 2)) + 16;
export let columnStart: usize = 0;
export let keysStart: usize = 0;
export let interleavedStart: usize = 0;
/** The end of the column. */
let columnEnd: usize = 0;
/** The most bytes of the input. */
let inputBytes: usize = 0;

/** Makes room for `bytes` of input. Returns 1, or 0 if the memory cannot grow that far; then nothing has changed. */
export function reserve(bytes: u32): i32 {
  const column = align(inputStart + <usize>bytes + PAD);
  const end = <u64>column + <u64>bytes + <u64>PAD;
  if (!growTo(end)) return 0;
  inputBytes = bytes;
  columnStart = column;
  columnEnd = <usize>end;
  return 1;
}

/**
 * Makes room for the keys of `rows` rows, and for these rows with their keys. A key may double. Returns 1, or 0 if the
 * memory cannot grow that far; then nothing has changed.
 */
export function reserveKeys(bytes: u32, rows: i32): i32 {
  const keys = align(columnEnd);
  const interleaved = align(keys + <usize>bytes + PAD);
  const affixed = <u64>rows * (2 * <u64>MAX_AFFIX + 2);
  if (!growTo(<u64>interleaved + <u64>inputBytes + 2 * <u64>bytes + affixed + <u64>PAD)) return 0;
  keysStart = keys;
  interleavedStart = interleaved;
  return 1;
}

function growTo(end: u64): bool {
  const has = (<u64>memory.size()) << 16;
  if (end > 0xffff0000) return false;
  return end <= has || memory.grow(<i32>((end - has + <u64>PAGE - 1) >> 16)) >= 0;
}

/** Ends the input by an LF that belongs to no row, so that scans stop there. */
export function endInput(end: usize): void {
  store<u8>(end, LF);
}
