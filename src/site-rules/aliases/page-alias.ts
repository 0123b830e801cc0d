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
