import { DOT, hasClass, PLAIN_HOST, PLAIN_REST, SLASH, UNRESERVED } from "./chars.ts";

/**
 * Regular expressions for text in normal form, made from the classes of chars.ts. They read a text in one pass, faster
 * than a loop over its characters, and leave in doubt: what they match is in normal form, what they do not may be.
 */

/** Limits what is matched: each `.` and triplet takes memory until a match ends. */
const LONGEST = 1 << 16;

/** A host of plain labels, the last of which begins with a letter: not an IPv4 address. */
const HOST = `(?:${anyOf(PLAIN_HOST)}*\\.)?[a-z]${anyOf(PLAIN_HOST, DOT)}*`;

const PLAIN = anyOf(PLAIN_REST, DOT);
const TEXT = `${PLAIN}*(?:(?:(?<!\\/)\\.|${reservedTriplet()})${PLAIN}*)*`;

/** Path, query and fragment: nothing to encode or decode, no dot segment, at most one `#`. */
const REST = `\\/${TEXT}(?:#${TEXT})?`;

const WHOLE = new RegExp(
  `(?:https?:\\/\\/${HOST}|file:\\/\\/(?!localhost\\/)(?:${HOST})?)${REST}`,
  "y",
);
const BARE = new RegExp(`https?:\\/\\/${HOST}`, "y");
const REST_AT = new RegExp(REST, "y");

/**
 * Returns up to where a text is an http, https or file URL in normal form, at least up to the first `/` of its path; 0 if its
 * head is not.
 */
export function normalEnd(text: string): number {
  return endOf(WHOLE, text, 0);
}

/** Returns whether a text is an http or https URL in normal form but for the `/` that is missing after its host. */
export function isBareHost(text: string): boolean {
  return text !== "" && endOf(BARE, text, 0) === text.length;
}

/** Returns up to where path, query and fragment are in normal form that stand at `start`; `start` if there is no `/`. */
export function normalRestEnd(text: string, start: number): number {
  return text.charCodeAt(start) === SLASH ? endOf(REST_AT, text, start) : start;
}

/** Nothing has to match after what is asked for: a match that fails would go back over all of it. */
function endOf(expression: RegExp, text: string, start: number): number {
  if (text.length > LONGEST) return start;
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : start;
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
