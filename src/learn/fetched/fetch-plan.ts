import { UrlmillError } from "../../base/errors.ts";
import { bySite } from "../../site-rules/by-site.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import type { Site } from "../site/site.ts";
import { compareRanks, PairChooser, type RankedPair } from "./pair-chooser.ts";

/** Limits the pairs of a rule: the test of their results ends there (`judge`). */
export const MAX_PAIRS = 50;

/** Holds two URLs that a rule makes one. */
export interface PlannedPair {
  /** Holds a URL of the list. */
  readonly url: string;
  /** Holds another URL of the list, or what the rule makes of `url` if the list has no other. */
  readonly other: string;
}

/** Holds a rule with the pairs to fetch for it. */
export interface PlannedRule {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Lists the pairs in the order they are judged in; empty if the rule changes no URL. */
  readonly pairs: readonly PlannedPair[];
  /** Counts the URLs that the rule makes one with another of the list. */
  readonly merged: number;
  /** Counts the URLs of the sites that the rule is for. */
  readonly urls: number;
}

/** Says what to fetch for each rule. */
export interface FetchPlan {
  /** Lists the rules with their pairs, in the order that rules were given. */
  readonly rules: readonly PlannedRule[];
}

/** Holds the options of `planPairs`. */
export interface FetchPlanOptions {
  /**
   * Limits the pairs of each rule, 1 to 50. With fewer than 31 a rule can only be rejected.
   *
   * @default 50
   */
  readonly pairs?: number;
  /**
   * Chooses, with another text, other pairs.
   *
   * @default ""
   */
  readonly seed?: string;
}

/**
 * Chooses pairs of URLs to fetch for each rule, in the order of the rules. The pairs of a rule depend only on the rule,
 * the set of URLs and the seed. Throws `BAD_OPTION` for `pairs` that is not a whole number from 1 to 50, and `BAD_RULES` for
 * a rule of a domain and its hosts, or with URLs to leave alone: a plan names one site and no exceptions. `urlmill lists audit`
 * judges such rules.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }, { url: "http://a/?sid=2" }]);
 * const plan = planPairs([parseRule("a\t*\tdrop sid")], collector.sites());
 * plan.rules[0].pairs.length; // 1
 */
export function planPairs(
  rules: readonly Rule[],
  sites: Iterable<Site>,
  { pairs = MAX_PAIRS, seed = "" }: FetchPlanOptions = {},
): FetchPlan {
  if (!Number.isInteger(pairs) || pairs < 1 || pairs > MAX_PAIRS) {
    throw new UrlmillError(
      "BAD_OPTION",
      `option pairs cannot be ${pairs}: expected 1 to ${MAX_PAIRS}`,
    );
  }
  for (const rule of rules) checkIsOfSite(rule);
  const found = rules.map(() => ({ pairs: [] as RankedPair[], merged: 0, urls: 0 }));
  const rulesOf = bySite(rules.map((rule, number) => ({ site: rule.site, rule, number })));
  for (const site of sites) {
    const own = [site.name, ANY_SITE].flatMap((name) => rulesOf.get(name) ?? []);
    if (own.length === 0) continue;
    const chooser = new PairChooser(site, seed, pairs);
    for (const { rule, number } of own) {
      const chosen = chooser.choose(rule);
      const of = found[number] as (typeof found)[number];
      of.pairs.push(...chosen.pairs);
      of.merged += chosen.merged;
      of.urls += site.nodes.count;
    }
  }
  return {
    rules: found.map(({ pairs: ranked, merged, urls }, number) => {
      const first = ranked.sort((a, b) => compareRanks(a, b) || (a.url < b.url ? -1 : 1));
      const planned = first.slice(0, pairs).map(({ url, other }) => ({ url, other }));
      return { rule: rules[number] as Rule, pairs: planned, merged, urls };
    }),
  };
}

function checkIsOfSite(rule: Rule): void {
  if (!rule.site.startsWith("*.") && rule.unless === undefined) return;
  const has = rule.unless === undefined ? "is of a domain" : "leaves URLs alone";
  throw new UrlmillError(
    "BAD_RULES",
    `a plan takes no rule that ${has}; urlmill lists audit judges it: ${writeRule(rule)}`,
  );
}
