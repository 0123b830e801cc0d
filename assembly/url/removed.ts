// Memory: reads between the pointers it is given, up to 15 bytes after them, and writes at `out`.
import { CR, LF, TAB } from "./chars";

/** Returns whether a byte is TAB, LF or CR, which are removed anywhere (URL Standard, "basic URL parser"). */
export function isRemoved(byte: u8): bool {
  return byte === TAB || byte === LF || byte === CR;
}

/** Returns whether a text has such bytes. */
export function hasRemoved(p: usize, end: usize): bool {
  const tab = i8x16.splat(TAB);
  const lf = i8x16.splat(LF);
  const cr = i8x16.splat(CR);
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const found = v128.or(v128.or(i8x16.eq(block, tab), i8x16.eq(block, lf)), i8x16.eq(block, cr));
    const lanes: u32 = i8x16.bitmask(found);
    if (lanes !== 0) return p + <usize>ctz(lanes) < end;
  }
  return false;
}

/** Copies a text without them. Returns the end of the copy. */
export function copyWithoutRemoved(p: usize, end: usize, out: usize): usize {
  for (; p < end; p++) if (!isRemoved(load<u8>(p))) store<u8>(out++, load<u8>(p));
  return out;
}
