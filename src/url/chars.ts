/** Classes of the bytes of each component (docs/spec.md 3), by code below 256. */

import { PERCENT } from "./codes.ts";

export * from "./codes.ts";

/** Marks unreserved bytes (RFC 3986 2.3). */
export const UNRESERVED = 1;
/** Marks bytes that need no encoding in a userinfo. */
export const USERINFO = 2;
/** Marks bytes that need no encoding in a path. */
export const PATH = 4;
/** Marks bytes that need no encoding in the query of a special scheme. */
export const SPECIAL_QUERY = 8;
/** Marks bytes that need no encoding in a fragment, nor in the query of a scheme that is not special. */
export const FRAGMENT = 16;
/** Marks bytes that a scheme may hold after its first letter (RFC 3986 3.1). */
export const SCHEME = 32;
/** Marks bytes of a registered name: unreserved and sub-delims (RFC 3986 3.2.2). */
export const REG_NAME = 64;
/** Marks the forbidden host code points that are ASCII (URL Standard). */
export const FORBIDDEN_HOST = 128;
/** Marks bytes that a host in normal form may hold as far as the fast path reads it. */
export const PLAIN_HOST = 256;
/**
 * Marks bytes of a domain with nothing to decode or to refuse: those of `PLAIN_HOST` and upper-case letters.
 */
export const PLAIN_DOMAIN = 1024;
/** Marks bytes that are allowed in path, query and fragment alike, and `?`. */
export const PLAIN_REST = 512;

const ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

const CLASSES: Uint16Array = buildClasses();

function buildClasses(): Uint16Array {
  const classes = new Uint16Array(256);
  const mark = (characters: string, bits: number) => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      classes[code] = (classes[code] as number) | bits;
    }
  };
  const everywhere = USERINFO | PATH | SPECIAL_QUERY | FRAGMENT | REG_NAME;
  mark(ALPHANUMERIC, everywhere | UNRESERVED | SCHEME);
  mark(`${ALPHANUMERIC}-._`, PLAIN_DOMAIN);
  mark("-._~", everywhere | UNRESERVED);
  mark("+-.", SCHEME);
  mark("!$&()*+,", everywhere);
  mark("'", USERINFO | PATH | FRAGMENT | REG_NAME);
  mark(";=", PATH | SPECIAL_QUERY | FRAGMENT | REG_NAME);
  mark(":@/", PATH | SPECIAL_QUERY | FRAGMENT);
  mark("?", SPECIAL_QUERY | FRAGMENT | PLAIN_REST);
  mark("\0\t\n\r #/:<>?@[\\]^|", FORBIDDEN_HOST);
  mark("abcdefghijklmnopqrstuvwxyz0123456789-._", PLAIN_HOST);
  const rest = PATH | SPECIAL_QUERY;
  for (let code = 0; code < 256; code++) {
    if (((classes[code] as number) & rest) === rest) mark(String.fromCharCode(code), PLAIN_REST);
  }
  return classes;
}

/** Returns whether a byte is in one of the classes `bits`. */
export function hasClass(code: number, bits: number): boolean {
  return ((CLASSES[code] as number) & bits) !== 0;
}

/** Returns whether a code is that of 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns whether a code is that of an ASCII letter. */
export function isAlpha(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Returns the value of a hex digit, 0 to 15, or -1 for any other code. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Returns the value of the percent-encoded triplet at `at`, or -1 if there is none before `end`.
 */
export function tripletValue(text: string, at: number, end: number): number {
  if (end - at < 3 || text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Returns whether two codes after a `%` are upper-case digits of a value that must stay encoded. */
export function hasNormalTriplet(high = 0, low = 0): boolean {
  if (high > 0x60 || low > 0x60) return false;
  const value = hexValue(high) * 16 + hexValue(low);
  return hexValue(high) >= 0 && hexValue(low) >= 0 && !hasClass(value, UNRESERVED);
}

/** Lists the triplet `%XX` of each byte. */
export const TRIPLETS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);

/**
 * Lists how the triplet of each byte is written: as the byte if it is unreserved, else in upper
 * case (RFC 3986 6.2.2).
 */
export const DECODED: readonly string[] = TRIPLETS.map((triplet, byte) =>
  hasClass(byte, UNRESERVED) ? String.fromCharCode(byte) : triplet,
);
