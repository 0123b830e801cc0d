import { UrlmillError } from "../../errors.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import type { Site } from "../site/site.ts";
import { PairChooser, type RankedPair } from "./pair-chooser.ts";

/** Pairs of a rule at most: the test of their results ends there (verdict.ts). */
export const MOST_PAIRS = 50;

/** Two URLs that a rule makes one. */
export interface PlannedPair {
  readonly url: string;
  /** Another that the list holds, or else what the rule makes of `url`. */
  readonly other: string;
}

export interface PlannedRule {
  readonly rule: Rule;
  /** In the order they are judged in; none where the rule changes no URL. */
  readonly pairs: readonly PlannedPair[];
}

/** What to fetch for each rule, so that results can speak for it or against it. */
export interface FetchPlan {
  readonly rules: readonly PlannedRule[];
}

export interface FetchPlanOptions {
  /** Pairs of each rule at most, 1 to 50; default 50. With fewer than 31 a rule can only be rejected. */
  readonly pairs?: number;
  /** Any text; another chooses other pairs. */
  readonly seed?: string;
}

/**
 * Chooses pairs of URLs to fetch for each rule, in the order of the rules; those of a rule depend on
 * nothing but itself, the set of URLs and the seed. A rule for every site has pairs of all of them.
 * Throws `BAD_OPTION`.
 */
export function planPairs(
  rules: readonly Rule[],
  sites: Iterable<Site>,
  { pairs = MOST_PAIRS, seed = "" }: FetchPlanOptions = {},
): FetchPlan {
  if (!Number.isInteger(pairs) || pairs < 1 || pairs > MOST_PAIRS) {
    throw new UrlmillError(
      "BAD_OPTION",
      `option pairs cannot be ${pairs}: expected 1 to ${MOST_PAIRS}`,
    );
  }
  const found = rules.map((): RankedPair[] => []);
  const numbersOf = bySite(rules);
  for (const site of sites) {
    const numbers = [...(numbersOf.get(site.name) ?? []), ...(numbersOf.get(ANY_SITE) ?? [])];
    if (numbers.length === 0) continue;
    const chooser = new PairChooser(site, seed, pairs);
    for (const number of numbers) {
      (found[number] as RankedPair[]).push(...chooser.choose(rules[number] as Rule));
    }
  }
  return {
    rules: rules.map((rule, number) => ({
      rule,
      pairs: (found[number] as RankedPair[])
        .sort(byRank)
        .slice(0, pairs)
        .map(({ url, other }) => ({ url, other })),
    })),
  };
}

function bySite(rules: readonly Rule[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const [number, { site }] of rules.entries()) {
    const known = numbers.get(site);
    if (known === undefined) numbers.set(site, [number]);
    else known.push(number);
  }
  return numbers;
}

function byRank(a: RankedPair, b: RankedPair): number {
  return a.round - b.round || a.order - b.order || (a.url < b.url ? -1 : 1);
}
