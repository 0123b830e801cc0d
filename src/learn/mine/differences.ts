import { addCount } from "../../base/tallies.ts";
import { type Param, paramText, splitParams } from "../../site-rules/apply/params.ts";
import { writeName } from "../../site-rules/language/condition-text.ts";
import { escapeText } from "../../site-rules/language/normal-text.ts";
import { splitTarget } from "../site/nodes.ts";
import { SHORTEST_ID } from "../thresholds/version-like.ts";
import { isSaid } from "./attributes.ts";
import type { Candidates } from "./candidates.ts";
import { templatesOf } from "./templates.ts";
import { sharedEnds, tokenize } from "./tokens.ts";

/** Limits the names in one difference. One with more names hardly comes a second time. */
const MAX_NAMES = 6;
/** Limits the tokens on each side of a difference that a rule may ask for. */
const CONTEXT = 2;
/** Limits the tokens of a difference, in either URL. */
const LONGEST = 12;

/** The rule that writes a space in one way. */
export const SPACES = "*\tsub %20 => +";

/** Adds the rules that could make two URLs of one page one. `a` and `b` are path and query. */
export function addDifferences(
  a: string,
  b: string,
  page: number,
  candidates: Pick<Candidates, "add">,
): void {
  const [longer, shorter] = isSmaller(a, b) ? [b, a] : [a, b];
  const marks = marksThatDiffer(longer, shorter);
  if (marks !== null) {
    candidates.add(`*\tsub ${escapeText(marks[0], "*")} => ${marks[1]}`, page);
    return;
  }
  if (longer.replaceAll("%20", "+") === shorter) {
    candidates.add(SPACES, page);
    return;
  }
  const [longPath, longQuery] = splitTarget(longer);
  const [shortPath, shortQuery] = splitTarget(shorter);
  if (longPath === shortPath && longQuery !== null) {
    const isTold = addParams(splitParams(longQuery), paramsOf(shortQuery), page, candidates);
    if (isTold) return;
  }
  if (longer.toLowerCase() === shorter.toLowerCase() && longQuery === shortQuery) {
    candidates.add("*\tlower path", page);
  }
  if (longQuery === shortQuery) {
    const line = pieceThatGoes(longPath, shortPath);
    if (line !== null) candidates.add(line, page);
  }
  const [from, to] = [tokenize(longer), tokenize(shorter)];
  addSubstitutions(from, to, page, candidates);
  for (const action of templatesOf(from, to).single) candidates.add(`*\t${action}`, page);
}

/** Matches an id: hexadecimal digits, or a word that is too long for a version or a language. */
const ID = new RegExp(`^(?:[0-9a-fA-F]{16,}|[^?&=;:]{${SHORTEST_ID},})$`);
/** Matches what stands before an id: `/sid/` or `;sid=`. Or a segment that is a word: `/en`. */
const NAMED = /^(?<name>\/[A-Za-z][\w-]*\/|;[A-Za-z][\w-]*=)(?<id>[^/;]+)$/;
const WORD = /^\/[A-Za-z][A-Za-z_-]*$/;

/**
 * Returns the rule that removes what one path has more than another, if that is whole: a name and its id, `/sid/<H>` or
 * `;sid=<T>`, or a segment that is a word. Null if it is anything else.
 */
function pieceThatGoes(longer: string, shorter: string): string | null {
  const [a, b] = [longer, shorter].map((path) => path.split(/(?=[/;])/)) as [string[], string[]];
  const [start, end] = sharedEnds(a, b);
  if (start + end !== b.length) return null;
  const gone = a.slice(start, a.length - end).join("");
  if (WORD.test(gone)) {
    const folder = a.slice(0, start).join("");
    return isSaid(folder) ? `${escapeText(folder, "*")}${gone}/...\tcut ${gone.slice(1)}` : null;
  }
  const { name = "", id = "" } = NAMED.exec(gone)?.groups ?? {};
  if (!ID.test(id)) return null;
  return `*\tsub ${name}${/[^0-9a-fA-F]/.test(id) ? "<T>" : "<H>"} =>`;
}

/** Returns the two marks that are all the difference, in several places; or null. */
function marksThatDiffer(a: string, b: string): [string, string] | null {
  if (a.length !== b.length) return null;
  let marks: [string, string] | null = null;
  let places = 0;
  for (let at = 0; at < a.length; at++) {
    const [from, to] = [a[at] as string, b[at] as string];
    if (from === to) continue;
    marks ??= [from, to];
    if (from !== marks[0] || to !== marks[1] || !isDelimiter(from) || !isDelimiter(to)) return null;
    places++;
  }
  return places > 1 ? marks : null;
}

