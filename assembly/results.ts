/*
 * The results of a call: where each row begins in the input and in the output, and its status.
 * Memory: writes inOffsets, outOffsets and status.
 */
import { inOffsets, inputStart, outOffsets, outputStart, statusStart } from "./memory";
import { asksReasons, storeReasons } from "./reasons";
import { CHANGED, UNCHANGED } from "./status";

// Results of the last call of normalizeLines or normalizeColumn, which the host reads.

/** Bytes of the input that the rows take. */
export let consumed: i32 = 0;
/** Bytes written to the output. */
export let written: i32 = 0;
/** Number of rows that are not UNCHANGED. */
export let changedRows: i32 = 0;
/** Number of rows with an error; changedRows counts them too. */
export let failedRows: i32 = 0;

/** Begins a call, without rows yet. */
export function beginResults(): void {
  consumed = 0;
  written = 0;
  changedRows = 0;
  failedRows = 0;
}

/**
 * Ends a call after `rows` rows, with the input read up to `p` and the output written up to `out`. Returns
 * the rows.
 */
export function endResults(rows: i32, p: usize, out: usize): i32 {
  beginRow(rows, p, out);
  consumed = <i32>(p - inputStart);
  setWritten(out);
  return rows;
}

/** Notes that the output was written over, up to `out`. */
export function setWritten(out: usize): void {
  written = <i32>(out - outputStart);
}

/** Notes where a row begins in the input and in the output. */
export function beginRow(row: i32, p: usize, out: usize): void {
  setOffset(inOffsets, row, p - inputStart);
  setOffset(outOffsets, row, out - outputStart);
}

/** Notes the status of a row, and its reasons if they are asked for. */
export function setStatus(row: i32, status: i32): void {
  store<u8>(statusStart + <usize>row, <u8>status);
  if (status !== UNCHANGED) changedRows++;
  if (status > CHANGED) failedRows++;
  if (asksReasons && status === CHANGED) storeReasons(row);
}

function setOffset(offsets: usize, row: i32, value: usize): void {
  store<i32>(offsets + ((<usize>row) << 2), <i32>value);
}
