/*
 * Memory: CLASSES, 256 bytes of static data with one bit for each class below, filled once when the module
 * starts. sets.ts has the classes for 16 bytes at a time.
 */

export const TAB: u8 = 0x09;
export const LF: u8 = 0x0a;
export const CR: u8 = 0x0d;
export const SPACE: u8 = 0x20;
export const EXCLAMATION: u8 = 0x21;
export const HASH: u8 = 0x23;
export const PERCENT: u8 = 0x25;
export const AMPERSAND: u8 = 0x26;
export const LEFT_PAREN: u8 = 0x28;
export const RIGHT_PAREN: u8 = 0x29;
export const COMMA: u8 = 0x2c;
export const HYPHEN: u8 = 0x2d;
export const DOT: u8 = 0x2e;
export const SLASH: u8 = 0x2f;
export const ZERO: u8 = 0x30;
export const COLON: u8 = 0x3a;
export const SEMICOLON: u8 = 0x3b;
export const EQUALS: u8 = 0x3d;
export const QUESTION: u8 = 0x3f;
export const AT: u8 = 0x40;
export const LEFT_BRACKET: u8 = 0x5b;
export const BACKSLASH: u8 = 0x5c;
export const RIGHT_BRACKET: u8 = 0x5d;
export const UNDERSCORE: u8 = 0x5f;
export const PIPE: u8 = 0x7c;

/** Unreserved bytes (RFC 3986 2.3). */
export const UNRESERVED: u8 = 1;
/** Bytes that need no encoding in a userinfo, path, special query or fragment (docs/spec.md 3). */
export const USERINFO: u8 = 2;
export const PATH: u8 = 4;
export const SPECIAL_QUERY: u8 = 8;
/** Bytes that need no encoding in a fragment, nor in the query of a scheme that is not special. */
export const FRAGMENT: u8 = 16;
/** Bytes of a scheme after its first letter (RFC 3986 3.1). */
export const SCHEME: u8 = 32;
/** Bytes of a registered name: unreserved and sub-delims (RFC 3986 3.2.2). */
export const REG_NAME: u8 = 64;
/** Forbidden host code points that are ASCII (URL Standard, "host writing"). */
export const FORBIDDEN_HOST: u8 = 128;

export const CLASSES: usize = memory.data(256, 16);

function mark(text: string, bits: u8): void {
  for (let i = 0; i < text.length; i++) {
    const at = CLASSES + <usize>load<u16>(changetype<usize>(text) + ((<usize>i) << 1));
    store<u8>(at, load<u8>(at) | bits);
  }
}

mark(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  UNRESERVED | USERINFO | PATH | SPECIAL_QUERY | FRAGMENT | SCHEME | REG_NAME,
);
mark("-._~", UNRESERVED | USERINFO | PATH | SPECIAL_QUERY | FRAGMENT | REG_NAME);
mark("+-.", SCHEME);
mark("!$&()*+,", USERINFO | PATH | SPECIAL_QUERY | FRAGMENT | REG_NAME);
mark("'", USERINFO | PATH | FRAGMENT | REG_NAME);
mark(";=", PATH | SPECIAL_QUERY | FRAGMENT | REG_NAME);
mark(":@/", PATH | SPECIAL_QUERY | FRAGMENT);
mark("?", SPECIAL_QUERY | FRAGMENT);
mark("\0\t\n\r #/:<>?@[\\]^|", FORBIDDEN_HOST);

export function hasClass(byte: u8, bits: u8): bool {
  return (load<u8>(CLASSES + <usize>byte) & bits) !== 0;
}

export function isDigit(byte: u8): bool {
  return <u8>(byte - ZERO) < 10;
}

export function isAlpha(byte: u8): bool {
  return <u8>((byte | 0x20) - 0x61) < 26;
}

export function toLower(byte: u8): u8 {
  return <u8>(byte - 0x41) < 26 ? byte | 0x20 : byte;
}

/** Returns the value of a hex digit, 0 to 15, or -1 for any other byte. */
export function hexValue(byte: u8): i32 {
  if (isDigit(byte)) return <i32>(byte - ZERO);
  const letter = <u8>((byte | 0x20) - 0x61);
  return letter < 6 ? <i32>letter + 10 : -1;
}

/** Returns the value of the percent-encoded triplet at `p`, or -1 if there is none before `end`. */
export function tripletValue(p: usize, end: usize): i32 {
  if (end - p < 3 || load<u8>(p) !== PERCENT) return -1;
  const high = hexValue(load<u8>(p, 1));
  const low = hexValue(load<u8>(p, 2));
  return (high | low) < 0 ? -1 : (high << 4) | low;
}

/** 256 bytes: the value of a hex digit in upper case, else NO_DIGIT. */
const UPPER_HEX: usize = memory.data(256, 16);
const NO_DIGIT: u8 = 0x80;

memory.fill(UPPER_HEX, NO_DIGIT, 256);
for (let value: u8 = 0; value < 16; value++) store<u8>(UPPER_HEX + <usize>upperHex(value), value);

/** Returns whether a `%` is at `p` with two upper-case digits after it, whose value must stay encoded. */
export function isNormalTriplet(p: usize, end: usize): bool {
  if (end - p < 3) return false;
  const high = load<u8>(UPPER_HEX + <usize>load<u8>(p, 1));
  const low = load<u8>(UPPER_HEX + <usize>load<u8>(p, 2));
  return ((high | low) & NO_DIGIT) === 0 && !hasClass((high << 4) | low, UNRESERVED);
}

/** 4 bytes for each byte: its triplet, and one that means nothing. */
const TRIPLETS: usize = memory.data(4 * 256, 16);

for (let byte: u32 = 0; byte < 256; byte++) {
  const digits = ((<u32>upperHex(<u8>(byte >> 4))) << 8) | ((<u32>upperHex(<u8>(byte & 15))) << 16);
  store<u32>(TRIPLETS + ((<usize>byte) << 2), <u32>PERCENT | digits);
}

/** Writes the triplet of a byte, and one more byte that means nothing. */
export function storeTriplet(out: usize, byte: u8): usize {
  store<u32>(out, load<u32>(TRIPLETS + ((<usize>byte) << 2)));
  return out + 3;
}

function upperHex(nibble: u8): u8 {
  return nibble + (nibble < 10 ? ZERO : 0x37);
}
