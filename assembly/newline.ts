// Memory: reads 16 bytes at a time, up to 15 behind the end it is given.
import { LF } from "./chars";

/** The first LF in `[p, end)`, or `end`. */
export function findNewline(p: usize, end: usize): usize {
  const newlines = i8x16.splat(LF);
  for (; p < end; p += 16) {
    const lanes = i8x16.bitmask(i8x16.eq(v128.load(p), newlines));
    if (lanes !== 0) return min(p + <usize>ctz(lanes), end);
  }
  return end;
}
