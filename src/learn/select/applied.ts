import { addCount } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { Components, type Effect, noEffect } from "../count/components.ts";
import { mergesByKey } from "../count/merges.ts";
import { mayChange, settled } from "../count/settled.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Stage } from "../site/stage.ts";

/** Returns the keys of URLs as numbers, and how many there are. Rules are applied as a normalizer applies them. */
export function keysOf(
  rules: readonly Rule[],
  nodes: Nodes,
  trace?: (rule: Rule) => void,
): { keyOf: Int32Array; size: number } {
  const keys = new HashIndex(nodes.count);
  const keyOf = new Int32Array(nodes.count);
  const may = mayChange(rules);
  const hash = { low: 0, high: 0 };
  for (const [node, target] of nodes.targets.entries()) {
    const url = { target, isHttps: nodes.isHttps[node] as boolean };
    const key = may(target) ? settled(url, rules, trace) : url;
    nodes.hashTarget(key.target, key.isHttps, hash);
    keyOf[node] = keys.add(hash);
  }
  return { keyOf, size: keys.size };
}

/** Removes each rule that changes no URL after those before it. Returns the others and what they do together. */
export function withoutDead<T extends { readonly rule: Rule }>(
  selected: readonly T[],
  stage: Pick<Stage, "nodes" | "pages">,
): { selected: readonly T[]; effect: Effect } {
  const rules = selected.map(({ rule }) => rule);
  if (rules.length === 0) return { selected, effect: noEffect() };
  const times = new Map<Rule, number>();
  const { keyOf, size } = keysOf(rules, stage.nodes, (rule) => addCount(times, rule));
  const effect = new Components(stage.pages).effect(mergesByKey(keyOf, size));
  // Removing a rule that changes nothing leaves the work of all others as it was.
  return { selected: selected.filter(({ rule }) => times.has(rule)), effect };
}
