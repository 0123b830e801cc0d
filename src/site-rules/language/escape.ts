import { badRule } from "./bad-rule.ts";
import { normalText, TARGET_BYTES } from "./normal-text.ts";

/**
 * Writes backslashes before the characters of a text that have a meaning in the language of rules. A
 * normalized URL holds no backslash, no space and neither `<` nor `>`.
 */
export function escapeText(text: string, special: string): string {
  let escaped = "";
  for (const character of text)
    escaped += special.includes(character) ? `\\${character}` : character;
  return escaped;
}

/**
 * Returns a text without the backslashes of its escapes. Throws `BAD_RULES` for a text that no normalized URL
 * has. `allowed`: the classes of bytes that need no encoding there.
 */
export function unescapeText(text: string, allowed = TARGET_BYTES): string {
  if (!text.includes("\\")) return normalText(text, allowed);
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    if (at === text.length) throw badRule(`"${text}" ends in a backslash`);
    plain += text[at];
  }
  return normalText(plain, allowed);
}

/** Splits a text at each separator without a backslash before it. Keeps the escapes. */
export function splitEscaped(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(separator, at)) {
      pieces.push(text.slice(start, at));
      start = at + separator.length;
      at = start - 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}
