import { MOST_CONTRADICTED } from "../site/known.ts";

/**
 * Holds the least that evidence must reach. The numbers were set on the developer's sites, each checked on the others.
 */
export const THRESHOLDS = {
  /** How many different pages must each have URLs that the rule makes one, without another page's. */
  classes: 5,
  /** How many declarations of the site must speak for the rule. */
  declarations: 3,
  /** How many declarations may speak against a rule for each that speaks for it. */
  against: 0.05,
  /** How many URLs a sink must merge. */
  sinkUrls: 6,
  /** Limits the share of merges that are wrong, as a multiple of the share of pages that may be lost. */
  wrongMerges: 5,
  /**
   * The least lower bound of the share of merges that are right; `boundPoint` is its normal point, and `boundTail` what
   * is outside of it on both sides, which is divided among the rules tried.
   */
  bound: 0.9,
  boundPoint: 1.04,
  boundTail: 0.3,
  /**
   * The point for clean rules, which have no wrong merge, of a kind that has `cleanRules` of them, and as a share of these
   * at most `boundTail` others that are right more often than not: five merges reach the bound.
   */
  cleanPoint: 0.74,
  cleanRules: 2,
  /** The share of the URLs that a clean rule changes which it must merge with another. */
  cleanMerges: 0.1,
  /** The same bound for rules that could take versions for one. */
  versionBound: 0.99,
  versionPoint: 1.96,
  /**
   * The least upper bound of the share of right merges, which each page type must reach. `typeTail` is its tail,
   * divided by the number of types: one of hundreds of small ones is wrong by chance.
   */
  typeBound: 0.9,
  typeTail: 0.1,
  /** Limits the share of a sink's merges that are wrong; wrong ones must be fewer than `sinkPages`. */
  sinkWrong: 0.01,
  sinkPages: 10,
  /** How many merges may have no declaration, for each merge that a declaration confirms. */
  undeclared: 10,
  /** Limits the share of groups whose fingerprints differ although the site declares them one page. */
  contradiction: MOST_CONTRADICTED,
};
