import { type Match, matchAt } from "../../site-rules/apply/match.ts";
import type { Pattern, Rule, Template } from "../../site-rules/rule.ts";

/** Counts the bytes that a word has at least to be an id, such as that of a session. Versions and languages are shorter. */
export const SHORTEST_ID = 20;

/**
 * Returns whether a rule makes one of two numbers, or of any two words, in a path, or gives a parameter another number.
 * Versions and years differ so, and pages of a list. They are often alike and not the same, so such a rule needs far
 * more evidence than others. A value that selects nothing is not a version, such as the `-1` that a rule drops from
 * `name-1.html`, or the 0 or 1 that it gives. Nor is an id: hexadecimal digits, or a word that is long in each of
 * `examples`, pairs of paths and queries that the rule makes one. Nor is a title, which differs in all examples.
 */
export function isVersionLike(
  { action }: Rule,
  examples: readonly (readonly [string, string])[] = [],
): boolean {
  if (action.type === "cut") return /\d/.test(action.segment);
  if (action.type === "set") return isPlace(action.value);
  if (action.type !== "sub" && action.type !== "path") return false;
  const { from, to } = action;
  if (isOfQuery(from)) return givesOtherPlace(from, to);
  if (numbersOf(from) === numbersLeft(to, from)) return false;
  if (action.type === "path") return true;
  if (dropsDefault(from, to) || givesDefault(from, to) || dropsTitles(from, to)) return false;
  return !dropsIds(from, to, examples);
}

/** Matches a title: two words, or one that is long. */
const TITLE = /[A-Za-z]{2,}[^0-9A-Za-z]+[A-Za-z]{2,}|[A-Za-z]{8,}/;
/** Counts the titles that must differ: a version or a language comes again. */
const FEWEST_TITLES = 3;

/** Returns whether all that the rule leaves out, but for texts without numbers, is ids, or titles of one page each. */
function dropsIds(
  from: Pattern,
  to: Template,
  examples: readonly (readonly [string, string])[],
): boolean {
  if (!keepsDigits(from, to)) return false;
  const captured = from.filter(({ kind }) => kind !== "text" && kind !== "end");
  const dropped = captured.flatMap(({ kind }, at) =>
    to.includes(at + 1) || kind === "hex" ? [] : [{ kind, at }],
  );
  if (dropped.some(({ kind }) => kind !== "word")) return false;
  if (dropped.length === 0) return true;
  const matches = examples.flat().flatMap((url) => firstMatch(from, url) ?? []);
  return (
    matches.length > 0 &&
    dropped.every(({ at }) => {
      const texts = matches.map(({ captures }) => captures[at] as string);
      const isOfOne = texts.length >= FEWEST_TITLES && new Set(texts).size === texts.length;
      return texts.every((text) => text.length >= SHORTEST_ID || (isOfOne && TITLE.test(text)));
    })
  );
}

function firstMatch(pattern: Pattern, url: string): Match | null {
  for (let at = 0; at < url.length; at++) {
    const match = matchAt(pattern, url, at);
    if (match !== null) return match;
  }
  return null;
}

/** Returns whether all that the rule leaves out is words that follow a number in one segment: `12-a-title`. */
function dropsTitles(from: Pattern, to: Template): boolean {
  const kept = new Set(to.filter((piece) => typeof piece === "number"));
  let capture = 0;
  for (const [at, { kind }] of from.entries()) {
    if (kind === "text" || kind === "end") continue;
    capture++;
    if (kept.has(capture)) continue;
    const before = from[at - 1];
    const isInSegment = before?.kind === "text" && !/[0-9A-Za-z/]/.test(before.text);
    if (kind !== "word" || !isInSegment || from[at - 2]?.kind !== "digits") return false;
  }
  return keepsDigits(from, to);
}

/** Returns whether the numbers in the texts of a pattern are those in the texts of its template. */
function keepsDigits(from: Pattern, to: Template): boolean {
  const before = from.map((element) => (element.kind === "text" ? digits(element.text) : ""));
  const after = to.map((piece) => (typeof piece === "string" ? digits(piece) : ""));
  return before.join("") === after.join("");
}

/**
 * Returns whether the rule writes one small number for a name with any number, `0` for `msg123`, or 0 for a name: `.0`
 * for `.new`.
 */
