import { roundBound } from "../../site-rules/language/evidence-text.ts";
import { findHostCircle } from "../../site-rules/language/host-circle.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { isVersionLike } from "../mine/version-like.ts";
import { wilson } from "../select/bound.ts";
import { GATES } from "../select/select.ts";
import { MOST_PAIRS } from "./fetch-plan.ts";
import type { FetchedRule } from "./fetch-plan-file.ts";

/** Shares of pairs with one page, of a rule that is right and of one that is not. */
const RIGHT = 0.99;
const WRONG = 0.9;
/** Share of rules exactly so good, or so bad, that get the other verdict: alpha and beta, each at most. */
const ERROR = 0.05;

/** What a pair adds to the logarithm of the likelihood ratio, and where that decides (Wald 1945). */
const SAME = Math.log(RIGHT / WRONG);
const DIFFERENT = Math.log((1 - RIGHT) / (1 - WRONG));
const UPPER = Math.log((1 - ERROR) / ERROR);
const LOWER = Math.log(ERROR / (1 - ERROR));

/** Pairs without a difference that accept a rule. */
const FEWEST = Math.ceil(UPPER / SAME);

export interface Verdict {
  readonly rule: Rule;
  readonly verdict: "accepted" | "rejected" | "undecided";
  /** Pairs that were judged, and of these the ones with one page. */
  readonly n: number;
  readonly ok: number;
  /** Wilson's lower bound of the share with one page. */
  readonly bound: number;
  /** In words. */
  readonly why: string;
}

/**
 * A sequential probability ratio test (Wald 1945) over the pairs of a rule in their order: 0.99 of them
 * one page against 0.90, either error at most 0.05. Unknown pairs do not count.
 *
 * 31 pairs without a difference accept, so 25 never do; two differences among the first 19 reject. One
 * difference before the 31st pair takes 56 pairs without one to accept, and a plan has 50: such a rule,
 * and one with too few pairs, is undecided. The test ends with the pair that rejects, also where one
 * before it accepted, else with the last. Exact shares for 50 pairs (fetched-verdict.test.ts):
 *
 *     share with one page   0.85   0.90   0.95   0.99   0.995
 *     accepted              0.004  0.032  0.198  0.732  0.856
 *     rejected              0.979  0.861  0.436  0.021  0.005
 *
 * Besides, as for all evidence, the pairs with one page have to show five different ones (but for a sink):
 * a site that sends one page for all that is asked makes any rule look right. A rule that could take
 * versions for one is never accepted: the bound it needs is beyond what 50 pairs can show.
 */
export function judge({ rule, pairs }: FetchedRule): Verdict {
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
    return { rule, verdict: name, n, ok, bound: wilson(ok, n), why };
  };
  if (isRejected) return verdict("rejected", `${n - ok} of ${n} pairs are different pages`);
  if (isVersionLike(rule)) return verdict("undecided", VERSIONS);
  if (!isAccepted) return verdict("undecided", whyOpen(n, ok));
  if (rule.action.type !== "sink" && pages.size < GATES.classes) {
    const seen = `its pairs show ${pages.size} of the ${GATES.classes} different pages that are needed`;
    return verdict("undecided", seen);
  }
  return verdict("accepted", `${ok} of ${n} pairs are one page`);
}

const VERSIONS =
  `it could take versions for one, which needs a lower bound of ${GATES.versionBound}: ` +
  `${MOST_PAIRS} of ${MOST_PAIRS} pairs show no more than ${roundBound(wilson(MOST_PAIRS, MOST_PAIRS))}`;

function whyOpen(n: number, ok: number): string {
  if (n === 0) return "no pair was judged";
  return ok === n
    ? `${n} pairs are too few: ${FEWEST} without a difference are needed`
    : `${ok} of ${n} pairs are one page: too few to accept it, too many to reject it`;
}

/**
 * The accepted rules, with evidence E3, and all others with the reason; both in the order of the verdicts.
 * What is undecided stays a proposal. An accepted rule that closes a circle of hosts is undecided too.
 */
export function applyVerdicts(verdicts: readonly Verdict[]): {
  rules: Rule[];
  others: Verdict[];
} {
  const circles = new Map<Verdict, string>();
  const open = () =>
    verdicts.filter((entry) => entry.verdict === "accepted" && !circles.has(entry));
  for (;;) {
    const accepted = open();
    const circle = findHostCircle(accepted.map(({ rule }, index) => ({ rule, line: index + 1 })));
    if (circle === null) break;
    circles.set(accepted[circle.line - 1] as Verdict, circle.reason);
  }
  const accepted = new Set(open());
  return {
    rules: [...accepted].map(({ rule, n, ok, bound }) => ({
      ...rule,
      evidence: { level: "E3", n, ok, lb: roundBound(bound) },
    })),
    others: verdicts
      .filter((entry) => !accepted.has(entry))
      .map((entry) => {
        const why = circles.get(entry);
        return why === undefined ? entry : { ...entry, verdict: "undecided", why };
      }),
  };
}
