// The rows of the last scan. Memory: writes starts, froms, tos, kinds.

import { froms, inputStart, kinds, ROWS, starts, tos } from "./memory";

/** The URL of the row is its bytes as they are written. */
export const URL: u8 = 0;
/** The same, and the URL is in quotes. */
export const QUOTED: u8 = 1;
/** The record lacks its URL. */
export const MISSING: u8 = 2;
/** The host must read the row: it may be no record, or its URL is written with escapes. */
export const UNCLEAR: u8 = 3;

/** Counts the rows of the scan. */
export let rows: i32 = 0;

export function beginRows(): void {
  rows = 0;
}

/** Returns whether no further row has room. */
export function areFull(): bool {
  return rows === ROWS;
}

/** Adds the row at `start`. `from` and `to` say where its URL is, if its kind has one. */
export function addRow(start: usize, kind: u8, from: usize, to: usize): void {
  const at = (<usize>rows) << 2;
  store<i32>(starts + at, <i32>(start - inputStart));
  store<i32>(froms + at, <i32>(from - inputStart));
  store<i32>(tos + at, <i32>(to - inputStart));
  store<u8>(kinds + <usize>rows, kind);
  rows++;
}

/** Ends the last row. Returns the number of rows. */
export function endRows(end: usize): i32 {
  store<i32>(starts + ((<usize>rows) << 2), <i32>(end - inputStart));
  return rows;
}
