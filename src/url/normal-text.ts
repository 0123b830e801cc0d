import { hasClass, PLAIN_HOST, PLAIN_REST, SLASH, UNRESERVED } from "./chars.ts";

/**
 * Regular expressions for text in normal form, made from the classes of chars.ts. They read a text in one pass, faster
 * than a loop over its characters. What they match is in normal form; what they do not match may be in normal form, too.
 */

/** Limits the texts that are matched, in characters: each `.` and triplet takes memory until a match ends. */
export const LONGEST_MATCHED = 1 << 16;

/** A host of plain labels, the last of which begins with a letter: not an IPv4 address. */
const HOST = `(?:${anyOf(PLAIN_HOST)}*\\.)?[a-z]${anyOf(PLAIN_HOST, ".")}*`;

/** Text of a path, query or fragment: nothing to encode or decode, no segment that begins with a dot. */
const TEXT = textOf(".", "");

/** Path, query and fragment, with at most one `#`. */
const REST = `\\/${TEXT}(?:#${TEXT})?`;

/** Matches an http, https or file URL up to where it leaves normal form, from the first `/` of its path on. */
export const NORMAL = new RegExp(
  `(?:https?:\\/\\/${HOST}|file:\\/\\/(?!localhost\\/)(?:${HOST})?)${REST}`,
  "y",
);

/** Matches an http or https URL as `NORMAL` does, up to its query or fragment, a `;` or a `/(`. */
export const NORMAL_PATH = new RegExp(`https?:\\/\\/${HOST}\\/${textOf(".(", "?;")}`, "y");

const BARE = new RegExp(`https?:\\/\\/${HOST}`, "y");
const REST_AT = new RegExp(REST, "y");

/**
 * Returns up to where a text is an http, https or file URL in normal form, at least up to the first `/` of its path; 0 if its
 * head is not.
 */
export function normalEnd(text: string): number {
  return endOf(NORMAL, text, 0);
}

/** Returns whether a text is an http or https URL in normal form but for the `/` that is missing after its host. */
export function isBareHost(text: string): boolean {
  return text !== "" && endOf(BARE, text, 0) === text.length;
}

/** Returns up to where path, query and fragment from `start` on are in normal form; `start` if no `/` stands there. */
export function normalRestEnd(text: string, start: number): number {
  return text.charCodeAt(start) === SLASH ? endOf(REST_AT, text, start) : start;
}

/**
 * Returns where the match of an expression ends that begins at `start`, or `start`. Nothing has to match after what is asked
 * for: a match that fails would go back over all of it.
 */
export function endOf(expression: RegExp, text: string, start: number): number {
  if (text.length > LONGEST_MATCHED) return start;
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : start;
}

/** Text of `PLAIN_REST` and of triplets that stay, without `but`, and without `notAfterSlash` after a `/`. */
function textOf(notAfterSlash: string, but: string): string {
  const plain = anyOf(PLAIN_REST, notAfterSlash + but);
  const looked = [...notAfterSlash].map(escaped).join("");
  return `${plain}*(?:(?:(?<!\\/)[${looked}]|${reservedTriplet()})${plain}*)*`;
}

/** One ASCII character of a class, `but` excepted. */
function anyOf(bits: number, but = ""): string {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const isAllowed = (character: string) =>
    hasClass(character.charCodeAt(0), bits) && !but.includes(character);
  return `[${characters.filter(isAllowed).map(escaped).join("")}]`;
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
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
