/*
 * Memory: reads values in PLAIN and numbers from the buffer, and at most 63 bytes after them; writes to other places of the
 * buffer, and at most 63 bytes after what it writes. A value of BYTE_ARRAY is its length (Uint32) and its bytes.
 */

const LENGTH: usize = 4;
const TOO_FEW: i32 = 1;
const TOO_MANY: i32 = 2;

/**
 * Writes where each of `count` values of BYTE_ARRAY begins, and where the last ends: Int32 from the start of the values.
 * Returns 0, or why `length` bytes do not hold these values.
 */
export function findStarts(from: usize, length: u32, count: u32, to: usize): i32 {
  let at: u64 = 0;
  store<i32>(to, 0);
  for (let value: u32 = 0; value < count; value++) {
    if (at + LENGTH > length) return TOO_FEW;
    at += <u64>LENGTH + <u64>load<u32>(from + <usize>at);
    to += 4;
    store<i32>(to, <i32>at);
  }
  if (at > length) return TOO_FEW;
  return at < length ? TOO_MANY : 0;
}

/**
 * Copies values by their ascending numbers, which begin at `first`, the number of the first value of the buffer.
 * `width`: the bytes of each value, or 0 for BYTE_ARRAY. Returns the bytes written.
 */
export function chooseValues(
  from: usize,
  first: i32,
  numbers: usize,
  count: u32,
  width: u32,
  to: usize,
): u32 {
  let out = to;
  const end = numbers + ((<usize>count) << 2);
  if (width > 0) {
    for (; numbers < end; numbers += 4) {
      const place = from + <usize>(load<i32>(numbers) - first) * width;
      if (width === 8) store<u64>(out, load<u64>(place));
      else if (width === 4) store<u32>(out, load<u32>(place));
      else memory.copy(out, place, width);
      out += width;
    }
    return <u32>(out - to);
  }
  let number = first;
  let at = from;
  for (; numbers < end; numbers += 4) {
    const wanted = load<i32>(numbers);
    for (; number < wanted; number++) at += LENGTH + <usize>load<u32>(at);
    const bytes = LENGTH + <usize>load<u32>(at);
    copyShort(at, bytes, out);
    out += bytes;
    at += bytes;
    number++;
  }
  return <u32>(out - to);
}

/**
 * Copies the contents of `count` values of BYTE_ARRAY, one after the other. Writes the end of each, Int32, counted from
 * `start`. Returns the bytes written.
 */
export function joinContents(from: usize, count: u32, start: i32, to: usize, ends: usize): u32 {
  let out = to;
  const last = ends + ((<usize>count) << 2);
  for (; ends < last; ends += 4) {
    const bytes = <usize>load<u32>(from);
    from += LENGTH;
    copyShort(from, bytes, out);
    from += bytes;
    out += bytes;
    store<i32>(ends, start + <i32>(out - to));
  }
  return <u32>(out - to);
}

/** Writes the least and the greatest of some 64-bit integers, by their numbers, of which there is one at least. */
export function boundLongs(from: usize, numbers: usize, count: u32, to: usize): void {
  let least = i64.MAX_VALUE;
  let greatest = i64.MIN_VALUE;
  for (const end = numbers + ((<usize>count) << 2); numbers < end; numbers += 4) {
    const value = load<i64>(from + ((<usize>load<u32>(numbers)) << 3));
    least = value < least ? value : least;
    greatest = value > greatest ? value : greatest;
  }
  store<i64>(to, least);
  store<i64>(to, greatest, 8);
}

function copyShort(from: usize, bytes: usize, to: usize): void {
  if (bytes > 256) {
    memory.copy(to, from, bytes);
    return;
  }
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at));
}
