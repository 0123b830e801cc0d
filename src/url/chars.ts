/** Character codes and the component classes of docs/spec.md 3, by code below 256. */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const QUESTION = 0x3f;
export const AT = 0x40;
export const LEFT_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const RIGHT_BRACKET = 0x5d;

/** RFC 3986 2.3. */
export const UNRESERVED = 1;
/** Bytes that stand for themselves in a userinfo, path, special query, fragment. */
export const USERINFO = 2;
export const PATH = 4;
export const SPECIAL_QUERY = 8;
/** Also the query of schemes that are not special. */
export const FRAGMENT = 16;
/** RFC 3986 3.1, after the first letter. */
export const SCHEME = 32;
/** RFC 3986 3.2.2 reg-name: unreserved and sub-delims. */
export const REG_NAME = 64;
/** URL Standard: forbidden host code points that are ASCII. */
export const FORBIDDEN_HOST = 128;
/** What a host in normal form may hold as far as the fast path reads it. */
export const PLAIN_HOST = 256;
/** Allowed in path, query and fragment alike, with `?`. */
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

export function hasClass(code: number, bits: number): boolean {
  return ((CLASSES[code] as number) & bits) !== 0;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isAlpha(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** 0 to 15, or -1 for a code that is not a hex digit. */
export function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The value of the percent-encoded triplet at `at`, or -1 when there is none before `end`. */
export function tripletValue(text: string, at: number, end: number): number {
  if (end - at < 3 || text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** `%XX` of every byte. */
export const TRIPLETS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
);

/** A triplet's value as it is written: itself when unreserved, else in upper case (RFC 3986 6.2.2). */
export const DECODED: readonly string[] = TRIPLETS.map((triplet, byte) =>
  hasClass(byte, UNRESERVED) ? String.fromCharCode(byte) : triplet,
);
