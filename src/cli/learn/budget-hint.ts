import type { LearnedSite } from "../../learn/learned-site.ts";

/** Is the least share of a site's redundant URLs that makes a refused rule worth a line. */
const WORTH = 0.05;

/**
 * Returns the rule that only the budget refused, and that alone removes most URLs beyond what the selected rules of
 * its site remove; null if none removes much more.
 */
export function mostOverBudget(site: LearnedSite): LearnedSite["refused"][number] | null {
  let most = site.effect.right + WORTH * site.redundant;
  let found = null;
  for (const rule of site.refused) {
    if (rule.refusal.why !== "over the budget" || rule.effect.right <= most) continue;
    most = rule.effect.right;
    found = rule;
  }
  return found;
}

/**
 * Returns a line on the rule of all sites that was refused for the budget only and removes most, or null. Pages that
 * changed between two fetches count as lost, so the user may want to look at it.
 */
export function budgetHint(sites: readonly LearnedSite[], maxPageLoss: number): string | null {
  let [most, hint]: [number, string | null] = [0, null];
  for (const site of sites) {
    const rule = mostOverBudget(site);
    if (rule === null || rule.effect.right <= most) continue;
    const { right, lost } = rule.effect;
    most = right;
    hint = `a refused rule of ${site.site} removes ${right} redundant URLs and loses ${lost.toFixed(1)} pages`;
  }
  if (hint === null) return null;
  return `${hint}, more than --max-page-loss ${maxPageLoss} allows: see --report`;
}
