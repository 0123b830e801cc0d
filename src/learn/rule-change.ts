import { entryOf } from "../base/tallies.ts";
import { bySite } from "../site-rules/by-site.ts";
import { ANY_SITE, isOfSite, type Rule } from "../site-rules/rule.ts";
import { settled } from "./count/settled.ts";
import type { SiteChange } from "./learned-site.ts";
import { ownRule } from "./rule-audit.ts";
import { keysOf } from "./select/applied.ts";
import type { Site } from "./site/site.ts";

/** Limits the keys of a site that are listed outside a report. */
export const LISTED_KEYS = 5;

/**
 * Compares what rules make of a site's URLs with what older rules make of them. Lists at most `most` keys.
 * `test/learn/rule-change.test.ts` compares it with all pairs of URLs.
 */
export function changeOf(
  { name, nodes, before }: Pick<Site, "name" | "nodes" | "before">,
  after: readonly Rule[],
  most: number,
): SiteChange {
  const [older, newer] = [keysOf(before, nodes).keyOf, keysOf(after, nodes).keyOf];
  const merged = mergedNodes(newer, older);
  const text = (node: number, rules: readonly Rule[] = []): string => {
    const url = { target: nodes.targets[node] as string, isHttps: nodes.isHttps[node] as boolean };
    const { target, isHttps } = settled(url, rules);
    return `http${isHttps ? "s" : ""}://${name}${target}`;
  };
  const split = mergedNodes(older, newer).length;
  const ofKeys = new Map(merged);
  const merges = [...ofKeys]
    .slice(0, most)
    .map(([kept, node]) => [text(node, after), text(kept), text(node)] as const);
  return { merged: merged.length, split, keys: ofKeys.size, merges };
}

/** Returns the fewest nodes without which equal keys have equal other keys, each after a node of its key that stays. */
function mergedNodes(keyOf: Int32Array, otherOf: Int32Array): [kept: number, node: number][] {
  const parts = new Map<number, number[]>();
  const largest: number[][] = [];
  for (const [node, key] of keyOf.entries()) {
    const part = entryOf(parts, key * keyOf.length + (otherOf[node] as number), () => []);
    part.push(node);
    if (part.length > (largest[key]?.length ?? 0)) largest[key] = part;
  }
  return [...parts.values()].flatMap((part) => {
    const most = largest[keyOf[part[0] as number] as number] as number[];
    return part === most ? [] : part.map((node): [number, number] => [most[0] as number, node]);
  });
}

/** Returns the rules of a site as a normalizer takes them from a file; none if no rule names it or its domain. */
export function rulesBySite(rules: readonly Rule[]): (site: string) => readonly Rule[] {
  const named = bySite(rules);
  const wide = [...named.keys()].filter((name) => name.startsWith(ANY_SITE));
  wide.sort((a, b) => b.length - a.length);
  return (site) => {
    const names = [site, ...wide.filter((name) => isOfSite(name, site))];
    const found = names.flatMap((name) => named.get(name) ?? []);
    if (found.every((rule) => rule.site === ANY_SITE)) return [];
    return found.flatMap((rule) => ownRule(rule, site) ?? []);
  };
}
