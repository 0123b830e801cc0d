import { hexValue, PERCENT } from "../chars.ts";

const TRIPLET = /%[0-9A-Fa-f]{2}/;
/** All bytes but `!` to `~` without `#` and `%`. */
const ESCAPED = /[^!"$&-~]/g;
/** Limits the arguments of one call. */
const CHUNK = 4096;

/**
 * Decodes triplets until none is left, also those that decoding makes: `%2541` becomes `A`. No two triplets overlap, so
 * the order does not count, and one pass is enough that looks back after each byte.
 */
export function unescapeRepeatedly(text: string): string {
  if (!TRIPLET.test(text)) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    bytes.push(text.charCodeAt(at));
    while (decodeLast(bytes));
  }
  let decoded = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    decoded += String.fromCharCode(...bytes.slice(at, at + CHUNK));
  }
  return decoded;
}

/** Decodes a triplet at the end of the bytes. Returns whether there is one. */
function decodeLast(bytes: number[]): boolean {
  if (bytes.at(-3) !== PERCENT) return false;
  const high = hexValue(bytes.at(-2) as number);
  const low = hexValue(bytes.at(-1) as number);
  if (high < 0 || low < 0) return false;
  bytes.length -= 3;
  bytes.push(16 * high + low);
  return true;
}

/** Writes controls, space, `#`, `%` and bytes above `~` as triplets, whose digits are lower case as all else of a key. */
export function writeEscaped(text: string): string {
  return escapeBytes(text, ESCAPED);
}

/** Writes the bytes that an expression finds as triplets. */
export function escapeBytes(text: string, bytes: RegExp): string {
  return text.replace(bytes, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
