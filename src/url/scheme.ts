import { COLON, hasClass, isAlpha, SCHEME } from "./chars.ts";

/** Default ports of the URL Standard's special schemes; `file` has none. */
const SPECIAL = new Map<string, string>([
  ["http", "80"],
  ["https", "443"],
  ["ws", "80"],
  ["wss", "443"],
  ["ftp", "21"],
  ["file", ""],
]);

/** Returns the scheme of a text, which ends at `colon`, in lower case. */
export function schemeOf(text: string, colon: number): string {
  // A look-up of a literal is faster than one of a slice, which must be hashed.
  if (colon === 5 && text.startsWith("https")) return "https";
  if (colon === 4 && text.startsWith("http")) return "http";
  return text.slice(0, colon).toLowerCase();
}

/** Returns whether a scheme is special in the URL Standard. */
export function isSpecial(scheme: string): boolean {
  return SPECIAL.has(scheme);
}

/** Returns the default port of a special scheme, or undefined. */
export function defaultPort(scheme: string): string | undefined {
  return SPECIAL.get(scheme);
}

/** Returns the place of the `:` that ends a scheme at the beginning of the text (RFC 3986 3.1), or -1. */
export function schemeEnd(text: string): number {
  if (text === "" || !isAlpha(text.charCodeAt(0))) return -1;
  let at = 1;
  while (at < text.length && hasClass(text.charCodeAt(at), SCHEME)) at++;
  return text.charCodeAt(at) === COLON ? at : -1;
}
