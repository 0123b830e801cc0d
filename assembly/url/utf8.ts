// Memory: reads between the pointers it is given.

/** Returns whether `[p, end)` holds a byte sequence that is not UTF-8 (Unicode 3.9, table 3-7). */
export function invalidUtf8(p: usize, end: usize): bool {
  while (p < end) {
    const lead = load<u8>(p++);
    if (lead < 0x80) continue;
    let low: u8 = 0x80;
    let high: u8 = 0xbf;
    let more = 1;
    if (lead >= 0xf0) {
      more = 3;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    } else if (lead >= 0xe0) {
      more = 2;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
    }
    if (lead < 0xc2 || lead > 0xf4 || end - p < <usize>more) return true;
    for (; more > 0; more--) {
      const byte = load<u8>(p++);
      if (byte < low || byte > high) return true;
      low = 0x80;
      high = 0xbf;
    }
  }
  return false;
}
