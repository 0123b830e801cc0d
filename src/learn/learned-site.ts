import type { PageAlias } from "../site-rules/aliases/alias-file.ts";
import type { Skip } from "../site-rules/language/skip-line.ts";
import type { Trust } from "../site-rules/language/trust-line.ts";
import type { Rule } from "../site-rules/rule.ts";
import type { Effect } from "./count/components.ts";
import type { Refusal } from "./thresholds/refusal.ts";

/** Holds a rule that was looked at. */
export interface JudgedRule {
  /** Holds the rule, with evidence if it was selected or proposed. */
  readonly rule: Rule;
  /** Says what the rule would do if it were the only one. */
  readonly effect: Readonly<Effect>;
  /** Lists up to three pairs of URLs, as path and query, that the rule makes one. */
  readonly examples: readonly (readonly [string, string])[];
}

/** Holds what was learned of one site. */
export interface LearnedSite {
  /** Names the site: its host, perhaps with `:port`. */
  readonly site: string;
  /** Counts the different URLs of the site, in normal form. */
  readonly urls: number;
  /** Counts the different pages. */
  readonly pages: number;
  /** Counts the URLs left out: they showed an error with the status of a page. */
  readonly softErrors: number;
  /** Counts the URLs beyond one for each page. */
  readonly redundant: number;
  /** Lists the selected rules in the order they are applied, with evidence. */
  readonly selected: readonly JudgedRule[];
  /** Lists proposals (`size`, `pattern`) for a site without fingerprints, best first. */
  readonly proposed: readonly JudgedRule[];
  /** Lists the rules that were refused, each with the reason. */
  readonly refused: readonly (JudgedRule & { readonly refusal: Refusal })[];
  /**
   * Lists pairs of URLs that have one page and that the rules leave apart; `effect` leaves them out. Files of evidence
   * give none.
   */
  readonly aliases: readonly PageAlias[];
  /** Lists which statements of pages can be trusted; empty if the evidence was read from a file. */
  readonly trust: readonly Trust[];
  /** Lists which URLs a crawl need not fetch; empty if the evidence was read from a file. */
  readonly skips: readonly Skip[];
  /** Says what the written rules do together: right merges are the redundancy that they remove. */
  readonly effect: Readonly<Effect>;
  /** Compares what the rules merge with what older rules of the site do. @internal */
  readonly change?: SiteChange;
}

/** Says how newer rules merge the URLs of a site, compared with older ones. */
export interface SiteChange {
  /** Counts the URLs that newly merge: the fewest without which no two that were kept apart have one key. */
  readonly merged: number;
  /** Counts, in the same way, the URLs that merged and are kept apart now. */
  readonly split: number;
  /** Counts the keys of URLs that newly merge. */
  readonly keys: number;
  /** Lists the first of these keys, each with a URL that stays and one that newly merges with it. */
  readonly merges: readonly (readonly [key: string, kept: string, url: string])[];
}

/** The least share of a site's redundant URLs that makes a refused rule worth a line. */
const WORTH = 0.05;

/**
 * Returns the rule that only the budget refused, and that alone removes most URLs beyond what the selected rules of its
 * site remove; null if no rule removes much more.
 */
export function mostOverBudget(site: LearnedSite): LearnedSite["refused"][number] | null {
  let most = site.effect.right + WORTH * site.redundant;
  let found = null;
  for (const rule of site.refused) {
    if (rule.refusal.why !== "over the budget" || rule.effect.right <= most) continue;
    most = rule.effect.right;
    found = rule;
  }
  return found;
}
