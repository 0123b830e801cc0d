import {
  DOT,
  HASH,
  hasClass,
  hexValue,
  PLAIN_HOST,
  PLAIN_REST,
  SLASH,
  UNRESERVED,
} from "../../url/chars.ts";

/**
 * Returns whether a text is in normal form already, as far as one look at each character can tell.
 * This is the fast path. It returns `true` only if `writeRow` would return the same text; in doubt
 * it returns `false` (test/engine/scan.test.ts ties the two together).
 */
export function isNormal(text: string): boolean {
  if (text.startsWith("file://")) return isNormalFile(text);
  const host = text.startsWith("https://") ? 8 : text.startsWith("http://") ? 7 : 0;
  if (host === 0) return false;
  const path = normalHostEnd(text, host);
  return path !== 0 && isNormalRest(text, path);
}

function isNormalFile(text: string): boolean {
  const path = text.charCodeAt(7) === SLASH ? 7 : normalHostEnd(text, 7);
  return path !== 0 && !text.startsWith("localhost/", 7) && isNormalRest(text, path);
}

/** What the fast path does at a character: walk on, look closer (`LOOK`), or leave the text to the exact path (`LEAVE`). */
export const PLAIN = 0;
const LOOK = 1;
/** See `PLAIN`. */
export const LEAVE = 2;

const IN_HOST = kinds(PLAIN_HOST, "./");
const IN_REST = kinds(PLAIN_REST, ".%#");

/** Returns what to do at each byte: walk on at those of the class `plain`, look closer at `look`, and leave at others and at `leave`. */
export function kinds(plain: number, look: string, leave = ""): Uint8Array {
  const table = new Uint8Array(256).fill(LEAVE);
  for (let code = 0; code < 128; code++) if (hasClass(code, plain)) table[code] = PLAIN;
  for (const character of look) table[character.charCodeAt(0)] = LOOK;
  for (const character of leave) table[character.charCodeAt(0)] = LEAVE;
  return table;
}

/**
 * The `/` after a host of lower-case letters, digits, `-`, `.`, `_` whose last label begins with a
 * letter; 0 for any other host.
 */
function normalHostEnd(text: string, start: number): number {
  let label = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 256 ? IN_HOST[code] : LEAVE;
    if (kind === PLAIN) continue;
    if (kind === LEAVE) return 0;
    if (code === SLASH) return text.charCodeAt(label) >= 0x61 ? at : 0;
    label = at + 1;
  }
  return 0;
}

/** Path, query and fragment: nothing to encode or decode, no dot segment, at most one `#`. */
function isNormalRest(text: string, start: number): boolean {
  let fragment = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 256 ? IN_REST[code] : LEAVE;
    if (kind === PLAIN) continue;
    if (kind === LEAVE) return false;
    if (code === DOT) {
      if (text.charCodeAt(at - 1) === SLASH) return false;
    } else if (code === HASH) {
      if (fragment) return false;
      fragment = true;
    } else if (!isNormalTriplet(text, at)) {
      return false;
    }
  }
  return true;
}

/** `%` and two digits in upper case whose value must stay encoded. */
function isNormalTriplet(text: string, at: number): boolean {
  return (
    text.length - at >= 3 && hasNormalTriplet(text.charCodeAt(at + 1), text.charCodeAt(at + 2))
  );
}

/** Returns whether two codes after a `%` are digits in upper case whose value must stay encoded. */
export function hasNormalTriplet(high = 0, low = 0): boolean {
  if (high > 0x60 || low > 0x60) return false;
  const value = hexValue(high) * 16 + hexValue(low);
  return hexValue(high) >= 0 && hexValue(low) >= 0 && !hasClass(value, UNRESERVED);
}
