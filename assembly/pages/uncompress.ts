/*
 * Memory: reads bytes of the buffer and at most 63 after them, writes others of the buffer and at most 63 after them.
 * What it reads can be damaged: every length and offset is checked before its bytes are copied.
 */

/** Says why bytes cannot be uncompressed. */
const LENGTH_WRONG: i32 = 1;
const CUT_OFF: i32 = 2;
const DAMAGED: i32 = 3;

/** Uncompresses `length` bytes to exactly `size` bytes. Returns 0, or why it cannot. */
export function uncompress(from: usize, length: u32, to: usize, size: u32): i32 {
  const end = from + length;
  let at = from;
  let said: u64 = 0;
  for (let shift: u64 = 0; ; shift += 7) {
    if (at >= end || shift > 28) return LENGTH_WRONG;
    const byte = load<u8>(at++);
    said |= (<u64>(byte & 0x7f)) << shift;
    if (byte < 0x80) break;
  }
  if (said !== <u64>size) return LENGTH_WRONG;
  const limit = to + size;
  let out = to;
  while (at < end) {
    const tag = <u32>load<u8>(at++);
    let bytes = (tag >>> 2) + 1;
    if ((tag & 3) === 0) {
      if (bytes > 60) {
        const width = bytes - 60;
        if (<usize>width > end - at) return CUT_OFF;
        bytes = readNumber(at, width) + 1;
        at += width;
        if (bytes === 0) return DAMAGED;
      }
      if (<usize>bytes > end - at) return CUT_OFF;
      if (<usize>bytes > limit - out) return DAMAGED;
      copyLiteral(at, bytes, out);
      at += bytes;
      out += bytes;
      continue;
    }
    let offset: u32 = 0;
    if ((tag & 3) === 1) {
      if (at >= end) return CUT_OFF;
      bytes = ((tag >>> 2) & 7) + 4;
      offset = ((tag >>> 5) << 8) | <u32>load<u8>(at++);
    } else if ((tag & 3) === 2) {
      if (end - at < 2) return CUT_OFF;
      offset = <u32>load<u16>(at);
      at += 2;
    } else {
      if (end - at < 4) return CUT_OFF;
      offset = load<u32>(at);
      at += 4;
    }
    if (offset === 0 || <usize>offset > out - to || <usize>bytes > limit - out) return DAMAGED;
    repeat(offset, bytes, out);
    out += bytes;
  }
  return out === limit ? 0 : CUT_OFF;
}

/** Reads a number of 1 to 4 bytes. */
function readNumber(at: usize, width: u32): u32 {
  let number: u32 = 0;
  for (let byte: u32 = 0; byte < width; byte++) number |= (<u32>load<u8>(at + byte)) << (8 * byte);
  return number;
}

function copyLiteral(from: usize, bytes: u32, out: usize): void {
  if (bytes > 64) {
    memory.copy(out, from, bytes);
    return;
  }
  v128.store(out, v128.load(from));
  if (bytes <= 16) return;
  v128.store(out, v128.load(from, 16), 16);
  if (bytes <= 32) return;
  v128.store(out, v128.load(from, 32), 32);
  v128.store(out, v128.load(from, 48), 48);
}

/** Writes the bytes that are `offset` bytes before once more; they may overlap. */
function repeat(offset: u32, bytes: u32, out: usize): void {
  const end = out + bytes;
  let from = out - offset;
  if (offset >= 16) {
    do {
      v128.store(out, v128.load(from));
      from += 16;
      out += 16;
    } while (out < end);
  } else if (offset >= 8) {
    do {
      store<u64>(out, load<u64>(from));
      from += 8;
      out += 8;
    } while (out < end);
  } else {
    do store<u8>(out++, load<u8>(from++));
    while (out < end);
  }
}
