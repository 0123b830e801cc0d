import { addMember } from "../../base/tallies.ts";
import { roundBound } from "../../site-rules/language/evidence-text.ts";
import { findHostCircle } from "../../site-rules/language/host-circle.ts";
import { writeRules } from "../../site-rules/language/rule-file.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { wilson } from "../thresholds/bound.ts";
import { MAX_PAGE_LOSS } from "../thresholds/budget.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { isVersionLike } from "../thresholds/version-like.ts";
import { MAX_PAIRS } from "./fetch-plan.ts";
import type { FetchedPair, FetchedRule } from "./fetch-plan-file.ts";

/** The share of pairs with one page that a right rule has; `WRONG` is that of a wrong rule. */
const RIGHT = 0.99;
const WRONG = 0.9;
/** Limits both errors of the test: how often a right rule is rejected, and a wrong one accepted. */
const ERROR = 0.05;

/** What a pair adds to the logarithm of the likelihood ratio. `UPPER` accepts, `LOWER` rejects (Wald 1945). */
const SAME = Math.log(RIGHT / WRONG);
const DIFFERENT = Math.log((1 - RIGHT) / (1 - WRONG));
const UPPER = Math.log((1 - ERROR) / ERROR);
const LOWER = Math.log(ERROR / (1 - ERROR));

/** Counts the pairs that accept a rule if none of them differs. */
const FEWEST = Math.ceil(UPPER / SAME);

/** Holds what the results of a rule's pairs say of it. */
export interface Verdict {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Says whether the rule may be applied; `undecided` if the pairs say too little. */
  readonly verdict: "accepted" | "rejected" | "undecided";
  /** Counts the pairs that were judged. */
  readonly n: number;
  /** Counts the judged pairs with one page. */
  readonly ok: number;
  /** Gives Wilson's lower bound of the share of pairs with one page, 0 to 1. */
  readonly bound: number;
  /** Estimates, by the pairs that differ, the URLs of the list whose pages the rule would lose. */
  readonly lost: number;
  /** Counts the URLs of the sites that the rule is for; 0 if the plan has no count. */
  readonly urls: number;
  /** Says, for people, why. */
  readonly why: string;
}

/**
 * Judges a rule by the results of its pairs, in their order. It is a sequential probability ratio test (Wald 1945):
 * 0.99 of the pairs are one page, against 0.90, and either error is at most 0.05. Unknown pairs do not count.
 *
 * 31 pairs without a difference accept, so 25 never do; two differences among the first 19 reject. One difference
 * before the 31st pair takes 56 pairs without one to accept, and a plan has 50: such a rule, and one with too few
 * pairs, is undecided. The test ends with the pair that rejects, even after one that accepted, else with the last.
 * Exact shares for 50 pairs (fetched-verdict.test.ts):
 *
 *     share with one page   0.85   0.90   0.95   0.99   0.995
 *     accepted              0.004  0.032  0.198  0.732  0.856
 *     rejected              0.979  0.861  0.436  0.021  0.005
 *
 * Besides, the pairs with one page must show five different pages, unless the rule is a sink: a site that sends one
 * page for every URL makes any rule look right. A rule that could take versions for one is never accepted, because the
 * bound it needs is beyond what 50 pairs can show.
 *
 * @example
 * judge({ rule: parseRule("a\t*\tdrop sid"), pairs: [], merged: 0, urls: 0 }).why; // "no pair was judged"
 */
export function judge({ rule, pairs, merged, urls }: FetchedRule): Verdict {
  let [n, ok, isAccepted, isRejected] = [0, 0, false, false];
  const pages = new Set<string | null>();
  for (const { result, page } of pairs) {
    if (result === "unknown") continue;
    n++;
    if (result === "same") {
      ok++;
      pages.add(page);
    }
    const ratio = ok * SAME + (n - ok) * DIFFERENT;
    isAccepted ||= ratio >= UPPER;
    isRejected = ratio <= LOWER;
    if (isRejected) break;
  }
  const verdict = (name: Verdict["verdict"], why: string): Verdict => {
    const lost = n === 0 ? 0 : (merged * (n - ok)) / n;
    return { rule, verdict: name, n, ok, bound: wilson(ok, n), lost, urls, why };
  };
  if (isRejected) return verdict("rejected", `${n - ok} of ${n} pairs are different pages`);
  if (isVersionLike(rule)) return verdict("undecided", VERSIONS);
  if (!isAccepted) return verdict("undecided", whyOpen(n, ok));
  if (rule.action.type !== "sink" && pages.size < THRESHOLDS.classes) {
    const seen = `its pairs show ${pages.size} of the ${THRESHOLDS.classes} different pages that are needed`;
    return verdict("undecided", seen);
  }
  return verdict("accepted", `${ok} of ${n} pairs are one page`);
}

