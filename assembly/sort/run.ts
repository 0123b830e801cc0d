/*
 * A run: the lines that fit in memory together, with an entry for each. Text grows upwards, entries grow downwards.
 *
 *   start        text, to `textEnd`, and PAD
 *   low          entries of 16 bytes, to `top`: 8 bytes of the line from the depth on, in the order in which they compare
 *                (64 bits); where the line begins and where it ends (32 bits each)
 */
import { lineEnd, NONE, ODD, readLine } from "./line";
import { copyText, PAD } from "./memory";
import { sortEntries, wordAt } from "./sort-entries";

const ENTRY: usize = 16;
/** There is no room for another entry. */
const FULL: i32 = 3;

let _start: usize = 0;
let next: usize = 0;
let textEnd: usize = 0;
let low: usize = 0;
let top: usize = 0;
/** The entry whose line is copied next, and how many of its bytes were copied. */
let copying: usize = 0;
let copied: usize = 0;

/** The lines so far, with those that were dropped. */
export let linesRead: f64 = 0;

export function setLinesRead(count: f64): void {
  linesRead = count;
}

/** Begins a run, with `kept` bytes of text from the last one: those after its lines. */
export function beginRun(from: usize, kept: usize, end: usize): void {
  if (kept > 0) memory.copy(from, next, kept);
  _start = from;
  next = from;
  textEnd = from + kept;
  low = end;
  top = end;
}

/** Makes room for a line that does not fit. There are no entries yet. */
export function setTop(end: usize): void {
  low = end;
  top = end;
}

/** Says where the text ends, after more was read. */
export function setTextEnd(end: usize): void {
  textEnd = end;
}

/** Returns the bytes for text and entries that are free. */
export function room(): usize {
  const taken = textEnd + <usize>PAD;
  return taken < low ? low - taken : 0;
}

export function hasLines(): bool {
  return low < top;
}

/** Returns where the line begins that is taken next. */
export function lineStart(): usize {
  return next;
}

/** Takes whole lines. Returns NONE if there are no more, ODD if the host must judge the next one, and FULL. */
export function takeLines(): i32 {
  while (room() >= ENTRY) {
    const found = readLine(next, textEnd);
    if (found === NONE || found === ODD) return found;
    keepLine();
  }
  return FULL;
}

/** Takes the line that was read last. */
export function keepLine(): void {
  low -= ENTRY;
  store<u64>(low, wordAt(next, lineEnd));
  store<u32>(low, <u32>next, 8);
  store<u32>(low, <u32>lineEnd, 12);
  dropLine();
}

/** Leaves out the line that was read last. */
export function dropLine(): void {
  next = lineEnd + 1;
  linesRead += 1;
}

/** Sorts the lines by their bytes. */
export function sort(): void {
  sortEntries(low, top, 0);
  copying = low;
  copied = 0;
}

/** Copies sorted lines to [to, end), at most all of them, and PAD bytes after it. Returns the end of the copies. */
export function gather(to: usize, end: usize): usize {
  while (copying < top && to < end) {
    const from = <usize>load<u32>(copying, 8) + copied;
    const left = <usize>load<u32>(copying, 12) + 1 - from;
    const length = min(left, end - to);
    copyText(to, from, length);
    to += length;
    if (length === left) {
      copying += ENTRY;
      copied = 0;
    } else copied += length;
  }
  return to;
}
