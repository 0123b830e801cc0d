import type { Condition, ParamTest, Rule } from "../rule.ts";
import { act, type RuledParts, substitute, targetOf } from "./actions.ts";
import { matchPath } from "./match.ts";
import { type Param, ParamsOfQuery } from "./params.ts";

export { type RuledParts, substitute };

/** Limits the rounds. Rules that still change a URL after these are given up. */
const ROUNDS = 32;

/** Returns the rules for a site: its own, then those for every site. */
export type RulesOf = (site: string) => readonly Rule[];

/**
 * Applies rules in their order, again and again until none changes the URL. A rule that would make one of its
 * exceptions leaves the URL as it is. Returns false and restores the
 * parts if that does not come to an end, or if the parts would have more than `longest` bytes on the way.
 * Takes time linear in the length of the URL.
 */
export function applySiteRules(
  parts: RuledParts,
  rulesOf: RulesOf,
  trace: (rule: Rule) => void = () => {},
  longest = Number.POSITIVE_INFINITY,
): boolean {
  const { scheme, host, port, path, query } = parts;
  if (settle(parts, rulesOf, trace, longest)) return true;
  Object.assign(parts, { scheme, host, port, path, query });
  return false;
}

function settle(
  parts: RuledParts,
  rulesOf: RulesOf,
  trace: (rule: Rule) => void,
  longest: number,
): boolean {
  const params = new ParamsOfQuery();
  let last: Rule | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const site = parts.host + parts.port;
    let isChanged = false;
    for (const rule of rulesOf(site)) {
      if (!applyTo(parts, rule, params, longest)) {
        // Since this rule last changed the URL, no other rule has changed it.
        if (rule === last && !isChanged) return true;
        continue;
      }
      trace(rule);
      isChanged = true;
      last = rule;
      if (lengthOf(parts) > longest) return false;
      if (rule.action.type === "host") break;
    }
    if (!isChanged) return true;
    if (parts.host + parts.port !== site) last = null;
  }
  return false;
}

function lengthOf({ scheme, host, port, path, query }: RuledParts): number {
  const head = scheme.length + host.length + port.length + path.length;
  return query === null ? head : head + 1 + query.length;
}

/** Applies one rule once; returns whether it changed the URL. */
export function applyRule(parts: RuledParts, rule: Rule): boolean {
  return applyTo(parts, rule, new ParamsOfQuery(), Number.POSITIVE_INFINITY);
}

function applyTo(
  parts: RuledParts,
  { condition, action, except }: Rule,
  params: ParamsOfQuery,
  longest: number,
): boolean {
  if (!holds(condition, parts, params)) return false;
  if (except === undefined) return act(action, parts, params, longest);
  const { path, query } = parts;
  if (!act(action, parts, params, longest)) return false;
  // What is too long may be cut, and is not what the rule makes.
  if (lengthOf(parts) > longest || !except.has(targetOf(parts))) return true;
  Object.assign(parts, { path, query });
  return false;
}

function holds(
  { path, params: tests }: Condition,
  { path: actual, query }: RuledParts,
  params: ParamsOfQuery,
): boolean {
  if (path !== null && matchPath(path, actual) === null) return false;
  return tests.length === 0 || tests.every((test) => passes(test, params.of(query)));
}

function passes({ name, is, value }: ParamTest, given: readonly Param[]): boolean {
  const isFound = given.some(
    (param) => param.name === name && (is !== "equal" || param.value === value),
  );
  return isFound === (is !== "absent");
}
