/*
 * Memory: reads the input region and, for columns, inOffsets; writes inOffsets, status, outOffsets and
 * output. Rows that are already normal are not copied one by one. They gather in a run `[run, p)` of the
 * input, which moves as a whole when another row interrupts it. A row that lacks the `/` of an empty path, or
 * loses part of its query, interrupts the run only at that place. Rows of sites with rules gather only if
 * they come out unchanged.
 */

import { BY_EMPTY_PATH } from "./catalog.generated";
import {
  baseStart,
  inOffsets,
  inputStart,
  outputEnd,
  outputStart,
  rowBound,
  rowCapacity,
} from "./memory";
import { longestAlias, maxLength, ruledBytes, writesKeys } from "./plan";
import { beginReasons, note } from "./reasons";
import { beginResults, beginRow, endResults, setStatus } from "./results";
import {
  refuseRow,
  rowStatus,
  writeNormalRow,
  writePatchedRow,
  writeRow,
  writeRuledRow,
} from "./row";
import {
  beginColumn,
  beginLines,
  isDirty,
  outAfter,
  passCleanLines,
  passCleanRows,
  rowAfter,
  runAfter,
} from "./scan/clean";
import {
  fileUnaffected,
  httpsUnaffected,
  httpUnaffected,
  isRefused,
  isSettled,
  mayBeRuled,
  missingSlash,
  normalEnd,
  tailStart,
  writePatched,
} from "./scan/scan";
import { settleSiteRules } from "./site-rules/settle";
import { CHANGED, UNCHANGED } from "./status";
import { baseEnd, hasBase } from "./url/base";
import { CR, LF } from "./url/chars";
import { find, writeBytes } from "./url/component";

function baseLength(): usize {
  return hasBase ? baseEnd - baseStart : 0;
}

/** Returns whether the options leave any URL as it is, so that clean.ts can pass it. */
function someUnaffected(): bool {
  return httpUnaffected || httpsUnaffected || fileUnaffected;
}

/**
 * Normalizes the lines in the first `length` bytes of the input. Writes one line for each, ended by LF; a
 * failed line comes out empty. A line ends at LF or CR LF. Without `final`, bytes after the last LF wait for
 * the next call. Stops early when rows or output run out; `consumed` tells where. Returns the number of
 * lines.
 */
export function normalizeLines(length: i32, final: bool): i32 {
  beginResults();
  beginLines();
  const end = inputStart + <usize>length;
  const base = baseLength();
  let out = outputStart;
  let p = inputStart;
  let run = p;
  let row = 0;
  const asksAll = writesKeys || !someUnaffected();
  // After a row whose site has rules, the next row is likely to have rules too.
  let isAsked = asksAll;
  while (p < end && row < rowCapacity) {
    if (!isAsked) {
      p = passCleanLines(p, end, row, run, out);
      row = rowAfter;
      run = runAfter;
      out = outAfter;
      if (p === end || row === rowCapacity) break;
    }
    beginReasons();
    let text: usize = writesKeys || (!isAsked && isDirty) ? 0 : normalEnd(p, end);
    let next: usize = text === 0 ? 0 : lineEnd(text, end, final);
    const isNormal = next !== 0 && text - p < maxLength;
    const isKnown = isNormal && isSettled;
    const isPatched = (missingSlash | tailStart) !== 0;
    const isRuled = isKnown && mayBeRuled;
    isAsked = asksAll || isRuled;
    if (missingSlash !== 0) note(BY_EMPTY_PATH);
    if (isKnown && isLeft(p, text, isRuled, isPatched)) {
      beginRow(row, p, out + (p - run));
      setStatus(row++, isPatched ? CHANGED : UNCHANGED);
      if (isPatched) {
        out = writePatched(run, text, out);
        run = text;
      }
      p = next;
      if (next === text + 1) continue;
      out = writeBytes(run, text, out);
    } else {
      const newline = find(p, end, LF);
      if (newline === end && !final) break;
      if (!hasRoom(out + (p - run), newline - p, end - newline, base)) break;
      next = newline === end ? end : newline + 1;
      const hasCr = newline > p && newline < end && load<u8>(newline - 1) === CR;
      text = hasCr ? newline - 1 : newline;
      out = writeBytes(run, p, out);
      beginRow(row, p, out);
      out = isKnown
        ? writeKnownRow(p, text, out, isPatched)
        : writeOtherRow(p, text, out, isNormal);
      setStatus(row++, rowStatus);
      p = next;
    }
    store<u8>(out++, LF);
    run = p;
  }
  out = writeBytes(run, p, out);
  return endResults(row, p, out);
}

