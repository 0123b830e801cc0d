// Memory: reads 16 bytes at a time from `p`, up to 15 after the byte that ends a search.

export const TAB: u8 = 0x09;
export const LF: u8 = 0x0a;
export const CR: u8 = 0x0d;
export const SPACE: u8 = 0x20;
export const QUOTE: u8 = 0x22;
export const APOSTROPHE: u8 = 0x27;
export const BACKSLASH: u8 = 0x5c;
export const BRACE: u8 = 0x7b;
export const DELETE: u8 = 0x7f;

/** Returns the first LF from `p` on. There must be one. */
export function lineFeed(p: usize): usize {
  const lf = i8x16.splat(LF);
  while (true) {
    const lanes: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), lf));
    if (lanes !== 0) return p + <usize>ctz(lanes);
    p += 16;
  }
}

/** Returns where the content of a row ends that ends with the LF at `newline`: before a CR. */
export function contentEnd(start: usize, newline: usize): usize {
  return newline > start && load<u8>(newline - 1) === CR ? newline - 1 : newline;
}

/** Returns whether an odd number of backslashes comes before `p`, in a row that begins at `start`. */
export function isEscaped(start: usize, p: usize): bool {
  let first = p;
  while (first > start && load<u8>(first - 1) === BACKSLASH) first--;
  return ((p - first) & 1) === 1;
}

/** Returns whether `length` bytes at two addresses are the same. */
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let at: usize = 0; at < length; at++) {
    if (load<u8>(a + at) !== load<u8>(b + at)) return false;
  }
  return true;
}
