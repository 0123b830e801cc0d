// Memory: reads and rewrites a host in the output, in place.

import { BAD_IPV4, fail } from "../status";
import { DOT, hexValue, isDigit, ZERO } from "./chars";

/** A number above any IPv4 number, and so small that `x * 16 + 15` stays exact. */
const TOO_BIG: u64 = 1 << 40;
const NOT_A_NUMBER: u64 = u64.MAX_VALUE;

/** Returns whether a lower-case ASCII domain ends in a number (URL Standard, "ends in a number checker"). */
export function endsInNumber(start: usize, end: usize): bool {
  if (end > start && load<u8>(end - 1) === DOT) end--;
  let label = end;
  while (label > start && load<u8>(label - 1) !== DOT) label--;
  if (label === end) return false;
  if (parseNumber(label, end) !== NOT_A_NUMBER) return true;
  for (let p = label; p < end; p++) if (!isDigit(load<u8>(p))) return false;
  return true;
}

/**
 * Reads a number: decimal, `0` octal or `0x` hexadecimal (URL Standard, "IPv4 number parser"). Saturates at
 * TOO_BIG.
 */
function parseNumber(p: usize, end: usize): u64 {
  if (p === end) return NOT_A_NUMBER;
  let radix: u64 = 10;
  if (end - p > 1 && load<u8>(p) === ZERO) {
    p++;
    radix = 8;
    if ((load<u8>(p) | 0x20) === 0x78) {
      p++;
      radix = 16;
    }
  }
  let value: u64 = 0;
  for (; p < end; p++) {
    const digit = hexValue(load<u8>(p));
    if (digit < 0 || <u64>digit >= radix) return NOT_A_NUMBER;
    value = min(value * radix + <u64>digit, TOO_BIG);
  }
  return value;
}

/**
 * Replaces the host `[start, end)` by its dotted decimal form (URL Standard, "IPv4 parser"). Returns the new
 * end, or 0 with BAD_IPV4 at `from`, the place of the host in the input.
 */
export function rewriteIpv4(start: usize, end: usize, from: usize): usize {
  if (load<u8>(end - 1) === DOT) end--;
  let address: u64 = 0;
  let parts = 0;
  for (let p = start; ; ) {
    let stop = p;
    while (stop < end && load<u8>(stop) !== DOT) stop++;
    const value = parseNumber(p, stop);
    const last = stop === end;
    const limit: u64 = last ? (<u64>1) << ((<u64>(4 - parts)) << 3) : 256;
    if (parts === 4 || value >= limit) return fail(BAD_IPV4, from);
    address = last ? address | value : address | (value << ((<u64>(3 - parts)) << 3));
    parts++;
    if (last) break;
    p = stop + 1;
  }
  let out = start;
  for (let shift = 24; shift >= 0; shift -= 8) {
    out = writeDecimal(<u32>(address >> shift) & 255, out);
    if (shift > 0) store<u8>(out++, DOT);
  }
  return out;
}

/** Writes a number below 100,000 in decimal. */
export function writeDecimal(value: u32, out: usize): usize {
  let unit: u32 = 10000;
  while (unit > 1 && value < unit) unit /= 10;
  for (; unit > 0; unit /= 10) store<u8>(out++, ZERO + <u8>((value / unit) % 10));
  return out;
}
