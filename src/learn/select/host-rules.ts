import { addMember } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { HostPair } from "../site/site.ts";
import { roundedBound } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";

/**
 * Returns rules for sites that declare, often enough and with next to nothing against it, that all their pages are
 * another's. A declared URL of the site's own is against it. No other rule leads from one host to another.
 */
export function declaredHosts(pairs: readonly HostPair[]): Rule[] {
  const declares = new Map<string, HostPair[]>();
  for (const pair of pairs) {
    addMember(declares, pair.from, pair);
  }
  return [...declares.values()].flatMap((targets) => {
    const pair = targets.reduce((most, each) => (each.same > most.same ? each : most));
    const isBack = declares.get(pair.to)?.some(({ to }) => to === pair.from) === true;
    if (pair.to === pair.from || isBack) return [];
    const all = targets.reduce((sum, { same, other }) => sum + same + other, 0);
    const against = all - pair.same;
    if (pair.same < THRESHOLDS.declarations || against > THRESHOLDS.against * pair.same) return [];
    const lb = roundedBound(pair.same, all);
    return [
      {
        site: pair.from,
        condition: { path: null, params: [] },
        action: { type: "host", to: pair.to },
        evidence: { level: "declared", n: all, ok: pair.same, lb },
      } satisfies Rule,
    ];
  });
}
