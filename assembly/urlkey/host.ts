/*
 * Memory: reads a host between the pointers it is given. Works in hostText: the decoded host, and after it the host in
 * ASCII.
 */

import { hostText, LONGEST_DOMAIN } from "../memory";
import { COMMA, DOT, isDigit, toLower, ZERO } from "../url/chars";
import { writeBytes } from "../url/component";
import { isAscii } from "../url/host";
import { writeAsciiDomain } from "../url/idna/domain-to-ascii";
import { rewriteIpv4, writeDecimal } from "../url/ipv4";
import { sequenceLength } from "../url/utf8";
import { hasPercent, unescapeRepeatedly, writeEscaped } from "./escapes";

/** Bytes that a label may have (RFC 1035 2.3.4). */
const LONGEST_LABEL: usize = 63;
const EIGHT: u8 = 0x38;
const PAD: usize = 16;
/** UTF-8, as little-endian words. */
const SHARP_S: u16 = 0x9fc3;
const TWO_S: u16 = 0x7373;
const FINAL_SIGMA: u16 = 0x82cf;
const SIGMA: u16 = 0x83cf;
/** U+200C and U+200D, but for the last bit. */
const ZERO_WIDTH_JOINERS: u32 = 0x8c80e2;

// The host that was read last: its labels are in order, and neither escaped nor in lower case.

export let hostStart: usize = 0;
export let hostEnd: usize = 0;

/** Reads the host `[p, end)`. */
export function readHost(p: usize, end: usize): void {
  const ascii = hostText + (end - p) + PAD;
  hostStart = p;
  hostEnd = end;
  if (hasPercent(p, end)) {
    hostEnd = unescapeRepeatedly(p, end, hostText);
    hostStart = hostText;
  }
  if (!isAscii(hostStart, hostEnd)) {
    const stop = writeAscii(hostStart, hostEnd, ascii);
    if (stop !== 0) {
      hostStart = ascii;
      hostEnd = stop;
    }
  }
  removeDots(ascii);
  if (hostStart < hostEnd && isDigit(load<u8>(hostStart))) readAddress(ascii);
}

/** Writes one dot for each two, in `room` if there are any, and leaves out those at both ends. */
function removeDots(room: usize): void {
  let p = hostStart;
  while (p < hostEnd && !(load<u8>(p) === DOT && p + 1 < hostEnd && load<u8>(p + 1) === DOT)) p++;
  if (p < hostEnd) {
    let out = writeOver(hostStart, p, room);
    while (p < hostEnd) {
      const byte = load<u8>(p);
      store<u8>(out++, byte);
      p += 1 + <usize>(byte === DOT && p + 1 < hostEnd && load<u8>(p + 1) === DOT);
    }
    hostStart = room;
    hostEnd = out;
  }
  while (hostStart < hostEnd && load<u8>(hostStart) === DOT) hostStart++;
  while (hostEnd > hostStart && load<u8>(hostEnd - 1) === DOT) hostEnd--;
}

/** Copies bytes, unless they are there. */
function writeOver(p: usize, end: usize, out: usize): usize {
  return p === out ? end : writeBytes(p, end, out);
}

/** Writes an address in `room` as dotted decimal. A single number counts modulo 2^32. */
function readAddress(room: usize): void {
  const isOctal = load<u8>(hostStart) === ZERO;
  let dots = 0;
  let isInOctal = true;
  let value: u32 = 0;
  for (let p = hostStart; p < hostEnd; p++) {
    const byte = load<u8>(p);
    if (isDigit(byte)) {
      value = 10 * value + <u32>(byte - ZERO);
      isInOctal = isInOctal && byte < EIGHT;
    } else if (byte !== DOT || load<u8>(p - 1) === DOT || ++dots > 3) {
      return;
    }
  }
  if (dots === 0) {
    hostStart = room;
    hostEnd = writeAddress(value, room);
  } else if (isInOctal || !isOctal) {
    // In another place, because the host stays if it is not an address.
    const copy = max(room, hostEnd + PAD);
    const stop = rewriteIpv4(copy, writeBytes(hostStart, hostEnd, copy), 0);
    if (stop === 0) return;
    hostStart = copy;
    hostEnd = stop;
  }
}

