import { type LearnedSite, mostOverBudget } from "../../learn/learned-site.ts";

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
