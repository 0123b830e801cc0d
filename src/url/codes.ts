// Character codes. They are apart from chars.ts, so that code which needs only these does not load its
// tables.

/**
 * Gives the code of TAB; the constants below give those of the other bytes that the grammar names.
 */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
export const COMMA = 0x2c;
export const HYPHEN = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const ZERO = 0x30;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const QUESTION = 0x3f;
export const AT = 0x40;
export const LEFT_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const RIGHT_BRACKET = 0x5d;
export const UNDERSCORE = 0x5f;
