/*
 * Memory: reads bytes of the buffer and at most 63 after them, writes others of the buffer and at most 63 after them,
 * and uses the table. Nothing is left from an earlier call, so equal bytes are always compressed to equal bytes.
 *
 * The format is that of google/snappy, format_description.txt. Like its encoder this one takes blocks of 64 KiB, and takes
 * larger steps the longer it finds nothing that repeats.
 */

import { TABLE_BITS, table } from "./memory";

const BLOCK: u32 = 1 << 16;
/** A block ends with a literal of at least so many bytes, so that loads of 8 bytes stay within it. */
const MARGIN: u32 = 15;
/** After so many misses a step is longer by one byte, as a power of two. */
const SKIP_BITS: u32 = 5;

/** Compresses `length` bytes. The result can be `32 + length + length / 6` bytes long. Returns its length. */
export function compress(from: usize, length: u32, to: usize): u32 {
  let out = writeLength(to, length);
  for (let done: u32 = 0; done < length; done += BLOCK) {
    out = compressBlock(from + done, min(BLOCK, length - done), out);
  }
  return <u32>(out - to);
}

function writeLength(to: usize, length: u32): usize {
  while (length >= 0x80) {
    store<u8>(to++, length | 0x80);
    length >>= 7;
  }
  store<u8>(to++, length);
  return to;
}

function compressBlock(base: usize, length: u32, out: usize): usize {
  const end = base + length;
  let literal = base;
  if (length > MARGIN) {
    const bits = tableBits(length);
    const shift = 32 - bits;
    memory.fill(table, 0, (<usize>2) << bits);
    const limit = end - MARGIN;
    let at = base + 1;
    while (true) {
      let skip: u32 = 1 << SKIP_BITS;
      let match: usize = 0;
      let bytes: u32 = 0;
      while (true) {
        if (at > limit) return endBlock(literal, end, out);
        bytes = load<u32>(at);
        match = base + swapPlace(bytes, shift, <u32>(at - base));
        if (load<u32>(match) === bytes) break;
        at += skip >> SKIP_BITS;
        skip++;
      }
      out = writeLiteral(literal, <u32>(at - literal), out);
      // Copies often follow each other.
      do {
        const first = at;
        at = matchEnd(match + 4, at + 4, end);
        out = writeCopy(<u32>(first - match), <u32>(at - first), out);
        literal = at;
        if (at > limit) return endBlock(literal, end, out);
        swapPlace(load<u32>(at - 1), shift, <u32>(at - 1 - base));
        bytes = load<u32>(at);
        match = base + swapPlace(bytes, shift, <u32>(at - base));
      } while (load<u32>(match) === bytes);
      at++;
    }
  }
  return endBlock(literal, end, out);
}

/** Returns the bits of the table for a block: clearing a whole table would take longer than a short block. */
function tableBits(length: u32): u32 {
  return min(TABLE_BITS, 32 - clz<u32>(length));
}

/** Writes a place where these four bytes are, and returns the last place of bytes with the same hash. */
function swapPlace(bytes: u32, shift: u32, place: u32): u32 {
  const at = table + ((<usize>((bytes * 0x1e35a7bd) >>> shift)) << 1);
  const last = load<u16>(at);
  store<u16>(at, place);
  return last;
}

/** Returns the end of what is equal at two places. */
function matchEnd(match: usize, at: usize, end: usize): usize {
  while (at + 8 <= end) {
    const difference = load<u64>(match) ^ load<u64>(at);
    if (difference !== 0) return at + <usize>(ctz(difference) >> 3);
    match += 8;
    at += 8;
  }
  while (at < end && load<u8>(match) === load<u8>(at)) {
    match++;
    at++;
  }
  return at;
}

function endBlock(literal: usize, end: usize, out: usize): usize {
  return literal < end ? writeLiteral(literal, <u32>(end - literal), out) : out;
}

function writeLiteral(from: usize, length: u32, out: usize): usize {
  const most = length - 1;
  if (most < 60) {
    store<u8>(out++, most << 2);
    v128.store(out, v128.load(from));
    if (length > 16) {
      v128.store(out, v128.load(from, 16), 16);
      if (length > 32) {
        v128.store(out, v128.load(from, 32), 32);
        v128.store(out, v128.load(from, 48), 48);
      }
    }
    return out + length;
  }
  if (most < 256) {
    store<u8>(out, 60 << 2);
    store<u8>(out, most, 1);
    out += 2;
  } else {
    store<u8>(out, 61 << 2);
    store<u16>(out, most, 1);
    out += 3;
  }
  memory.copy(out, from, length);
  return out + length;
}

function writeCopy(offset: u32, length: u32, out: usize): usize {
  while (length >= 68) {
    out = writeLongCopy(offset, 64, out);
    length -= 64;
  }
  if (length > 64) {
    out = writeLongCopy(offset, 60, out);
    length -= 60;
  }
  if (length >= 12 || offset >= 2048) return writeLongCopy(offset, length, out);
  store<u8>(out, 1 | ((length - 4) << 2) | ((offset >>> 8) << 5));
  store<u8>(out, offset, 1);
  return out + 2;
}

function writeLongCopy(offset: u32, length: u32, out: usize): usize {
  store<u8>(out, 2 | ((length - 1) << 2));
  store<u16>(out, offset, 1);
  return out + 3;
}
