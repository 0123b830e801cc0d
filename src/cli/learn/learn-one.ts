import { type LearnedAlone, learnSite } from "../../learn/learn.ts";
import type { Site } from "../../learn/site/site.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { mostOverBudget } from "./budget-hint.ts";

/** Says how sites are learned. */
export interface LearnJob {
  readonly maxPageLoss: number | undefined;
  /** Says whether a report shows what was refused, which is hundreds of rules a site. */
  readonly isReported: boolean;
}

/**
 * Learns the rules of one site, with rules of others as priors. Keeps the refused ones only for a report, but for one
 * that the budget refused.
 */
export function learnOne(
  site: Site,
  { maxPageLoss, isReported }: LearnJob,
  priors: readonly Rule[],
): LearnedAlone {
  const options = maxPageLoss === undefined ? { priors } : { maxPageLoss, priors };
  const { learned, hosts } = learnSite(site, options);
  if (isReported) return { learned, hosts };
  const rule = mostOverBudget(learned);
  return { learned: { ...learned, refused: rule === null ? [] : [rule] }, hosts };
}
