import { type LearnedAlone, learnSite } from "../../learn/learn.ts";
import type { Site } from "../../learn/site/site.ts";
import { mostOverBudget } from "./budget-hint.ts";

/** Says how sites are learned. */
export interface LearnJob {
  readonly maxPageLoss: number | undefined;
  /** Says whether a report shows what was refused, which is hundreds of rules a site. */
  readonly isReported: boolean;
}

/** Learns the rules of one site. Keeps the refused ones only for a report, but for one that the budget refused. */
export function learnOne(site: Site, { maxPageLoss, isReported }: LearnJob): LearnedAlone {
  const { learned, hosts } = learnSite(site, { maxPageLoss });
  if (isReported) return { learned, hosts };
  const rule = mostOverBudget(learned);
  return { learned: { ...learned, refused: rule === null ? [] : [rule] }, hosts };
}
