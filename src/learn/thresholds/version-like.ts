import type { Pattern, Rule, Template } from "../../site-rules/rule.ts";

/**
 * Returns whether a rule makes one of two numbers, or of any two words, in a path. Versions and years differ so. Their
 * pages are often alike and not the same, so such a rule needs far more evidence than others. A number that selects
 * nothing is not a version, such as the `-1` that a rule drops from `name-1.html`.
 */
export function isVersionLike({ action }: Rule): boolean {
  if (action.type !== "sub" && action.type !== "path") return false;
  const { from, to } = action;
  if (isOfQuery(from) || numbersOf(from) === numbersLeft(to, from)) return false;
  if (action.type === "path") return true;
  return !(dropsDefault(from, to) || givesDefault(from, to) || dropsTitles(from, to));
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
  return (
    digitsOf(from) === to.map((piece) => (typeof piece === "string" ? digits(piece) : "")).join("")
  );
}

function digitsOf(from: Pattern): string {
  return from.map((element) => (element.kind === "text" ? digits(element.text) : "")).join("");
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

function digits(text: string): string {
  return (text.match(/\d+/g) ?? []).map((run) => `${run};`).join("");
}
