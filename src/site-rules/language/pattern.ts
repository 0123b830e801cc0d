import type { UrlmillError } from "../../base/errors.ts";
import { badRule } from "../data-lines.ts";
import { ANY_BYTES, type Element, LONGEST_PATTERN, type Pattern, type Template } from "../rule.ts";
import { checkDots, escapeText, unescapeText } from "./normal-text.ts";

/** Names the elements that marks stand for, wherever a pattern can have them. */
export const CLASSES = { "<N>": "digits", "<H>": "hex", "<T>": "word", "<$>": "end" } as const;
const MARKS: Readonly<Record<string, string>> = {
  digits: "<N>",
  hex: "<H>",
  word: "<T>",
  end: "<$>",
};
const HEX_DIGITS = 16;

/** Matches a mark of a run of so many bytes, such as `<H32>`. */
const WITH_LENGTH = /^<([NHT])([1-9]\d{0,3})>$/;

/** Says where a pattern matches: a path or a value from end to end, or a substring, which has no segments. */
export type PatternPlace = "path" | "value" | "substring";

/**
 * Reads a pattern. Throws `BAD_RULES` for one that could never match, or whose matching would have to go
 * back.
 */
export function parsePattern(text: string, place: PatternPlace): Pattern {
  const elements: Element[] = [];
  for (const piece of pieces(text)) {
    const kind = CLASSES[piece as keyof typeof CLASSES];
    const run = runOfLength(piece);
    if (kind !== undefined && (kind !== "end" || place !== "value")) elements.push({ kind });
    else if (run !== null) elements.push(run);
    else if (place === "value" && piece === ANY_BYTES) elements.push({ kind: "rest", suffix: "" });
    else if (place === "path" && piece === "*") elements.push({ kind: "segment", suffix: "" });
    else if (place === "path" && piece === "...") elements.push({ kind: "rest", suffix: "" });
    else if (/^<.*>$/.test(piece)) {
      throw badRule(`there is no ${piece} in a pattern: ${Object.keys(CLASSES).join(", ")}`);
    } else addText(elements, unescapeText(piece));
  }
  if (elements.length > LONGEST_PATTERN) throw tooMany("pattern");
  checkPattern(elements, text, place);
  return elements;
}

/** Returns the run that a mark such as `<N8>` stands for; null for another text. */
function runOfLength(piece: string): Element | null {
  const [, letter, digits] = WITH_LENGTH.exec(piece) ?? [];
  if (letter === undefined) return null;
  const kind = CLASSES[`<${letter as "N" | "H" | "T"}>`];
  return { kind, length: Number(digits) };
}

function addText(elements: Element[], text: string): void {
  const last = elements.at(-1);
  if (last?.kind === "rest") {
    elements[elements.length - 1] = { kind: "rest", suffix: last.suffix + text };
  } else if (last?.kind === "segment") {
    const slash = text.indexOf("/");
    const suffix = slash < 0 ? text : text.slice(0, slash);
    elements[elements.length - 1] = { kind: "segment", suffix: last.suffix + suffix };
    if (slash >= 0) elements.push({ kind: "text", text: text.slice(slash) });
  } else if (last?.kind === "text") {
    elements[elements.length - 1] = { kind: "text", text: last.text + text };
  } else {
    elements.push({ kind: "text", text });
  }
}

function checkPattern(elements: Pattern, text: string, place: PatternPlace): void {
  const first = elements[0];
  if (place === "path" && (first?.kind !== "text" || !first.text.startsWith("/"))) {
    throw badRule(`the path "${text}" does not begin with /`);
  }
  if (place === "substring" && first?.kind !== "text") {
    throw badRule(`"${text}" does not begin with text`);
  }
  for (const [index, { kind }] of elements.entries()) {
    const next = elements[index + 1];
    if (next === undefined) break;
    if (kind === "end") throw badRule(`nothing can follow <$> in "${text}"`);
    if (kind === "rest") throw badRule(`only text can follow ... in "${text}"`);
    if (kind === "text") continue;
    if (kind === "segment" ? next.kind !== "text" : next.kind !== "text" && next.kind !== "end") {
      throw badRule(`in "${text}" there must be text between two marks`);
    }
    checkEndOfRun(kind, next, text);
  }
  if (place === "path") checkPathPattern(elements, text);
  else if (place === "substring") checkStartOfRuns(elements, text);
  if (text.includes("#")) throw badRule(`"${text}" has a fragment, which rules leave alone`);
}

function checkPathPattern(elements: Pattern, text: string): void {
  const isOfSubstring = elements.some(({ kind }) => kind === "end" || kind === "word");
  if (isOfSubstring) throw badRule(`the path "${text}" cannot have <$> or <T>`);
  if (text.includes("?")) throw badRule(`"${text}" is more than a path`);
  for (const [index, element] of elements.entries()) {
    if (element.kind === "text") checkDots(element.text, index === elements.length - 1);
    if (element.kind === "rest") checkDots(element.suffix, true);
  }
}

/** Gives the bytes that can be in the run of a mark. */
export const RUNS: Readonly<Record<string, RegExp>> = {
  digits: /[0-9]/,
  hex: /[0-9a-fA-F]/,
  word: /[^/?&=;:]/,
};

