import type { Rule } from "../../site-rules/rule.ts";
import type { HostPair } from "../site/site.ts";
import { roundedBound } from "./bound.ts";
import { GATES } from "./select.ts";

/**
 * Returns rules for sites that declare, often enough and with nothing against it, that all their
 * pages are another's. A declared URL of the site's own is against it. No other rule leads from one
 * host to another.
 */
export function declaredHosts(pairs: readonly HostPair[]): Rule[] {
  const declares = new Map<string, HostPair[]>();
  for (const pair of pairs) {
    const known = declares.get(pair.from);
    if (known === undefined) declares.set(pair.from, [pair]);
    else known.push(pair);
  }
  return [...declares.values()].flatMap((targets) => {
    const [pair, ...others] = targets as [HostPair, ...HostPair[]];
    const isBack = declares.get(pair.to)?.some(({ to }) => to === pair.from) === true;
    if (pair.to === pair.from) return [];
    if (pair.same < GATES.declarations || pair.other > 0 || others.length > 0 || isBack) return [];
    const lb = roundedBound(pair.same, pair.same);
    return [
      {
        site: pair.from,
        condition: { path: null, params: [] },
        action: { type: "host", to: pair.to },
        evidence: { level: "E1", n: pair.same, ok: pair.same, lb },
      } satisfies Rule,
    ];
  });
}
