import { UrlmillError } from "../base/errors.ts";
import type { Rule } from "../site-rules/rule.ts";

/** Holds the options of learning. */
export interface LearnOptions {
  /**
   * Limits the share of a site's pages, of its files and of large page types that rules may lose.
   *
   * @default 0.001
   */
  readonly maxPageLoss?: number;
  /**
   * Holds rules of other sites, as `learn` returned them or `parseRules` read them. A rule that
   * holds on sites with the same software is taken with two pages of a site itself, and none
   * against it. Rules of the site itself, or without evidence E1 to E3, do not count.
   *
   * @default []
   */
  readonly priors?: readonly Rule[];
}

/** Holds arrays of priors that were checked, because every site is learned with the same. */
const isChecked = new WeakSet<readonly Rule[]>();

/** Returns all options, with their defaults. Throws `BAD_OPTION` for a value that cannot be. */
export function checkOptions({
  maxPageLoss = 0.001,
  priors = [],
}: LearnOptions): Required<LearnOptions> {
  if (!(maxPageLoss >= 0 && maxPageLoss <= 1)) {
    throw new UrlmillError(
      "BAD_OPTION",
      `option maxPageLoss cannot be ${maxPageLoss}: expected 0 to 1`,
    );
  }
  if (!isChecked.has(priors) && !(Array.isArray(priors) && priors.every(isRule))) {
    throw new UrlmillError(
      "BAD_OPTION",
      "option priors is not an array of rules: give what parseRules returns",
    );
  }
  isChecked.add(priors);
  return { maxPageLoss, priors };
}

function isRule(rule: Partial<Rule> | null | undefined): boolean {
  return (
    typeof rule?.site === "string" &&
    Array.isArray(rule.condition?.params) &&
    typeof rule.action?.type === "string"
  );
}
