// Memory: reads the row between the pointers it is given, writes at `out`.

import { BAD_HOST, BAD_IDN, BAD_IPV6, fail } from "../status";
import {
  DOT,
  FORBIDDEN_HOST,
  hasClass,
  hexValue,
  LEFT_BRACKET,
  PERCENT,
  REG_NAME,
  RIGHT_BRACKET,
  SPACE,
  storeTriplet,
  toLower,
  tripletValue,
} from "./chars";
import { find, writeLower, writeTriplet } from "./component";
import { writeAsciiDomain } from "./idna/domain-to-ascii";
import { endsInNumber, rewriteIpv4 } from "./ipv4";
import { writeIpv6 } from "./ipv6";
import { invalidUtf8 } from "./utf8";

const DELETE: u8 = 0x7f;

/** Writes a host of a special scheme (URL Standard, "host parser"). */
export function writeDomainHost(p: usize, end: usize, out: usize): usize {
  if (p < end && load<u8>(p) === LEFT_BRACKET) return writeBracketed(p, end, out);
  const stop = writeDomain(p, end, out);
  if (stop === 0 || !endsInNumber(out, stop)) return stop;
  return rewriteIpv4(out, stop, p);
}

/**
 * Does the same for a host of only letters, digits, `-`, `.`, `_` (the set DOMAIN). Most need only their case
 * and their last label checked.
 */
export function writePlainHost(p: usize, end: usize, out: usize): usize {
  const stop = writeLower(p, end, out);
  return endsInNumber(out, stop) ? rewriteIpv4(out, stop, p) : stop;
}

/** Writes a host of any other scheme (RFC 3986 3.2.2): IP literal or registered name. */
export function writeOtherHost(p: usize, end: usize, out: usize): usize {
  if (p < end && load<u8>(p) === LEFT_BRACKET) {
    if (end - p > 1 && (load<u8>(p, 1) | 0x20) === 0x76) return writeIpFuture(p, end, out);
    return writeBracketed(p, end, out);
  }
  return writeRegName(p, end, out);
}

function writeBracketed(p: usize, end: usize, out: usize): usize {
  if (load<u8>(end - 1) !== RIGHT_BRACKET) return fail(BAD_IPV6, end);
  return writeIpv6(p + 1, end - 1, out);
}

/**
 * Writes a domain (URL Standard, "domain to ASCII" after percent-decoding). For ASCII, `xn--` included, that
 * is lower-casing.
 */
function writeDomain(p: usize, end: usize, out: usize): usize {
  const hasTriplets = find(p, end, PERCENT) < end;
  const stop = hasTriplets ? writeDecoded(p, end, out) : writeLower(p, end, out);
  if (isAscii(out, stop)) {
    const forbidden = findForbidden(p, end);
    return forbidden === end ? stop : fail(BAD_HOST, forbidden);
  }
  if (invalidUtf8(out, stop)) return fail(BAD_HOST, lastNonAscii(p, end));
  const written = writeAsciiDomain(out, stop, out);
  return written <= out || hasForbidden(out, written) ? fail(BAD_IDN, p) : written;
}

/** Writes a domain percent-decoded, and in lower case if it is ASCII. */
function writeDecoded(p: usize, end: usize, out: usize): usize {
  while (p < end) {
    const value = tripletValue(p, end);
    store<u8>(out++, toLower(value < 0 ? load<u8>(p) : <u8>value));
    p += value < 0 ? 1 : 3;
  }
  return out;
}

/** Returns whether all bytes are below 0x80. */
export function isAscii(p: usize, end: usize): bool {
  for (; p < end; p += 16) {
    const lanes: u32 = i8x16.bitmask(v128.load(p));
    if (lanes !== 0) return p + <usize>ctz(lanes) >= end;
  }
  return true;
}

/** Returns the first byte or triplet of an ASCII domain that a domain must not hold, or `end`. */
function findForbidden(p: usize, end: usize): usize {
  while (p < end) {
    const value = tripletValue(p, end);
    if (isForbiddenDomain(value < 0 ? load<u8>(p) : <u8>value)) return p;
    p += value < 0 ? 1 : 3;
  }
  return end;
}

/** Returns the last byte or triplet of a domain that is not ASCII. */
function lastNonAscii(p: usize, end: usize): usize {
  let last = p;
  while (p < end) {
    const value = tripletValue(p, end);
    if (load<u8>(p) >= 0x80 || value >= 0x80) last = p;
    p += value < 0 ? 1 : 3;
  }
  return last;
}

/** Returns whether mapping wrote a byte that a host must not hold: `％` becomes `%`. */
function hasForbidden(p: usize, end: usize): bool {
  while (p < end) if (isForbiddenDomain(load<u8>(p++))) return true;
  return false;
}

/** Returns whether a byte is a forbidden domain code point (URL Standard). */
function isForbiddenDomain(byte: u8): bool {
  return byte < SPACE || byte === PERCENT || byte === DELETE || hasClass(byte, FORBIDDEN_HOST);
}

/**
 * Writes a registered name in lower case, with unreserved triplets decoded and other triplets in upper case.
 * Bytes that RFC 3986 does not allow become triplets, but those that the URL Standard forbids are errors.
 */
function writeRegName(p: usize, end: usize, out: usize): usize {
  if (invalidUtf8(p, end)) return fail(BAD_HOST, p);
  while (p < end) {
    const byte = load<u8>(p);
    if (hasClass(byte, FORBIDDEN_HOST)) return fail(BAD_HOST, p);
    const value = tripletValue(p, end);
    if (value >= 0) {
      out = writeTriplet(toLower(<u8>value), out);
      p += 3;
    } else {
      if (hasClass(byte, REG_NAME)) store<u8>(out++, toLower(byte));
      else out = storeTriplet(out, byte);
      p++;
    }
  }
  return out;
}

/**
 * Writes an address `"[v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) "]"` in lower case (RFC 3986
 * 3.2.2).
 */
function writeIpFuture(p: usize, end: usize, out: usize): usize {
  const close = end - 1;
  if (load<u8>(close) !== RIGHT_BRACKET) return fail(BAD_IPV6, end);
  let at = p + 2;
  while (at < close && hexValue(load<u8>(at)) >= 0) at++;
  if (at === p + 2 || at === close || load<u8>(at) !== DOT) return fail(BAD_IPV6, at);
  const address = ++at;
  while (at < close && (hasClass(load<u8>(at), REG_NAME) || load<u8>(at) === 0x3a)) at++;
  if (at === address || at < close) return fail(BAD_IPV6, at);
  return writeLower(p, end, out);
}

/** Returns whether a host is `localhost`, in any case. */
export function isLocalhost(p: usize, end: usize): bool {
  if (end - p !== 9) return false;
  return (
    (load<u64>(p) | 0x2020202020202020) === 0x736f686c61636f6c && (load<u8>(p, 8) | 0x20) === 0x74
  );
}
