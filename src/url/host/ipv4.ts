import { hexValue, isDigit } from "../chars.ts";

/**
 * Returns whether a lower-case ASCII domain ends in a number (URL Standard, "ends in a number
 * checker").
 */
export function endsInNumber(domain: string): boolean {
  const end = domain.endsWith(".") ? domain.length - 1 : domain.length;
  const start = end === 0 ? 0 : domain.lastIndexOf(".", end - 1) + 1;
  if (start === end || !isDigit(domain.charCodeAt(start))) return false;
  const label = domain.slice(start, end);
  return isAllDigits(label) || parseNumber(label) >= 0;
}

function isAllDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false;
  return true;
}

/**
 * Writes an IPv4 address as dotted decimal (URL Standard, "IPv4 parser"); returns null if the
 * domain is not an address.
 */
export function normalizeIpv4(domain: string): string | null {
  const parts = domain.split(".");
  if (parts.at(-1) === "") parts.pop();
  if (parts.length > 4) return null;
  let address = 0;
  for (const [index, part] of parts.entries()) {
    const value = parseNumber(part);
    const last = index === parts.length - 1;
    const limit = last ? 256 ** (4 - index) : 256;
    if (value < 0 || value >= limit) return null;
    address += last ? value : value * 256 ** (3 - index);
  }
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/**
 * Reads a number: decimal, `0` octal or `0x` hexadecimal (URL Standard, "IPv4 number parser"). Returns -1 if
 * it is not a number.
 */
function parseNumber(part: string): number {
  if (part === "") return -1;
  let at = 0;
  let radix = 10;
  if (part.length > 1 && part.startsWith("0")) {
    radix = part[1] === "x" || part[1] === "X" ? 16 : 8;
    at = radix === 16 ? 2 : 1;
  }
  let value = 0;
  for (; at < part.length; at++) {
    const digit = hexValue(part.charCodeAt(at));
    if (digit < 0 || digit >= radix) return -1;
    value = Math.min(value * radix + digit, Number.MAX_SAFE_INTEGER / 32);
  }
  return value;
}
