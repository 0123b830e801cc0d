import type { EvidenceLevel } from "../rule.ts";

/** Says that two URLs of a site have one page. It teaches nothing about other URLs, unless it has a range or `<*>`. */
export interface PageAlias {
  /** Names the host, with `:port` if the URL has one. */
  readonly site: string;
  /**
   * Holds path and query of the normalized URL. A range such as `<12..34>` in place of its last number stands for all
   * URLs with a number from 12 to 34. `?<*>` after a path stands for any query or none, and `&<*>` after a path and one
   * parameter for that parameter and any others or none, in any order; the target stays.
   */
  readonly from: string;
  /** Holds path and query that the URL gets. */
  readonly to: string;
  /** Names the kind of evidence; null if somebody wrote the alias. */
  readonly level: EvidenceLevel | null;
}