/** Returns whether a URL is the smaller one: the shorter, then the first by its bytes. */
export function isSmaller(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

export function paramsOf(query: string | null): Param[] {
  return query === null ? [] : splitParams(query);
}

/**
 * Adds rules for the parameters in which two URLs differ. Returns whether they differ only by their order, or by
 * parameters that the shorter URL lacks.
 */
export function addParams(
  longer: readonly Param[],
  shorter: readonly Param[],
  page: number,
  candidates: Pick<Candidates, "add">,
): boolean {
  const more = without(longer, shorter);
  const less = without(shorter, longer);
  if (more.length === 0 && less.length === 0) {
    const isInOrder = longer.map(paramText).join("&") === shorter.map(paramText).join("&");
    if (!isInOrder) candidates.add("*\tsort", page);
    return !isInOrder;
  }
  const names = [...new Set([...more, ...less].map(({ name }) => name))].toSorted();
  if (names.length > MAX_NAMES || names.includes("")) return false;
  const drop = `drop ${names.map(writeName).join(",")}`;
  candidates.add(`*\t${drop}`, page);
  if (shorter.length === 0) candidates.add("*\tkeep", page);
  if (less.length === 0) {
    // The same parameter twice: the rule keeps one.
    if (more.every((param) => shorter.some((other) => paramText(other) === paramText(param)))) {
      for (const { name } of more) {
        candidates.add(twiceOf(name, longer[0]?.name === name ? "?" : "&"), page);
      }
    }
    const tests = more.filter(({ value }) => value !== null && isSaid(value)).map(writeTest);
    for (const test of tests) candidates.add(`* ?${test}\t${drop}`, page);
    if (tests.length > 1) candidates.add(`* ?${tests.join("&")}\t${drop}`, page);
    return true;
  }
  const [from, to] = [more[0] as Param, less[0] as Param];
  const isValue = more.length === 1 && less.length === 1 && from.name === to.name;
  if (isValue && from.value !== null && to.value !== null && isSaid(from.value)) {
    candidates.add(`* ?${writeTest(from)}\tset ${writeName(to.name)}=${to.value}`, page);
  }
  return false;
}

/** Returns the rule that takes the second of two parameters with one name beside each other. */
function twiceOf(name: string, before: string): string {
  const text = escapeText(name, "*");
  return `*\tsub ${before}${text}=<T>&${text}=<T> => ${before}${name}=<1>`;
}

function writeTest({ name, value }: Param): string {
  return `${writeName(name)}=${value}`;
}

/** Returns the parameters of one list that the other does not have. */
export function without(params: readonly Param[], others: readonly Param[]): Param[] {
  const left = new Map<string, number>();
  for (const param of others) addCount(left, paramText(param));
  return params.filter((param) => {
    addCount(left, paramText(param), -1);
    return (left.get(paramText(param)) as number) < 0;
  });
}

/** Adds rules that replace what differs, with up to two tokens on each side of it. */
function addSubstitutions(
  longer: readonly string[],
  shorter: readonly string[],
  page: number,
  candidates: Pick<Candidates, "add">,
): void {
  const [start, end] = sharedEnds(longer, shorter);
  const from = longer.slice(start, longer.length - end);
  const to = shorter.slice(start, shorter.length - end);
  if (from.length > LONGEST || to.length > LONGEST || start === 0) return;
  if (from.every((token) => token === "/") && to.length === 0 && end === 0) {
    candidates.add("*\tpath /.../ => /<1>", page);
  }
  const plain = escapeText(from.join(""), "*");
  const target = to.join("");
  const mark = markOf(from, to);
  const numbered = numberedOf(from);
  // A text that begins or ends with a delimiter needs no token beside it.
  const fewestLeft = isDelimiter(from[0]) ? 0 : 1;
  const fewestRight = isDelimiter(from.at(-1)) || end === 0 ? 0 : 1;
  for (let left = fewestLeft; left <= Math.min(CONTEXT, start); left++) {
    const head = longer.slice(start - left, start).join("");
    // A value alone could be that of any parameter.
    if (`${head}${from[0] ?? ""}`.startsWith("=")) continue;
    for (let right = fewestRight; right <= Math.min(CONTEXT, end); right++) {
      const tail = longer.slice(longer.length - end, longer.length - end + right).join("");
      const stop = right === end ? "<$>" : "";
      const [before, after] = [escapeText(head, "*"), escapeText(tail, "*")];
      if (isSaid(plain) && isSaid(target)) {
        candidates.add(`*\tsub ${before}${plain}${after}${stop} => ${head}${target}${tail}`, page);
      }
      // One URL has a name with a number and the other a default: the rule takes any number.
      if (numbered !== "" && isSaid(target)) {
        candidates.add(
          `*\tsub ${before}${numbered}${after}${stop} => ${head}${target}${tail}`,
          page,
        );
      }
      // What differs is a number or a word: the rule takes any number or word in its place.
      if (mark === "" || left === 0) continue;
      candidates.add(`*\tsub ${before}${mark}${after}${stop} => ${head}${tail}`, page);
    }
  }
}

/** Returns the tokens with `<N>` for the last if that is a number after a name, "" if not. */
function numberedOf(tokens: readonly string[]): string {
  const [name, number] = [tokens.at(-2) ?? "", tokens.at(-1) ?? ""];
  if (!/^[A-Za-z]+$/.test(name) || !/^\d+$/.test(number)) return "";
  return `${escapeText(tokens.slice(0, -1).join(""), "*")}<N>`;
}

function isDelimiter(token: string | undefined): boolean {
  return token !== undefined && /^[^0-9A-Za-z]$/.test(token);
}

/** Returns `<N>` if both texts are numbers or empty, `<T>` if both are words or empty, "" if not. */
function markOf(from: readonly string[], to: readonly string[]): string {
  const text = from.join("") + to.join("");
  if (!/[^0-9]/.test(text)) return "<N>";
  return /[/?&=;:]/.test(text) ? "" : "<T>";
}
