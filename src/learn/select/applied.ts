import { addCount } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { Components, type Effect, noEffect } from "../count/components.ts";
import { mergesByKey } from "../count/merges.ts";
import { mayChange, settled } from "../count/settled.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import type { Stage } from "../site/stage.ts";

/** Returns what rules do together, applied as a normalizer applies them, and how often each did. */
function applied(
  rules: readonly Rule[],
  { nodes, pages }: Pick<Stage, "nodes" | "pages">,
): { effect: Effect; times: ReadonlyMap<Rule, number> } {
  const keys = new HashIndex(nodes.count);
  const keyOf = new Int32Array(nodes.count);
  const times = new Map<Rule, number>();
  const may = mayChange(rules);
  const trace = (rule: Rule) => addCount(times, rule);
  const hash = { low: 0, high: 0 };
  for (const [node, target] of nodes.targets.entries()) {
    const url = { target, isHttps: nodes.isHttps[node] as boolean };
    const key = may(target) ? settled(url, rules, trace) : url;
    nodes.hashTarget(key.target, key.isHttps, hash);
    keyOf[node] = keys.add(hash);
  }
  return { effect: new Components(pages).effect(mergesByKey(keyOf, keys.size)), times };
}

/** Removes each rule that changes no URL after those before it. Returns the others and what they do together. */
export function withoutDead<T extends { readonly rule: Rule }>(
  selected: readonly T[],
  stage: Pick<Stage, "nodes" | "pages">,
): { selected: readonly T[]; effect: Effect } {
  const rules = selected.map(({ rule }) => rule);
  if (rules.length === 0) return { selected, effect: noEffect() };
  const { effect, times } = applied(rules, stage);
  // Removing a rule that changes nothing leaves the work of all others as it was.
  return { selected: selected.filter(({ rule }) => times.has(rule)), effect };
}
