// Learns sites on a worker thread.

import { replying } from "../../threads/reply.ts";
import { type PackedSite, unpackSite } from "../collect/packed-site.ts";
import { buildSite } from "../collect/site-draft.ts";
import { type LearnedAlone, type LearnJob, learnOne } from "../learn.ts";
import type { Site } from "../site/site.ts";

/** Asks for the rules of some sites. */
export interface SitesTask extends LearnJob {
  /** Holds the sites. The worker takes them out, so that it need not keep what it learns from. */
  readonly sites: PackedSite[];
}

export default replying(({ sites, ...job }: SitesTask): LearnedAlone[] =>
  Array.from({ length: sites.length }, () => learnOne(nextSite(sites), job)),
);

/** Takes out a site, so that nothing holds its packed form while it is learned. */
function nextSite(sites: PackedSite[]): Site {
  return buildSite(unpackSite(sites.shift() as PackedSite));
}
