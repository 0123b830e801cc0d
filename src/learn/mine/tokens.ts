import { runKind } from "../../site-rules/apply/match.ts";

/**
 * Splits path and query into tokens: runs of 16 or more hexadecimal digits, runs of digits, runs of letters, and other
 * bytes one by one. The bytes of a triplet are split like any others.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

/** Writes where the tokens of a text begin, and where the last one ends; returns how many they are. */
export function tokenPlaces(text: string, into: Int32Array): number {
  let count = 0;
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) into[count++] = at;
  into[count] = text.length;
  return count;
}

/** Returns how many tokens two texts share at the beginning, and then at the end. */
export function sharedEnds(
  a: readonly string[],
  b: readonly string[],
): [start: number, end: number] {
  let [start, end] = [0, 0];
  while (start < b.length && a[start] === b[start]) start++;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [start, end];
}

const LONG_HEX = 16;

function tokenEnd(text: string, start: number): number {
  const kind = runKind(text.charCodeAt(start));
  if (kind === 0) return start + 1;
  let hex = start;
  while (hex < text.length && isHex(text.charCodeAt(hex))) hex++;
  const endsInside = hex < text.length && runKind(text.charCodeAt(hex)) === 2;
  if (hex - start >= LONG_HEX && !endsInside) return hex;
  let end = start + 1;
  while (end < text.length && runKind(text.charCodeAt(end)) === kind) end++;
  return end;
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}
