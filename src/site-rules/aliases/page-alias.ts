import type { EvidenceLevel } from "../rule.ts";

/** Says that two URLs of a site have one page. It teaches nothing about other URLs. */
export interface PageAlias {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /** Holds path and query of the normalized URL. */
  readonly from: string;
  /** Holds path and query that the URL gets. */
  readonly to: string;
  /** Names the kind of evidence; null if somebody wrote the alias. */
  readonly level: EvidenceLevel | null;
}

/** Returns the aliases by site, in their order. */
export function aliasesBySite(aliases: Iterable<PageAlias>): Map<string, PageAlias[]> {
  const bySite = new Map<string, PageAlias[]>();
  for (const alias of aliases) {
    const own = bySite.get(alias.site);
    if (own === undefined) bySite.set(alias.site, [alias]);
    else own.push(alias);
  }
  return bySite;
}
