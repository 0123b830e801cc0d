import { hasClass, PLAIN_HOST, PLAIN_REST, SLASH, UNRESERVED } from "./chars.ts";

/**
 * Regular expressions for text in normal form, made from the classes of chars.ts. They read a text in one
 * pass, faster than a loop over its characters. All that they match is in normal form. A text that they do
 * not match may be in normal form too.
 */

/**
 * Limits the length of a text to match, in characters: each `.` and triplet takes memory until the match
 * ends.
 */
export const LONGEST_MATCHED = 1 << 16;

/** A host of plain labels whose last label begins with a letter, so it is not an IPv4 address. */
const HOST = `(?:${anyOf(PLAIN_HOST)}*\\.)?[a-z]${anyOf(PLAIN_HOST, ".")}*`;

/**
 * Text of a path, query or fragment with nothing to encode or decode, in which no segment begins with a dot.
 */
const TEXT = textPattern(".", "");

/** Path, query and fragment, with at most one `#`. */
const REST = `\\/${TEXT}(?:#${TEXT})?`;

/**
 * Matches the part of an http, https or file URL that is in normal form, at least up to the first `/` of its
 * path.
 */
export const NORMAL = new RegExp(
  `(?:https?:\\/\\/${HOST}|file:\\/\\/(?!localhost\\/)(?:${HOST})?)${REST}`,
  "y",
);

/** Matches an http or https URL as `NORMAL` does, but ends at its query or fragment, a `;` or a `/(`. */
export const NORMAL_PATH = new RegExp(`https?:\\/\\/${HOST}\\/${textPattern(".(", "?;")}`, "y");

const BARE = new RegExp(`https?:\\/\\/${HOST}`, "y");
const REST_AT = new RegExp(REST, "y");

/**
 * Returns the length of the part of an http, https or file URL that is in normal form. It reaches at least
 * the first `/` of the path; else 0 is returned.
 */
export function normalEnd(text: string): number {
  return endOf(NORMAL, text, 0);
}

/** Returns whether a text is an http or https URL in normal form that lacks only the `/` after its host. */
export function isBareHost(text: string): boolean {
  return text !== "" && endOf(BARE, text, 0) === text.length;
}

/**
 * Returns where path, query and fragment from `start` on stop being in normal form. Returns `start` if no `/`
 * is there.
 */
export function normalRestEnd(text: string, start: number): number {
  return text.charCodeAt(start) === SLASH ? endOf(REST_AT, text, start) : start;
}

/**
 * Returns the end of a match that begins at `start`, or `start`. An expression must not require anything
 * after its match: a match that fails would go back over all of it.
 */
export function endOf(expression: RegExp, text: string, start: number): number {
  if (text.length > LONGEST_MATCHED) return start;
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : start;
}

/**
 * Returns an expression for bytes of `PLAIN_REST` and triplets that stay. It excludes `but`, and
 * `notAfterSlash` after a `/`.
 */
function textPattern(notAfterSlash: string, but: string): string {
  const plain = anyOf(PLAIN_REST, notAfterSlash + but);
  const looked = [...notAfterSlash].map(escaped).join("");
  return `${plain}*(?:(?:(?<!\\/)[${looked}]|${reservedTriplet()})${plain}*)*`;
}

/** Returns an expression for one ASCII character of a class, without those of `but`. */
function anyOf(bits: number, but = ""): string {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const isAllowed = (character: string) =>
    hasClass(character.charCodeAt(0), bits) && !but.includes(character);
  return `[${characters.filter(isAllowed).map(escaped).join("")}]`;
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/**
 * Returns an expression for an upper-case triplet whose byte is not unreserved. High digits with the same low
 * digits share an alternative.
 */
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