/**
 * Refuses a text that begins with a byte of the run before it. The run takes all such bytes, so the text
 * could never match.
 */
function checkEndOfRun(kind: Element["kind"], next: Element, text: string): void {
  if (next.kind === "text" && RUNS[kind]?.test(next.text[0] as string) === true) {
    throw badRule(
      `"${text}" can never match: "${next.text[0]}" belongs to the ${MARKS[kind]} before it`,
    );
  }
}

/**
 * Refuses a run after a byte that the run itself could hold, if the pattern also begins with such a byte.
 * Matching could then begin at many bytes of the run, and read it again from each of them.
 */
function checkStartOfRuns(elements: Pattern, text: string): void {
  for (const [index, { kind }] of elements.entries()) {
    const before = elements[index - 1];
    if (before?.kind !== "text" || !canBegin(elements, RUNS[kind])) continue;
    if (RUNS[kind]?.test(before.text.at(-1) as string) === true) {
      throw badRule(
        `"${text}" could take quadratic time: "${before.text.at(-1)}" before ${MARKS[kind]} can be one of its bytes`,
      );
    }
  }
}

/** Returns whether a match of the pattern begins with a byte of the run. */
function canBegin([first]: Pattern, run: RegExp | undefined): boolean {
  return first?.kind === "text" && run?.test(first.text[0] as string) === true;
}

/** Splits a pattern into texts and marks. */
function pieces(text: string): string[] {
  return text.match(/<[^<>]*>|\.\.\.|\*|(?:\\.|(?!\.\.\.)[^<*\\])+|[<\\]/gs) ?? [];
}

/** Writes a pattern as `parsePattern` reads it. */
export function writePattern(pattern: Pattern): string {
  return pattern
    .map((element, index) => {
      switch (element.kind) {
        case "text":
          return pattern[index + 1]?.kind === "rest"
            ? escapePattern(element.text).replace(/(?<!\\)\.$/, "\\.")
            : escapePattern(element.text);
        case "segment":
          return `*${escapePattern(element.suffix)}`;
        case "rest":
          return `...${escapePattern(element.suffix)}`;
        case "end":
          return MARKS["end"];
        default:
          return (MARKS[element.kind] as string).replace(">", `${element.length ?? ""}>`);
      }
    })
    .join("");
}

/** Writes the pattern of a value, as `parsePattern` reads it. */
export function writeValuePattern(pattern: Pattern): string {
  return pattern
    .map((element) =>
      element.kind === "rest" ? ANY_BYTES + escapePattern(element.suffix) : writePattern([element]),
    )
    .join("");
}

/** Escapes a text. Dots are escaped only if they would read as `...`. */
function escapePattern(text: string): string {
  return escapeText(text, "*").replaceAll(/\.(?=\.\.)/g, "\\.");
}

/** Reads a template. Throws `BAD_RULES` for a capture that the pattern does not have. */
export function parseTemplate(text: string, captures: number): Template {
  const template: (string | number)[] = [];
  if (text.includes("#")) throw badRule(`"${text}" has a fragment, which rules leave alone`);
  for (const piece of text.match(/<[^<>]*>|(?:\\.|[^<\\])+|[<\\]/gs) ?? []) {
    const number = /^<([1-9])>$/.exec(piece)?.[1];
    if (number === undefined) {
      if (/^<.*>$/.test(piece)) throw badRule(`there is no ${piece} in a template: <1> to <9>`);
      template.push(unescapeText(piece));
    } else {
      if (Number(number) > captures) throw badRule(`the pattern has no capture ${piece}`);
      template.push(Number(number));
    }
  }
  if (template.length > LONGEST_PATTERN) throw tooMany("template");
  return template;
}

function tooMany(what: string): UrlmillError {
  return badRule(`a ${what} has at most ${LONGEST_PATTERN} texts and marks`);
}

/** Writes a template in the language of rules. */
export function writeTemplate(template: Template): string {
  return template.map((piece) => (typeof piece === "number" ? `<${piece}>` : piece)).join("");
}

/** Returns the elements that are not text, in order. Templates number them from 1. */
export function capturesOf(pattern: Pattern): Element[] {
  return pattern.filter(({ kind }) => kind !== "text" && kind !== "end");
}

/** Counts the bytes of the pattern without its captures. */
export function textLength(pattern: Pattern): number {
  let length = 0;
  for (const element of pattern) {
    if (element.kind === "text") length += element.text.length;
    if (element.kind === "segment" || element.kind === "rest") length += element.suffix.length;
  }
  return length;
}

/** Returns the fewest bytes that a capture of this element can have. */
export function shortestCapture(element: Element): number {
  const { kind } = element;
  if ("length" in element && element.length !== undefined) return element.length;
  return kind === "hex" ? HEX_DIGITS : kind === "rest" ? 0 : 1;
}

/** Returns the fewest bytes that a pattern can match. */
export function shortestMatch(pattern: Pattern): number {
  return capturesOf(pattern).reduce(
    (length, element) => length + shortestCapture(element),
    textLength(pattern),
  );
}