/**
 * Judges each rule once, by the pairs of all plans that have it. A pair that comes again counts once, and differs if one of
 * its results says so. A rule that one plan alone rejects is rejected. The counts of URLs are those of the plan with most.
 *
 * @example
 * const rule = parseRule("a\t*\tdrop sid");
 * const plan = { rule, pairs: [], merged: 0, urls: 0 };
 * judgeAll([plan, plan]).length; // 1
 */
export function judgeAll(plans: readonly FetchedRule[]): Verdict[] {
  const byRule = new Map<string, FetchedRule[]>();
  for (const plan of plans) addMember(byRule, writeRules([{ ...plan.rule, evidence: null }]), plan);
  return [...byRule.values()].map((own) => {
    const all = judge(joined(own));
    const each = own.map((plan) => judge(joined([plan])));
    return [all, ...each].find(({ verdict }) => verdict === "rejected") ?? all;
  });
}

/** Orders the results of a pair that comes again: the one that says more counts, and a difference most. */
const WEIGHTS = { unknown: 0, same: 1, different: 2 };

function joined(plans: readonly FetchedRule[]): FetchedRule {
  const pairs = new Map<string, FetchedPair>();
  for (const pair of plans.flatMap((plan) => plan.pairs)) {
    const key = [pair.url, pair.other].toSorted().join(" ");
    const known = pairs.get(key)?.result ?? "unknown";
    if (!pairs.has(key) || WEIGHTS[pair.result] > WEIGHTS[known]) pairs.set(key, pair);
  }
  const largest = plans.reduce((most, plan) => (plan.urls > most.urls ? plan : most));
  return { ...largest, pairs: [...pairs.values()] };
}

const VERSIONS =
  `it could take versions for one, which needs a lower bound of ${THRESHOLDS.versionBound}: ` +
  `${MAX_PAIRS} of ${MAX_PAIRS} pairs show no more than ${roundBound(wilson(MAX_PAIRS, MAX_PAIRS))}`;

function whyOpen(n: number, ok: number): string {
  if (n === 0) return "no pair was judged";
  return ok === n
    ? `${n} pairs are too few: ${FEWEST} without a difference are needed`
    : `${ok} of ${n} pairs are one page: too few to accept it, too many to reject it`;
}

/**
 * Returns the accepted rules with evidence `fetched`, and all other verdicts with the reason, both in the order of the
 * verdicts. An undecided rule stays a proposal. An accepted rule that closes a circle of hosts is undecided too. So is one
 * with which the rules of its site would lose more pages than `maxPageLoss`, a share of its URLs: those that lose least
 * come first.
 *
 * @example
 * applyVerdicts([judge({ rule: parseRule("a\t*\tdrop sid"), pairs: [], merged: 0, urls: 0 })]).rules; // []
 */
export function applyVerdicts(
  verdicts: readonly Verdict[],
  maxPageLoss = MAX_PAGE_LOSS,
): {
  rules: Rule[];
  others: Verdict[];
} {
  const refused = overBudget(verdicts, maxPageLoss);
  const open = () =>
    verdicts.filter((entry) => entry.verdict === "accepted" && !refused.has(entry));
  for (;;) {
    const accepted = open();
    const circle = findHostCircle(accepted.map(({ rule }, index) => ({ rule, line: index + 1 })));
    if (circle === null) break;
    refused.set(accepted[circle.line - 1] as Verdict, circle.reason);
  }
  const accepted = new Set(open());
  return {
    rules: [...accepted].map(({ rule, n, ok, bound }) => ({
      ...rule,
      evidence: { level: "fetched", n, ok, lb: roundBound(bound) },
    })),
    others: verdicts
      .filter((entry) => !accepted.has(entry))
      .map((entry) => {
        const why = refused.get(entry);
        return why === undefined ? entry : { ...entry, verdict: "undecided", why };
      }),
  };
}

/** Returns the accepted rules with which a site would lose too much, with the reason. */
function overBudget(verdicts: readonly Verdict[], maxPageLoss: number): Map<Verdict, string> {
  const spent = new Map<string, number>();
  const refused = new Map<Verdict, string>();
  const accepted = verdicts.filter(({ verdict }) => verdict === "accepted");
  for (const entry of accepted.toSorted((a, b) => a.lost - b.lost)) {
    const { rule, lost, urls } = entry;
    const before = spent.get(rule.site) ?? 0;
    const left = Math.max(0, maxPageLoss * urls - before);
    if (lost === 0 || urls === 0 || lost <= left) spent.set(rule.site, before + lost);
    else {
      const why = `by its pairs it would lose ${lost.toFixed(1)} pages, and the rules of its site may lose ${left.toFixed(1)} more`;
      refused.set(entry, why);
    }
  }
  return refused;
}
