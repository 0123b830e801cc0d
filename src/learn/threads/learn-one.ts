import { type LearnedAlone, learnSite } from "../learn.ts";
import { mostOverBudget } from "../learned-site.ts";
import type { Site } from "../site/site.ts";

/** Says how sites are learned. */
export interface LearnJob {
  readonly maxPageLoss: number | undefined;
  /** Says whether the refused rules of each site are wanted, which are hundreds. */
  readonly isReported: boolean;
}

/** Learns the rules of one site. Keeps the refused ones only for a report, but for one that the budget refused. */
export function learnOne(site: Site, { maxPageLoss, isReported }: LearnJob): LearnedAlone {
  const { learned, hosts } = learnSite(site, { maxPageLoss });
  if (isReported) return { learned, hosts };
  const rule = mostOverBudget(learned);
  return { learned: { ...learned, refused: rule === null ? [] : [rule] }, hosts };
}
