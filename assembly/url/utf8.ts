// Memory: reads between the pointers it is given.

/** Returns whether `[p, end)` holds a byte sequence that is not UTF-8 (Unicode 3.9, table 3-7). */
export function invalidUtf8(p: usize, end: usize): bool {
  while (p < end) {
    const length = sequenceLength(p, end);
    if (length === 0) return true;
    p += length;
  }
  return false;
}

/** Returns how many bytes the UTF-8 of one code point at `p` takes, or 0 if it is not UTF-8 (Unicode 3.9, table 3-7). */
export function sequenceLength(p: usize, end: usize): usize {
  const lead = load<u8>(p);
  if (lead < 0x80) return 1;
  let low: u8 = 0x80;
  let high: u8 = 0xbf;
  let length: usize = 2;
  if (lead >= 0xf0) {
    length = 4;
    if (lead === 0xf0) low = 0x90;
    if (lead === 0xf4) high = 0x8f;
  } else if (lead >= 0xe0) {
    length = 3;
    if (lead === 0xe0) low = 0xa0;
    if (lead === 0xed) high = 0x9f;
  }
  if (lead < 0xc2 || lead > 0xf4 || end - p < length) return 0;
  for (let at: usize = 1; at < length; at++) {
    const byte = load<u8>(p + at);
    if (byte < low || byte > high) return 0;
    low = 0x80;
    high = 0xbf;
  }
  return length;
}
