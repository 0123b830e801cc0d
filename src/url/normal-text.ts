import { DOT, hasClass, PLAIN_HOST, PLAIN_REST, SLASH, UNRESERVED } from "./chars.ts";

/**
 * Regular expressions for text in normal form, made from the classes of chars.ts. They read a text in one pass, faster
 * than a loop over its characters, and leave in doubt: what they match is in normal form, what they do not may be.
 */

/** Limits what is matched: each `.` and triplet takes memory until a match ends. */
const LONGEST = 1 << 16;

/** Matches a host of plain labels, the last of which begins with a letter: not an IPv4 address. */
export const HOST = `(?:${anyOf(PLAIN_HOST)}*\\.)?[a-z]${anyOf(PLAIN_HOST, DOT)}*`;

const PLAIN = anyOf(PLAIN_REST, DOT);
const TEXT = `${PLAIN}*(?:(?:(?<!\\/)\\.|${reservedTriplet()})${PLAIN}*)*`;

/** Matches path, query and fragment to the end of a text: nothing to encode or decode, no dot segment, at most one `#`. */
export const REST = `\\/${TEXT}(?:#${TEXT})?$`;

const REST_AT = new RegExp(REST, "y");

/** Returns whether `REST` matches all that stands at `start`, not too long a text. */
export function isNormalRest(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== SLASH || text.length > LONGEST) return false;
  REST_AT.lastIndex = start;
  return REST_AT.test(text);
}

/** Returns a test of whole texts, which says `false` of too long ones. */
export function testOf(source: string): (text: string) => boolean {
  const expression = new RegExp(`^${source}`);
  return (text) => text.length <= LONGEST && expression.test(text);
}

/** One ASCII character of a class, `but` excepted. */
function anyOf(bits: number, but = -1): string {
  const codes = Array.from({ length: 128 }, (_, code) => code);
  return `[${codes
    .filter((code) => code !== but && hasClass(code, bits))
    .map(escaped)
    .join("")}]`;
}

function escaped(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}

/** A triplet in upper case whose byte is not unreserved. Its high digits stand together where they have the same low ones. */
function reservedTriplet(): string {
  const digits = [..."0123456789ABCDEF"];
  const highs = new Map<string, string>();
  for (const high of digits) {
    const low = digits.filter((digit) => !hasClass(Number.parseInt(high + digit, 16), UNRESERVED));
    highs.set(low.join(""), (highs.get(low.join("")) ?? "") + high);
  }
  const pairs = [...highs].filter(([low]) => low !== "");
  return `%(?:${pairs.map(([low, high]) => `[${high}][${low}]`).join("|")})`;
}
