import {
  type Condition,
  isOfSite,
  isWhole,
  type ParamTest,
  type Rule,
  type Unless,
} from "../rule.ts";
import { act, type ReadUrl, type RuledParts, RuledUrl, substitute, targetOf } from "./actions.ts";
import { matchPath } from "./match.ts";
import type { RuledQuery } from "./params.ts";

export { type RuledParts, substitute };

/** Limits the rounds. Rules that still change a URL after these are given up. */
const ROUNDS = 32;

/** Returns the rules for a site: its own, then those for every site. */
export type RulesOf = (site: string) => readonly Rule[];

/** Says how rules are applied. */
export interface Applying {
  /** Is called after each rule that changed the URL. */
  readonly trace?: ((rule: Rule) => void) | undefined;
  /** Limits the bytes of the URL on the way. */
  readonly longest?: number;
  /** Reads a URL that was in another one. Without it, `unwrap` changes nothing. */
  readonly read?: ReadUrl;
}

/** Reads no URL. */
const READS_NOTHING: ReadUrl = () => null;

/**
 * Applies rules in their order, again and again until no rule changes the URL. A rule that would make one of its
 * exceptions leaves the URL as it is. Returns false and restores the
 * parts if that does not come to an end, or if the URL would have more than `longest` bytes on the way.
 * Takes time linear in the length of the URL.
 */
export function applySiteRules(
  parts: RuledParts,
  rulesOf: RulesOf,
  { trace, longest = Number.POSITIVE_INFINITY, read = READS_NOTHING }: Applying = {},
): boolean {
  const url = new RuledUrl(parts);
  const before = trace && { ...parts };
  const note = (rule: Rule): void => {
    if (trace === undefined) return;
    url.writeTo(parts);
    trace(rule);
  };
  const isSettled = settle(url, rulesOf, note, longest, read);
  if (isSettled) url.writeTo(parts);
  else if (before !== undefined) Object.assign(parts, before);
  return isSettled;
}

function settle(
  url: RuledUrl,
  rulesOf: RulesOf,
  trace: (rule: Rule) => void,
  longest: number,
  read: ReadUrl,
): boolean {
  let last: Rule | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const site = url.host + url.port;
    let isChanged = false;
    let isMoved = false;
    for (const rule of rulesOf(site)) {
      if (!applyTo(url, rule, longest, read)) {
        // Since this rule last changed the URL, no other rule has changed it.
        if (rule === last && !isChanged) return true;
        continue;
      }
      trace(rule);
      isChanged = true;
      last = rule;
      if (url.length > longest) return false;
      isMoved = rule.action.type === "host" || rule.action.type === "unwrap";
      if (isMoved) break;
    }
    if (!isChanged) return true;
    // The rules after it have not had their turn.
    if (isMoved || url.host + url.port !== site) last = null;
  }
  return false;
}

/** Applies one rule once; returns whether it changed the URL. */
export function applyRule(parts: RuledParts, rule: Rule): boolean {
  const url = new RuledUrl(parts);
  const isChanged = applyTo(url, rule, Number.POSITIVE_INFINITY, READS_NOTHING);
  if (isChanged) url.writeTo(parts);
  return isChanged;
}

function applyTo(url: RuledUrl, rule: Rule, longest: number, read: ReadUrl): boolean {
  const { condition, action, except, unless } = rule;
  if (!holds(condition, url, isWhole(action))) return false;
  const isLeft = ({ site, condition }: Unless) => isOfSite(site, url.host) && holds(condition, url);
  if (unless?.some(isLeft) === true) return false;
  if (except === undefined) return act(action, url, longest, read);
  const { path, query } = url;
  if (!act(action, url, longest, read)) return false;
  // What is too long may be unfinished, and is not what the rule makes.
  if (url.length > longest || !except.has(targetOf(url))) return true;
  Object.assign(url, { path, query });
  return false;
}

/** Returns whether a condition holds for a URL, which is in normal form. */
export function isMet(condition: Condition, parts: RuledParts): boolean {
  return holds(condition, new RuledUrl(parts));
}

/** Returns whether a condition holds. `whole`: whether it must find parameters between `&` alone. */
function holds(
  { path, params: tests }: Condition,
  { path: actual, params }: RuledUrl,
  whole = false,
): boolean {
  if (path !== null && matchPath(path, actual) === null) return false;
  return tests.every((test) => passes(test, params, whole));
}

function passes({ name, is, value }: ParamTest, params: RuledQuery, whole: boolean): boolean {
  if (is === "absent") return !params.has(name);
  return params.has(name, is === "equal" ? value : undefined, whole);
}
