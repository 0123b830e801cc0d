import { isDigit } from "../../url/chars.ts";
import type { Element, Pattern, Template } from "../rule.ts";

const SHORTEST_HEX = 16;
/** The delimiters of path and query, which end a word. */
const DELIMITERS = "/?&=;:";

export interface Match {
  readonly end: number;
  readonly captures: readonly string[];
}

/** Matches a pattern against a whole path; returns null if it does not match. */
export function matchPath(pattern: Pattern, path: string): Match | null {
  const match = matchElements(pattern, path, 0);
  return match !== null && match.end === path.length ? match : null;
}

/**
 * Matches a pattern at a place of path and query; returns null if it does not match. A match neither begins
 * nor ends within a run of letters or of digits.
 */
export function matchAt(pattern: Pattern, text: string, at: number): Match | null {
  if (!isBoundary(text, at)) return null;
  const match = matchElements(pattern, text, at);
  return match !== null && isBoundary(text, match.end) ? match : null;
}

function matchElements(pattern: Pattern, text: string, start: number): Match | null {
  const captures: string[] = [];
  let at = start;
  for (const element of pattern) {
    const end = elementEnd(element, text, at);
    if (end < 0) return null;
    if (element.kind === "segment" || element.kind === "rest") {
      captures.push(text.slice(at, end - element.suffix.length));
    } else if (element.kind !== "text" && element.kind !== "end") {
      captures.push(text.slice(at, end));
    }
    at = end;
  }
  return { end: at, captures };
}

/** Returns the end of the element that begins at `at`, or -1 if it does not match. */
function elementEnd(element: Element, text: string, at: number): number {
  switch (element.kind) {
    case "text":
      return text.startsWith(element.text, at) ? at + element.text.length : -1;
    case "end":
      return at === text.length ? at : -1;
    case "segment": {
      const slash = text.indexOf("/", at);
      const end = slash < 0 ? text.length : slash;
      return end - at > element.suffix.length && endsWith(text, element.suffix, end) ? end : -1;
    }
    case "rest":
      return text.length - at >= element.suffix.length && text.endsWith(element.suffix)
        ? text.length
        : -1;
    default:
      return runEnd(element, text, at);
  }
}

function endsWith(text: string, suffix: string, end: number): boolean {
  return text.startsWith(suffix, end - suffix.length);
}

type RunElement = Extract<Element, { readonly length?: number }>;

function runEnd({ kind, length }: RunElement, text: string, at: number): number {
  const shortest = kind === "hex" ? SHORTEST_HEX : 1;
  let end = at;
  while (end < text.length && isOf(kind, text, end)) end++;
  return (length === undefined ? end - at >= shortest : end - at === length) ? end : -1;
}

function isOf(kind: "digits" | "hex" | "word", text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (kind === "digits") return isDigit(code);
  if (kind === "word") return !DELIMITERS.includes(text[at] as string);
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** Returns whether the bytes before and at `at` are not both letters and not both digits. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || at >= text.length) return true;
  const kind = runKind(text.charCodeAt(at));
  return kind === 0 || kind !== runKind(text.charCodeAt(at - 1));
}

/** Returns 1 for digits, 2 for letters, 0 for other bytes. */
export function runKind(code: number): number {
  if (isDigit(code)) return 1;
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? 2 : 0;
}

export function fill(template: Template, captures: readonly string[]): string {
  let text = "";
  for (const piece of template) {
    text += typeof piece === "string" ? piece : captures[piece - 1];
  }
  return text;
}