function givesDefault(from: Pattern, to: Template): boolean {
  const [first, second, ...rest] = from;
  const isOneText = first?.kind === "text" && from.slice(1).every(({ kind }) => kind === "end");
  if (isOneText && /^[^0-9/]+$/.test(first.text) && /^[^0-9/]*0[^0-9/]*$/.test(to.join("")))
    return true;
  const isNamed = first?.kind === "text" && /[A-Za-z]$/.test(first.text) && !/\d/.test(first.text);
  const isPlain = rest.every(({ kind }) => kind === "text" || kind === "end");
  const isDefault = to.length === 1 && /^\D*\d{1,2}\D*$/.test(String(to[0]));
  return isNamed && second?.kind === "digits" && isPlain && isDefault;
}

/** Matches a default in a path: small numbers after a mark (`name-1.html`), or a list's first page (`/page/1/`). */
const DEFAULT = /(?:[-_]\d{1,2})+(?!\d)|\.\d{1,2}(?!\d)|[A-Za-z]\/[01](?!\d)/g;

/** Returns whether the rule drops one default and keeps everything else, or drops all. */
function dropsDefault(from: Pattern, to: Template): boolean {
  const left = to.join("");
  const texts = from.map((element) => (element.kind === "text" ? element.text : null));
  if (texts.some((text, at) => text === null && from[at]?.kind !== "end")) return false;
  const text = texts.join("");
  return [...text.matchAll(DEFAULT)].some(({ 0: found, index }) => {
    const isListed = found.includes("/");
    const name = isListed ? /[A-Za-z]*$/.exec(text.slice(0, index + 1))?.[0] : "";
    // If the rule keeps the directory and drops its number, the number may be a version.
    if (isListed && left.includes(`${name}/`)) return false;
    const start = isListed ? index + 1 : index;
    const rest = text.slice(0, start) + text.slice(index + found.length);
    return !/\d/.test(rest) && (rest === left || left === "" || rest.startsWith(left));
  });
}

/** Returns whether a value is a number that is not the first. */
function isPlace(value: string): boolean {
  return /^\d+$/.test(value) && Number(value) > 1;
}

/** Returns whether a rule without captures gives a parameter of a query another number, which is not the first. */
function givesOtherPlace(from: Pattern, to: Template): boolean {
  const [first, second] = from;
  if (first?.kind !== "text" || (second !== undefined && second.kind !== "end")) return false;
  const [before, after] = [first.text, to.join("")].map((text) => text.split(/[?&;]/)) as [
    string[],
    string[],
  ];
  return (
    before.length === after.length &&
    before.some((param, at) => {
      const [[name, value], [other, place = ""]] = [param, after[at] as string].map((text) =>
        text.split("="),
      ) as [string[], string[]];
      return name === other && value !== place && isPlace(place);
    })
  );
}

/** Returns whether a rule gives one value of a parameter for another. */
export function replacesValue({ action }: Rule): boolean {
  if (action.type === "set") return true;
  if (action.type !== "sub") return false;
  const [from, ...others] = action.from;
  const isValue = from?.kind === "text" && /=[^&;]/.test(from.text);
  return isValue && others.every(({ kind }) => kind === "end") && action.to.length > 0;
}

function isOfQuery(pattern: Pattern): boolean {
  return pattern.some((element) => element.kind === "text" && /[?&=]/.test(element.text));
}

/** Returns, in order, the numbers of the texts and a mark for each element that is not text. */
function numbersOf(pattern: Pattern): string {
  let capture = 0;
  return pattern
    .map((element) =>
      element.kind === "text"
        ? digits(element.text)
        : element.kind === "end"
          ? ""
          : `<${++capture}>`,
    )
    .join("");
}

/** Returns the numbers and marks that a template leaves. The rest of a path always counts as left. */
function numbersLeft(to: Template, from: Pattern): string {
  const left = to
    .map((piece) => (typeof piece === "string" ? digits(piece) : `<${piece}>`))
    .join("");
  const rest = from.filter(({ kind }) => kind !== "text" && kind !== "end");
  return rest.at(-1)?.kind === "rest" && !left.includes(`<${rest.length}>`)
    ? `${left}<${rest.length}>`
    : left;
}

/** Returns the numbers of a text. The digits of a triplet, such as `%20`, are not a number. */
function digits(text: string): string {
  return (text.match(/(?<!%[0-9A-F]?)\d+/g) ?? []).map((run) => `${run};`).join("");
}