function writeAddress(value: u32, out: usize): usize {
  for (let shift: u32 = 24; shift > 0; shift -= 8) {
    out = writeDecimal((value >> shift) & 255, out);
    store<u8>(out++, DOT);
  }
  return writeDecimal(value & 255, out);
}

/** Leaves out the `www.` of the host, with digits after the `www`, if it has one. */
export function removeWww(): void {
  let p = hostStart;
  while (p < hostEnd && p - hostStart < 3 && toLower(load<u8>(p)) === 0x77) p++;
  if (p - hostStart < 3) return;
  while (p < hostEnd && isDigit(load<u8>(p))) p++;
  if (p < hostEnd && load<u8>(p) === DOT) hostStart = p + 1;
}

/** Writes the labels of the host from the last to the first, with commas between them. */
export function writeLabels(out: usize): usize {
  let labelEnd = hostEnd;
  for (let at = hostEnd; at > hostStart; at--) {
    if (load<u8>(at - 1) !== DOT) continue;
    out = writeEscaped(at, labelEnd, out);
    store<u8>(out++, COMMA);
    labelEnd = at - 1;
  }
  return writeEscaped(hostStart, labelEnd, out);
}

/**
 * Writes an international domain in ASCII, without bytes that are not UTF-8. Returns 0 if it is not one, or has more than
 * LONGEST_DOMAIN bytes.
 */
function writeAscii(p: usize, end: usize, out: usize): usize {
  const limit = out + <usize>LONGEST_DOMAIN;
  while (true) {
    const dot = findDot(p, end);
    const label = out;
    const textEnd = writeLabelText(p, dot, label, limit);
    if (textEnd === 0) return 0;
    // Nothing is left of wrong bytes, and nothing need come after the last dot.
    if (dot === end && !hasText(p, end)) return label;
    out = isAscii(label, textEnd) ? textEnd : writeAsciiDomain(label, textEnd, label);
    if (out <= label || out - label > LONGEST_LABEL || out >= limit) return 0;
    if (dot === end) return out;
    store<u8>(out++, DOT);
    p = dot + sequenceLength(dot, end);
  }
}

/** Returns whether any bytes are UTF-8. */
function hasText(p: usize, end: usize): bool {
  for (; p < end; p++) if (sequenceLength(p, end) > 0) return true;
  return false;
}

/** Returns the first dot of an international domain (RFC 3490 3.1) between the pointers, or `end`. */
function findDot(p: usize, end: usize): usize {
  while (p < end) {
    const length = sequenceLength(p, end);
    if (length === 1 ? load<u8>(p) === DOT : length === 3 && isWideDot(load<u32>(p) & 0xff_ffff))
      break;
    p += max<usize>(length, 1);
  }
  return p;
}

/** Returns whether three bytes are U+3002, U+FF0E or U+FF61. */
function isWideDot(bytes: u32): bool {
  return bytes === 0x8280e3 || bytes === 0x8ebcef || bytes === 0xa1bdef;
}

/**
 * Writes the text of a label, without bytes that are not UTF-8. The characters that IDNA of 2003 maps and UTS #46 keeps
 * become what they were in 2003 (UTS #46, 6). Returns 0 if it is longer than `limit` allows.
 */
function writeLabelText(p: usize, end: usize, out: usize, limit: usize): usize {
  while (p < end) {
    const length = sequenceLength(p, end);
    if (out + 4 > limit) return 0;
    if (length === 2 && load<u16>(p) === SHARP_S) {
      store<u16>(out, TWO_S);
      out += 2;
    } else if (length === 2 && load<u16>(p) === FINAL_SIGMA) {
      store<u16>(out, SIGMA);
      out += 2;
    } else if (length !== 3 || (load<u32>(p) & 0xfe_ffff) !== ZERO_WIDTH_JOINERS) {
      store<u32>(out, load<u32>(p));
      out += length;
    }
    p += max<usize>(length, 1);
  }
  return out;
}
