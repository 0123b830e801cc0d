import { type LearnedAlone, learnSite } from "../../learn/learn.ts";
import type { Site } from "../../learn/site/site.ts";

/** Says how sites are learned. */
export interface LearnJob {
  readonly maxPageLoss: number | undefined;
  /** Says whether a report shows what was refused, which is hundreds of rules a site. */
  readonly isReported: boolean;
}

/** Learns the rules of one site. Keeps the refused ones only for a report. */
export function learnOne(site: Site, { maxPageLoss, isReported }: LearnJob): LearnedAlone {
  const { learned, hosts } = learnSite(site, maxPageLoss === undefined ? {} : { maxPageLoss });
  return { learned: isReported ? learned : { ...learned, refused: [] }, hosts };
}
