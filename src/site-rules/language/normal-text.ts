import { DECODED, hasClass, PATH, SPECIAL_QUERY, tripletValue } from "../../url/chars.ts";
import { badRule } from "../data-lines.ts";

/** Gives the classes of bytes that need no encoding in a path or a query. */
export const TARGET_BYTES = PATH | SPECIAL_QUERY;
/** Gives the class of bytes that need no encoding in a query. */
export const QUERY_BYTES = SPECIAL_QUERY;

/**
 * Returns a text that a normalized URL can have: bytes of these classes and whole triplets, which are
 * upper-case and not of unreserved bytes. `#` passes, because the caller reports it. Throws `BAD_RULES` for
 * any other text.
 */
export function normalText(text: string, allowed: number): string {
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "%") {
      checkTriplet(text, at);
      at += 2;
    } else if (character !== "#" && !hasClass(text.charCodeAt(at), allowed)) {
      const whole = String.fromCodePoint(text.codePointAt(at) as number);
      throw never(text, `${JSON.stringify(whole)} is always encoded`);
    }
  }
  return text;
}

function checkTriplet(text: string, at: number): void {
  const triplet = text.slice(at, at + 3);
  const value = tripletValue(text, at, text.length);
  if (value < 0) {
    const whole = [...text.slice(at, at + 5)].slice(0, 3).join("");
    throw never(text, `"${whole}" is not a whole triplet`);
  }
  const written = DECODED[value] as string;
  if (written !== triplet) throw never(text, `"${triplet}" is always written "${written}"`);
}

/**
 * Throws `BAD_RULES` for a path with a segment `.` or `..`. Its last segment may be incomplete unless
 * `isEnd`.
 */
export function checkDots(path: string, isEnd: boolean): void {
  const found = /\/(\.\.?)(\/|$)/.exec(path);
  if (found !== null && (isEnd || found[2] === "/")) {
    throw never(path, `the dot-segment "${found[1]}" is always removed`);
  }
}

/** Throws `BAD_RULES` for a text that is not path and query of a normalized URL. `what` is how messages name it. */
export function checkTarget(text: string, what: string): void {
  if (!text.startsWith("/") || text.includes("#")) {
    throw badRule(`${what} is a path and perhaps a query, not "${text}"`);
  }
  const question = text.indexOf("?");
  const path = question < 0 ? text : text.slice(0, question);
  normalText(path, PATH);
  checkDots(path, true);
  if (question >= 0) normalText(text.slice(question + 1), QUERY_BYTES);
}

function never(text: string, reason: string): Error {
  return badRule(`no normalized URL has "${text}": ${reason}`);
}

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
