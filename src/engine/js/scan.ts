import {
  CLASSES,
  DASH,
  DOT,
  HASH,
  hasClass,
  hexValue,
  PERCENT,
  PLAIN_HOST,
  PLAIN_REST,
  SLASH,
  UNRESERVED,
} from "./chars.ts";

/**
 * The fast path: whether a text is in normal form already, as far as one look at each character can
 * tell. It answers `true` only when `writeRow` would return the same text; in doubt it answers
 * `false` (test/engine/scan.test.ts ties the two together).
 */
export function isNormal(text: string): boolean {
  const host = text.startsWith("https://") ? 8 : text.startsWith("http://") ? 7 : 0;
  if (host === 0) return false;
  const path = normalHostEnd(text, host);
  return path !== 0 && isNormalRest(text, path);
}

/**
 * The `/` behind a host of lower-case letters, digits, `-`, `.`, `_` without `--` whose last label
 * begins with a letter; 0 for any other host.
 */
function normalHostEnd(text: string, start: number): number {
  let label = start;
  let before = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SLASH) return text.charCodeAt(label) >= 0x61 ? at : 0;
    if (code > 0x7f || ((CLASSES[code] as number) & PLAIN_HOST) === 0) return 0;
    if (code === DOT) label = at + 1;
    else if (code === DASH && before === DASH) return 0;
    before = code;
  }
  return 0;
}

/** Path, query and fragment: nothing to encode or decode, no dot segment, at most one `#`. */
function isNormalRest(text: string, start: number): boolean {
  let before = 0;
  let fragment = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    if (((CLASSES[code] as number) & PLAIN_REST) === 0) {
      if (code === PERCENT) {
        if (!isNormalTriplet(text, at)) return false;
      } else if (code === HASH && !fragment) {
        fragment = true;
      } else {
        return false;
      }
    } else if (code === DOT && before === SLASH) {
      return false;
    }
    before = code;
  }
  return true;
}

/** `%` and two digits in upper case whose value must stay encoded. */
function isNormalTriplet(text: string, at: number): boolean {
  if (text.length - at < 3) return false;
  const high = text.charCodeAt(at + 1);
  const low = text.charCodeAt(at + 2);
  if (high > 0x60 || low > 0x60) return false;
  const value = hexValue(high) * 16 + hexValue(low);
  return hexValue(high) >= 0 && hexValue(low) >= 0 && !hasClass(value, UNRESERVED);
}