/**
 * Returns where the next line begins if this one ends at `p`. Returns 0 if the line goes on, or if its end is
 * not in the input yet.
 */
function lineEnd(p: usize, end: usize, final: bool): usize {
  if (p === end) return final ? end : 0;
  if (load<u8>(p) === LF) return p + 1;
  return load<u8>(p) === CR && end - p > 1 && load<u8>(p, 1) === LF ? p + 2 : 0;
}

/**
 * Normalizes the `count` rows `[inOffsets[i], inOffsets[i + 1])` of the input. Offsets ascend and count from
 * the start of the input. A failed row comes out empty. Stops early when the output runs out. Returns the
 * number of rows done.
 */
export function normalizeColumn(count: i32): i32 {
  beginResults();
  beginColumn();
  const base = baseLength();
  const inputEnd = inputStart + <usize>load<i32>(inOffsets + ((<usize>count) << 2));
  let out = outputStart;
  let p = inputStart + <usize>load<i32>(inOffsets);
  let run = p;
  let row = 0;
  // One row alone is not worth a block.
  const asksAll = writesKeys || count === 1 || !someUnaffected();
  // After a row whose site has rules, the next row is likely to have rules too.
  let isAsked = asksAll;
  while (row < count) {
    if (!isAsked) {
      p = passCleanRows(p, inputEnd, row, count, run, out);
      row = rowAfter;
      run = runAfter;
      out = outAfter;
      if (row === count) break;
    }
    const end = inputStart + <usize>load<i32>(inOffsets + ((<usize>row) << 2), 4);
    beginReasons();
    const isNormal =
      !writesKeys && (isAsked || !isDirty) && normalEnd(p, end) === end && end - p < maxLength;
    const isKnown = isNormal && isSettled;
    const isPatched = (missingSlash | tailStart) !== 0;
    const isRuled = isKnown && mayBeRuled;
    isAsked = asksAll || isRuled;
    if (missingSlash !== 0) note(BY_EMPTY_PATH);
    if (isKnown && isLeft(p, end, isRuled, isPatched)) {
      beginRow(row, p, out + (p - run));
      setStatus(row++, isPatched ? CHANGED : UNCHANGED);
      if (isPatched) {
        out = writePatched(run, end, out);
        run = end;
      }
    } else {
      if (!hasRoom(out + (p - run), end - p, inputEnd - end, base)) break;
      out = writeBytes(run, p, out);
      beginRow(row, p, out);
      out = isKnown ? writeKnownRow(p, end, out, isPatched) : writeOtherRow(p, end, out, isNormal);
      setStatus(row++, rowStatus);
      run = end;
    }
    p = end;
  }
  out = writeBytes(run, p, out);
  return endResults(row, p, out);
}

/** Returns whether a row that options leave as it is, but for its patches, stays so under the rules of its site. */
function isLeft(p: usize, end: usize, isRuled: bool, isPatched: bool): bool {
  return !(isRuled && (isPatched || settleSiteRules(p, end)));
}

/** Writes a row that rules may change; isLeft has settled it, if it is not patched. */
function writeKnownRow(p: usize, end: usize, out: usize, isPatched: bool): usize {
  return isPatched ? writePatchedRow(p, end, out) : writeRuledRow(out);
}

/** Writes a row that options may change. */
function writeOtherRow(p: usize, end: usize, out: usize, isNormal: bool): usize {
  if (writesKeys) return writeRow(p, end, out);
  if (isNormal && isRefused) return refuseRow(p, out);
  if (isNormal && missingSlash === 0) return writeNormalRow(p, end, out);
  return writeRow(p, end, out);
}

/**
 * Returns whether the output has room for a row of `length` bytes and for the `rest` of the input on the fast
 * path. A row gains at most one byte there, so only rows of the exact path need this check.
 */
function hasRoom(out: usize, length: usize, rest: usize, base: usize): bool {
  const bytes = rowBound(length, base, longestAlias) + ruledBytes + 2 * <u64>rest;
  return <u64>out + bytes <= <u64>outputEnd;
}
