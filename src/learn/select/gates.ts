import type { Evidence } from "../../site-rules/rule.ts";
import type { Counted } from "../count/counted.ts";
import { isVersionLike } from "../mine/version-like.ts";
import { roundedBound, wilson } from "./bound.ts";

/**
 * Holds the least that evidence must reach. The numbers were set on the developer's sites, each
 * checked on the others.
 */
export const GATES = {
  /** Different pages whose URLs a rule makes one, each without another page. */
  classes: 5,
  /** Declarations of the site. */
  declarations: 3,
  /** Declarations against a rule, for each one that speaks for it: one odd redirect cancels few. */
  against: 0.05,
  /** URLs of a sink. */
  sinkUrls: 6,
  /** Share of all merges that may be wrong, as a multiple of the share of pages that may be lost. */
  wrongMerges: 5,
  /** Share of URLs that a rule gives their own page: a lower bound, and the normal point of its error. */
  bound: 0.9,
  boundPoint: 1.04,
  /** Limits, like `bound`, rules that could take versions for one. */
  versionBound: 0.99,
  versionPoint: 1.96,
  /** Share of right merges that each page type must be able to have, an upper bound. */
  typeBound: 0.9,
  typePoint: 1.28,
  /** Share of the merges of a sink that may be wrong, and the pages that it may have. */
  sinkWrong: 0.01,
  sinkPages: 10,
  /** Merges that no declaration tells of, for each one that it does: a rule must not reach far beyond. */
  undeclared: 10,
  /** Share of groups with different fingerprints that a declaration can stand against. */
  contradiction: 0.05,
};

/** Says why a rule was not selected, with the figure that it reached and the one that it needed. */
export interface Refusal {
  /** Names the reason. */
  readonly why:
    | "too few pages"
    | "wrong too often"
    | "wrong for a page type"
    | "version-like"
    | "nothing left to merge"
    | "over the budget";
  /** Gives the figure of the rule. */
  readonly reached: number;
  /** Gives what the figure had to be: at least this, or for a budget at most this. */
  readonly needed: number;
  /** Says what the figures are: a lower bound of the share of right merges, or a count. */
  readonly unit: "share" | "pages" | "merges";
}

/**
 * Returns whether a site declares what a rule does (E1): often enough, with next to nothing against
 * it, and no fingerprints that say otherwise.
 */
export function isDeclaredBySite({ rule, declared, effect }: Counted): boolean {
  const groups = effect.rightGroups + effect.wrongGroups;
  return (
    rule.action.type !== "sink" &&
    declared.rightGroups >= GATES.declarations &&
    declared.wrongGroups <= GATES.against * declared.rightGroups &&
    declared.unknown <= Math.max(GATES.undeclared * declared.right, effect.right) &&
    effect.wrongGroups <= GATES.contradiction * groups
  );
}

/** Returns why fingerprints do not speak for a rule (E2), or null where they do. */
export function whyNot(counted: Counted, equality: number): Refusal | null {
  const { rule, effect, types } = counted;
  const { right, wrong, rightGroups } = effect;
  const isSink = rule.action.type === "sink";
  const [seen, fewest] = isSink ? [right, GATES.sinkUrls] : [rightGroups, GATES.classes];
  if (seen < fewest) {
    const unit = isSink ? "merges" : "pages";
    return { why: "too few pages", reached: seen, needed: fewest, unit };
  }
  if (isSink) {
    const [share, most] = [wrong / (right + wrong), GATES.sinkWrong];
    if (share > most || wrong >= GATES.sinkPages) {
      return { why: "wrong too often", reached: 1 - share, needed: 1 - most, unit: "share" };
    }
    return null;
  }
  let [n, alike] = [0, 0];
  for (const tally of types.values()) {
    n += tally.right + tally.wrong;
    alike += tally.right;
  }
  const ok = Math.min(n, alike / equality);
  if (isVersionLike(rule)) {
    const reached = wilson(ok, n, GATES.versionPoint);
    if (reached < GATES.versionBound) {
      return { why: "version-like", reached, needed: GATES.versionBound, unit: "share" };
    }
  }
  const reached = wilson(ok, n, GATES.boundPoint);
  if (reached < GATES.bound) {
    return { why: "wrong too often", reached, needed: GATES.bound, unit: "share" };
  }
  for (const tally of types.values()) {
    const all = tally.right + tally.wrong;
    const most = 1 - wilson(all - Math.min(all, tally.right / equality), all, GATES.typePoint);
    if (tally.wrong > 0 && most < GATES.typeBound) {
      return {
        why: "wrong for a page type",
        reached: most,
        needed: GATES.typeBound,
        unit: "share",
      };
    }
  }
  return null;
}

/** Returns the evidence of a selected rule, by what it would do if it were the only one. */
export function evidenceOf({ declared, effect }: Counted, isDeclared: boolean): Evidence {
  const { right, wrong } = isDeclared ? declared : effect;
  const n = right + wrong;
  return { level: isDeclared ? "E1" : "E2", n, ok: right, lb: roundedBound(right, n) };
}
