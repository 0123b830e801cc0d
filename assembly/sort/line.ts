/*
 * Memory: reads lines, and at most 15 bytes after their text. Finds the end of a line, and whether it looks as the lines
 * of CDX or CDXJ should. The host judges lines that do not: they may be headers.
 */

/** There is no whole line. */
export const NONE: i32 = 0;
export const PLAIN: i32 = 1;
export const ODD: i32 = 2;

/** Says that lines are CDXJ, in the place of the number of separators of CDX. */
const CDXJ: i32 = -1;
const LF: v128 = i8x16.splat(0x0a);
const CR: u8 = 0x0d;
const SPACE: u8 = 0x20;
const OPEN: u8 = 0x7b;
const CLOSE: u8 = 0x7d;

/** Where the line that was read last ends: the place of its LF. */
export let lineEnd: usize = 0;

let separator: v128 = i8x16.splat(SPACE);
let wanted: i32 = 0;

/** Says how lines look: the separator of CDX and how many a line has; -1 for CDXJ; 0 for no line at all. */
export function setShape(byte: i32, count: i32): void {
  separator = i8x16.splat(<i8>byte);
  wanted = count;
}

/** Reads the line at `at`, of a text that ends at `end`. Sets `lineEnd` if the line has an end. */
export function readLine(at: usize, end: usize): i32 {
  let separators: i32 = 0;
  let first: usize = 0;
  for (let place = at; place < end; place += 16) {
    const block = v128.load(place);
    let marks = i8x16.bitmask(i8x16.eq(block, separator));
    const ends = i8x16.bitmask(i8x16.eq(block, LF));
    if (ends !== 0) {
      const last = ctz(ends);
      if (place + <usize>last >= end) return NONE;
      lineEnd = place + <usize>last;
      marks &= (1 << last) - 1;
      if (first === 0 && marks !== 0) first = place + <usize>ctz(marks);
      return isAsWanted(at, separators + popcnt(marks), first) ? PLAIN : ODD;
    }
    if (first === 0 && marks !== 0) first = place + <usize>ctz(marks);
    separators += popcnt(marks);
  }
  return NONE;
}

/** `first`: the place of the first separator. */
function isAsWanted(at: usize, separators: i32, first: usize): bool {
  // A header begins with its separator.
  if (first <= at) return false;
  return wanted === CDXJ ? isCapture(first) : separators === wanted;
}

/** Returns whether a key is followed by a timestamp and an object that has an end. */
function isCapture(space: usize): bool {
  let at = space + 1;
  while (<u32>load<u8>(at) - 0x30 < 10) at++;
  if (at === space + 1 || load<u8>(at) !== SPACE || load<u8>(at, 1) !== OPEN) return false;
  const last = load<u8>(lineEnd - 1);
  return last === CLOSE || (last === CR && load<u8>(lineEnd - 2) === CLOSE);
}
