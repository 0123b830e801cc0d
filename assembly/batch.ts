/*
 * Memory: reads the input region and, for columns, inOffsets; writes inOffsets (lines), status,
 * outOffsets and output. Rows that are normal already are not copied one by one: they gather in a
 * run `[run, p)` of the input that moves as a whole when another row interrupts it.
 */
import { baseEnd, hasBase } from "./base";
import { CR, LF } from "./chars";
import {
  baseStart,
  inOffsets,
  inputStart,
  outOffsets,
  outputEnd,
  outputStart,
  rowBound,
  rowCapacity,
  statusStart,
} from "./memory";
import { findNewline } from "./newline";
import { longestAlias, maxLength } from "./plan";
import { rowStatus, writeNormalRow, writeRow } from "./row";
import { isNormal } from "./scan";
import { isSettled } from "./settled";
import { CHANGED, UNCHANGED } from "./status";

/** Bytes of the input that the rows of the last call take. */
export let consumed: i32 = 0;
/** Bytes the last call wrote to the output. */
export let written: i32 = 0;
/** Rows of the last call that are not UNCHANGED, and among them those with an error. */
export let changedRows: i32 = 0;
export let failedRows: i32 = 0;

function begin(): void {
  consumed = 0;
  written = 0;
  changedRows = 0;
  failedRows = 0;
}

function setOffset(offsets: usize, row: i32, value: usize): void {
  store<i32>(offsets + ((<usize>row) << 2), <i32>value);
}

function setStatus(row: i32, status: i32): void {
  store<u8>(statusStart + <usize>row, <u8>status);
  if (status !== UNCHANGED) changedRows++;
  if (status > CHANGED) failedRows++;
}

function baseLength(): usize {
  return hasBase ? baseEnd - baseStart : 0;
}

/**
 * Normalizes the lines in the first `length` bytes of the input, one line out per line in, each ended
 * by LF; a failed line comes out empty. A line ends at LF or CR LF; without `final`, bytes behind the
 * last LF wait for the next call. Stops early when rows or output run out: `consumed` tells where.
 * Returns the number of lines.
 */
export function normalizeLines(length: i32, final: bool): i32 {
  begin();
  const end = inputStart + <usize>length;
  const base = baseLength();
  let out = outputStart;
  let p = inputStart;
  let run = p;
  let row = 0;
  while (p < end && row < rowCapacity) {
    const newline = findNewline(p, end);
    if (newline === end && !final) break;
    if (out + (p - run) + rowBound(newline - p, base, longestAlias) > outputEnd) break;
    const next = newline === end ? end : newline + 1;
    setOffset(inOffsets, row, p - inputStart);
    const text =
      newline > p && newline < end && load<u8>(newline - 1) === CR ? newline - 1 : newline;
    const normal = text - p <= maxLength && isNormal(p, text);
    if (normal && isSettled(p, text)) {
      setOffset(outOffsets, row, out + (p - run) - outputStart);
      setStatus(row++, UNCHANGED);
      p = next;
      if (next === text + 1) continue;
      out = flush(run, text, out);
    } else {
      out = flush(run, p, out);
      setOffset(outOffsets, row, out - outputStart);
      out = normal ? writeNormalRow(p, text, out) : writeRow(p, text, out);
      setStatus(row++, rowStatus);
      p = next;
    }
    store<u8>(out++, LF);
    run = p;
  }
  out = flush(run, p, out);
  return finish(row, p, out);
}

/**
 * Normalizes the `count` rows `[inOffsets[i], inOffsets[i + 1])` of the input, offsets relative to the
 * input and ascending. A failed row comes out empty. Stops early when the output runs out.
 * Returns the number of rows done.
 */
export function normalizeColumn(count: i32): i32 {
  begin();
  const base = baseLength();
  let out = outputStart;
  let p = inputStart + <usize>load<i32>(inOffsets);
  let run = p;
  let row = 0;
  for (; row < count; row++) {
    const end = inputStart + <usize>load<i32>(inOffsets + ((<usize>row) << 2), 4);
    if (out + (p - run) + rowBound(end - p, base, longestAlias) > outputEnd) break;
    const normal = end - p <= maxLength && isNormal(p, end);
    if (normal && isSettled(p, end)) {
      setOffset(outOffsets, row, out + (p - run) - outputStart);
      setStatus(row, UNCHANGED);
    } else {
      out = flush(run, p, out);
      setOffset(outOffsets, row, out - outputStart);
      out = normal ? writeNormalRow(p, end, out) : writeRow(p, end, out);
      setStatus(row, rowStatus);
      run = end;
    }
    p = end;
  }
  out = flush(run, p, out);
  return finish(row, p, out);
}

/** Moves a run of normal rows. */
function flush(run: usize, p: usize, out: usize): usize {
  memory.copy(out, run, p - run);
  return out + (p - run);
}

function finish(rows: i32, p: usize, out: usize): i32 {
  setOffset(inOffsets, rows, p - inputStart);
  setOffset(outOffsets, rows, out - outputStart);
  consumed = <i32>(p - inputStart);
  written = <i32>(out - outputStart);
  return rows;
}
