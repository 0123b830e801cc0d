/*
 * Memory: reads the row and writes at `out`. PIECES, static data, holds the eight 16-bit pieces of an
 * address.
 */

import { BAD_IPV6, fail } from "../status";
import { COLON, DOT, hexValue, isDigit, LEFT_BRACKET, RIGHT_BRACKET, ZERO } from "./chars";

const PIECES: usize = memory.data(16, 16);

function setPiece(index: i32, value: u32): void {
  store<u16>(PIECES + ((<usize>index) << 1), <u16>value);
}

function getPiece(index: i32): u32 {
  return <u32>load<u16>(PIECES + ((<usize>index) << 1));
}

/**
 * Writes the IPv6 address in `[p, end)`, which has no brackets, as `[...]`, compressed and in lower case (URL
 * Standard, "IPv6 parser" and "IPv6 serializer"). Returns 0 with BAD_IPV6 if it is not an address.
 */
export function writeIpv6(p: usize, end: usize, out: usize): usize {
  const bad = readPieces(p, end);
  if (bad !== 0) return fail(BAD_IPV6, bad);
  store<u8>(out++, LEFT_BRACKET);
  const zeros = longestZeroRun();
  const first = <i32>(zeros >> 4);
  const after = first + <i32>(zeros & 15);
  for (let i = 0; i < 8; i++) {
    if (i === first && after > first) {
      store<u8>(out++, COLON);
      if (i === 0) store<u8>(out++, COLON);
      i = after - 1;
      continue;
    }
    out = writeHex(getPiece(i), out);
    if (i < 7) store<u8>(out++, COLON);
  }
  store<u8>(out++, RIGHT_BRACKET);
  return out;
}

/** Fills PIECES. Returns 0, or the address of the byte that is wrong. */
function readPieces(p: usize, end: usize): usize {
  memory.fill(PIECES, 0, 16);
  let piece = 0;
  let compress = -1;
  if (p === end) return p;
  if (load<u8>(p) === COLON) {
    if (end - p < 2 || load<u8>(p, 1) !== COLON) return p;
    p += 2;
    compress = ++piece;
  }
  while (p < end) {
    if (piece === 8) return p;
    if (load<u8>(p) === COLON) {
      if (compress >= 0) return p;
      p++;
      compress = ++piece;
      continue;
    }
    const start = p;
    let value: u32 = 0;
    while (p < end && p - start < 4 && hexValue(load<u8>(p)) >= 0) {
      value = (value << 4) | <u32>hexValue(load<u8>(p++));
    }
    if (p < end && load<u8>(p) === DOT) {
      if (p === start || piece > 6) return p;
      const bad = readEmbeddedIpv4(start, end, piece);
      if (bad !== 0) return bad;
      piece += 2;
      p = end;
      break;
    }
    if (p < end) {
      if (load<u8>(p) !== COLON) return p;
      if (++p === end) return p;
    }
    setPiece(piece++, value);
  }
  if (compress >= 0) {
    // Pieces after `::` move to the end, and zeros take their place.
    for (let from = piece - 1, to = 7; from >= compress && to !== from; from--, to--) {
      setPiece(to, getPiece(from));
      setPiece(from, 0);
    }
    return 0;
  }
  return piece === 8 ? 0 : end;
}

/** Reads four decimal numbers without leading zeros, up to `end`, into two pieces. */
function readEmbeddedIpv4(p: usize, end: usize, piece: i32): usize {
  for (let seen = 0; seen < 4; seen++) {
    if (seen > 0) {
      if (p === end || load<u8>(p) !== DOT) return p;
      p++;
    }
    const start = p;
    let value: u32 = 0;
    while (p < end && isDigit(load<u8>(p))) {
      if (p > start && value === 0) return p;
      value = value * 10 + <u32>(load<u8>(p++) - ZERO);
      if (value > 255) return p - 1;
    }
    if (p === start) return p;
    const at = piece + (seen >> 1);
    setPiece(at, (getPiece(at) << 8) | value);
  }
  return p === end ? 0 : p;
}

/** Returns the first longest run of two or more zero pieces as `first << 4 | length`; 0 if there is none. */
function longestZeroRun(): u32 {
  let best: u32 = 0;
  let bestLength = 1;
  for (let i = 0; i < 8; i++) {
    let n = 0;
    while (i + n < 8 && getPiece(i + n) === 0) n++;
    if (n > bestLength) {
      bestLength = n;
      best = ((<u32>i) << 4) | <u32>n;
    }
    i += n;
  }
  return best;
}

function writeHex(value: u32, out: usize): usize {
  let shift = 12;
  while (shift > 0 && value >> shift === 0) shift -= 4;
  for (; shift >= 0; shift -= 4) {
    const digit = <u8>((value >> shift) & 15);
    store<u8>(out++, digit + (digit < 10 ? ZERO : 0x57));
  }
  return out;
}
