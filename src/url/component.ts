import { DECODED, hasClass, hasNormalTriplet, PERCENT, TRIPLETS, tripletValue } from "./chars.ts";

/**
 * Writes one component by the table of docs/spec.md 3: unreserved triplets decoded, other triplets
 * in upper case, a stray `%` as `%25`, characters outside `allowed` as triplets.
 */
export function writeComponent(text: string, start: number, end: number, allowed: number): string {
  let written = "";
  let kept = start;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    if (hasClass(code, allowed)) {
      at++;
      continue;
    }
    if (code === PERCENT && end - at >= 3 && isNormalTriplet(text, at)) {
      at += 3;
      continue;
    }
    written += text.slice(kept, at);
    const value = tripletValue(text, at, end);
    if (value < 0) {
      written += TRIPLETS[code] as string;
      at++;
    } else {
      written += DECODED[value] as string;
      at += 3;
    }
    kept = at;
  }
  return kept === start ? text.slice(start, end) : written + text.slice(kept, end);
}

function isNormalTriplet(text: string, at: number): boolean {
  return hasNormalTriplet(text.charCodeAt(at + 1), text.charCodeAt(at + 2));
}

/** Finds the first `code` in `[start, end)`; returns `end` if there is none. */
export function find(text: string, start: number, end: number, code: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) !== code) at++;
  return at;
}
