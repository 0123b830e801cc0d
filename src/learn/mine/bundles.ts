import { type Param, paramText } from "../../site-rules/apply/params.ts";
import { writeName } from "../../site-rules/language/condition-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { splitTarget } from "../site/nodes.ts";
import type { Stage } from "../site/stage.ts";
import { isSaid } from "./attributes.ts";
import { Candidates, readBack } from "./candidates.ts";
import { addDifferences, addParams, isSmaller, paramsOf, SPACES, without } from "./differences.ts";
import { addPairs } from "./pairs.ts";
import { splitsOf } from "./splits.ts";
import { templatesOf } from "./templates.ts";
import { tokenize } from "./tokens.ts";

/** A bundle is counted if URLs of this many pages speak for it; of a site at most `MOST` bundles are. */
const MIN_PAGES = 4;
const MOST = 60;
/** Parameters that a bundle may drop. */
const MAX_NAMES = 4;

const SORT = "*\tsort";
/** Matches a value that may be a segment, such as a language. */
const WORD = /^[A-Za-z][A-Za-z-]*$/;

/**
 * Returns rules that make URLs of one page one only together. One URL may have parameters that the other lacks, and be
 * spelled differently: the order of parameters, `%20` for `+`, a number with a title. The rules of one bundle stand in
 * the order they are applied.
 */
export function mineBundles({ name, nodes, pages }: Stage): Rule[][] {
  const candidates = new Candidates();
  addPairs(nodes, pages, candidates, addBundles);
  return candidates
    .lines(MIN_PAGES)
    .slice(0, MOST)
    .flatMap((bundle) => {
      const lines = bundle.split("\n");
      const rules = lines.flatMap((line) => readBack(`${name}\t${line}`));
      return rules.length === lines.length ? [rules] : [];
    });
}

/** Takes rules, as conditions and actions, that stand after each other. */
type AddBundle = (...rules: readonly string[]) => void;

function addBundles(a: string, b: string, page: number, candidates: Candidates): void {
  const before: string[] = [];
  let [x, y] = [a, b];
  if (a.includes("%20") !== b.includes("%20")) {
    x = a.replaceAll("%20", "+");
    y = b.replaceAll("%20", "+");
    before.push(SPACES);
  }
  const add = (...rules: readonly string[]) => {
    const bundle = [...before, ...rules];
    if (bundle.length > 1) candidates.add(bundle.join("\n"), page);
  };
  addSpelled(x, y, page, add);
  addTemplates(x, y, add);
  addMoved(x, y, page, add);
  addMoved(y, x, page, add);
  const names = droppedNames(x, y);
  if (names.length === 0) return;
  before.push(`*\tdrop ${names.map(writeName).join(",")}`);
  [x, y] = [dropped(x, names), dropped(y, names)];
  if (x === y) return;
  addDifferences(x, y, page, { add: (rule) => add(rule) });
  addTemplates(x, y, add);
}

/** Adds two rules that copy numbers, and make two URLs one only together. */
function addTemplates(a: string, b: string, addBundle: AddBundle): void {
  const [longer, shorter] = isSmaller(a, b) ? [b, a] : [a, b];
  for (const rules of templatesOf(tokenize(longer), tokenize(shorter)).bundles) {
    addBundle(...rules.map((rule) => `*\t${rule}`));
  }
  for (const rules of splitsOf(a, b)) addBundle(...rules);
}

/** Adds what makes two URLs one if the value of a parameter is a segment of the other's path: `?lang=en` and `/en/`. */
function addMoved(a: string, b: string, page: number, addBundle: AddBundle): void {
  const segments = splitTarget(b)[0].split("/");
  for (const { name, value } of paramsOf(splitTarget(a)[1])) {
    if (value === null || !WORD.test(value) || !segments.includes(value)) continue;
    const drop = `* ?${writeName(name)}=${value}\tdrop ${writeName(name)}`;
    addDifferences(dropped(a, [name]), b, page, { add: (rule) => addBundle(drop, rule) });
  }
}

/** Adds what makes two URLs with one path one after their parameters are sorted. */
function addSpelled(a: string, b: string, page: number, addBundle: AddBundle): void {
  const [[longPath, longQuery], [shortPath, shortQuery]] = isSmaller(a, b)
    ? [splitTarget(b), splitTarget(a)]
    : [splitTarget(a), splitTarget(b)];
  if (longPath !== shortPath) return;
  const [longer, shorter] = [paramsOf(longQuery), paramsOf(shortQuery)];
  const [more, less] = [without(longer, shorter), without(shorter, longer)];
  const sort = rest(longer, more) === rest(shorter, less) ? [] : [SORT];
  if (more.length === 0 && less.length === 0) addBundle(...sort);
  else addParams(longer, shorter, page, { add: (rule) => addBundle(...sort, rule) });
}

/**
 * Returns the names of parameters that only one of two URLs has, and whose values the other does not hold either; an
 * empty array where that is all they differ in.
 */
function droppedNames(a: string, b: string): string[] {
  const [x, y] = [paramsOf(splitTarget(a)[1]), paramsOf(splitTarget(b)[1])];
  const names = new Set([...namesIn(x, y, b), ...namesIn(y, x, a)]);
  return names.size > MAX_NAMES || names.has("") ? [] : [...names].toSorted();
}

function namesIn(own: readonly Param[], others: readonly Param[], other: string): string[] {
  const known = new Set(others.map(({ name }) => name));
  // Without a value, the name may say which page it is: `?12-a-title`.
  return own
    .filter(({ name, value }) => !known.has(name) && !other.includes(value ?? name))
    .filter(({ name }) => isSaid(name) && !/^\d/.test(name))
    .map(({ name }) => name);
}

function dropped(target: string, names: readonly string[]): string {
  const [path, query] = splitTarget(target);
  const left = paramsOf(query).filter(({ name }) => !names.includes(name));
  return left.length === 0 ? path : `${path}?${left.map(paramText).join("&")}`;
}

/** Returns the text of the parameters that are not in `gone`, in their order. */
function rest(params: readonly Param[], gone: readonly Param[]): string {
  return params
    .filter((param) => !gone.includes(param))
    .map(paramText)
    .join("&");
}
