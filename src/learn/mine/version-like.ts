import type { Pattern, Rule, Template } from "../../site-rules/rule.ts";

/**
 * Returns whether a rule makes two numbers, or any two words, of a path one: versions differ so,
 * and years. Their pages are often alike and not the same, so such a rule needs far more evidence
 * than others. A number that selects nothing is not a version: the `-1` that a rule drops from
 * `name-1.html`.
 */
export function isVersionLike({ action }: Rule): boolean {
  if (action.type !== "sub" && action.type !== "path") return false;
  const { from, to } = action;
  if (isOfQuery(from) || numbersOf(from) === numbersLeft(to, from)) return false;
  if (action.type === "path") return true;
  return !(dropsDefault(from, to) || givesDefault(from, to) || dropsTitles(from, to));
}

/** Whether all that the rule leaves out is words that follow a number in one segment: `12-a-title`. */
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
  return (
    digitsOf(from) === to.map((piece) => (typeof piece === "string" ? digits(piece) : "")).join("")
  );
}

/** Returns the numbers in the texts of a pattern. */
function digitsOf(from: Pattern): string {
  return from.map((element) => (element.kind === "text" ? digits(element.text) : "")).join("");
}

/**
 * Whether the rule writes one small number for a name with any number, `0` for `msg123`, or 0 for a
 * name: `.0` for `.new`.
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

/**
 * What a default looks like in a path: small numbers after a mark, as in `name-1.html`, or the first
 * page of a list, as in `/page/1/`.
 */
const DEFAULT = /(?:[-_]\d{1,2})+(?!\d)|\.\d{1,2}(?!\d)|[A-Za-z]\/[01](?!\d)/g;

/** Whether the rule drops one default, and keeps what else there is. */
function dropsDefault(from: Pattern, to: Template): boolean {
  const left = to.join("");
  const texts = from.map((element) => (element.kind === "text" ? element.text : null));
  if (texts.some((text, at) => text === null && from[at]?.kind !== "end")) return false;
  const text = texts.join("");
  return [...text.matchAll(DEFAULT)].some(({ 0: found, index }) => {
    const isListed = found.includes("/");
    const name = isListed ? /[A-Za-z]*$/.exec(text.slice(0, index + 1))?.[0] : "";
    // Without its name the number of a directory may be a version.
    if (isListed && left.includes(`${name}/`)) return false;
    const start = isListed ? index + 1 : index;
    const rest = text.slice(0, start) + text.slice(index + found.length);
    return !/\d/.test(rest) && (rest === left || left === "" || rest.startsWith(left));
  });
}

function isOfQuery(pattern: Pattern): boolean {
  return pattern.some((element) => element.kind === "text" && /[?&=]/.test(element.text));
}

/** Numbers in texts and marks for what is not text, in order. */
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

/**
 * Returns the numbers that a template leaves; the rest of a path, which is not one word, counts as
 * copied.
 */
function numbersLeft(to: Template, from: Pattern): string {
  const left = to
    .map((piece) => (typeof piece === "string" ? digits(piece) : `<${piece}>`))
    .join("");
  const rest = from.filter(({ kind }) => kind !== "text" && kind !== "end");
  return rest.at(-1)?.kind === "rest" && !left.includes(`<${rest.length}>`)
    ? `${left}<${rest.length}>`
    : left;
}

function digits(text: string): string {
  return (text.match(/\d+/g) ?? []).map((run) => `${run};`).join("");
}
