// Memory: reads the row between the pointers it is given, writes at `out`.
import { hasClass, storeTriplet, toLower, tripletValue, UNRESERVED } from "./chars";

/**
 * Writes one component by the table of SPEC section 3: triplets of unreserved bytes decoded, other
 * triplets in upper case, a stray `%` as `%25`, bytes outside `allowed` as triplets.
 * Returns the end of what it wrote, at most 3 x the input.
 */
export function writeComponent(p: usize, end: usize, out: usize, allowed: u8): usize {
  while (p < end) {
    const byte = load<u8>(p);
    if (hasClass(byte, allowed)) {
      store<u8>(out++, byte);
      p++;
      continue;
    }
    const value = tripletValue(p, end);
    if (value < 0) {
      out = storeTriplet(out, byte);
      p++;
    } else {
      out = writeTriplet(<u8>value, out);
      p += 3;
    }
  }
  return out;
}

/** A triplet's value: itself when unreserved (RFC 3986 6.2.2.2), else in upper case (6.2.2.1). */
export function writeTriplet(value: u8, out: usize): usize {
  if (!hasClass(value, UNRESERVED)) return storeTriplet(out, value);
  store<u8>(out, value);
  return out + 1;
}

/** Copies bytes as they are. */
export function writeBytes(p: usize, end: usize, out: usize): usize {
  memory.copy(out, p, end - p);
  return out + (end - p);
}

export function writeLower(p: usize, end: usize, out: usize): usize {
  while (p < end) store<u8>(out++, toLower(load<u8>(p++)));
  return out;
}

/** The first `byte` between the pointers, or `end`. */
export function find(p: usize, end: usize, byte: u8): usize {
  while (p < end && load<u8>(p) !== byte) p++;
  return p;
}
