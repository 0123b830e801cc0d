import type { Evidence } from "../../site-rules/rule.ts";
import type { Tallied } from "../count/counted.ts";
import type { Pages } from "../site/pages.ts";
import { mostChanged, roundedBound, upperPoint, wilson } from "./bound.ts";
import { type Points, pointFor, rightOf } from "./kind-points.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { isVersionLike } from "./version-like.ts";

/** Says why a rule was not selected, with the figure that it reached and the one that it needed. */
export interface Refusal {
  /** Names the reason. */
  readonly why:
    | "too few pages"
    | "too few to tell"
    | "wrong too often"
    | "wrong for a page type"
    | "version-like"
    | "too many exceptions"
    | "nothing left to merge"
    | "over the budget";
  /** Gives the figure of the rule. */
  readonly reached: number;
  /** Gives what the figure had to be: at least this, or for a budget and exceptions at most this. */
  readonly needed: number;
  /** Says what the figures are: a lower bound of the share of right merges, or a count. */
  readonly unit: "share" | "pages" | "merges" | "exceptions";
}

/**
 * Returns whether a site declares what a rule does (`declared`): often enough, with next to nothing against it, and no
 * fingerprints that say otherwise.
 */
export function isDeclaredBySite({ rule, declared, effect }: Tallied): boolean {
  const groups = effect.rightGroups + effect.wrongGroups;
  return (
    rule.action.type !== "sink" &&
    declared.rightGroups >= THRESHOLDS.declarations &&
    declared.wrongGroups <= THRESHOLDS.against * declared.rightGroups &&
    declared.unknown <= Math.max(THRESHOLDS.undeclared * declared.right, effect.right) &&
    effect.wrongGroups <= THRESHOLDS.contradiction * groups
  );
}

/** Returns why fingerprints do not speak for a rule (`fingerprint`), or null if they do. */
export function whyNot(
  counted: Tallied,
  { equality, changed }: Pick<Pages, "equality" | "changed">,
  points: Points = new Map(),
): Refusal | null {
  const { rule, effect, types, examples } = counted;
  const { right, wrong, rightGroups } = effect;
  const isSink = rule.action.type === "sink";
  const seen = isSink ? right : rightGroups;
  const fewest = isSink ? THRESHOLDS.sinkUrls : THRESHOLDS.classes;
  if (seen < fewest) {
    const unit = isSink ? "merges" : "pages";
    return { why: "too few pages", reached: seen, needed: fewest, unit };
  }
  if (isSink) {
    const others = Math.max(0, wrong - mostChanged(right + wrong, changed));
    const [share, most] = [others / (right + wrong), THRESHOLDS.sinkWrong];
    if (share > most || others >= THRESHOLDS.sinkPages) {
      return shareOf("wrong too often", 1 - share, 1 - most);
    }
    return null;
  }
  const { ok, n } = rightOf(types, equality);
  if (isVersionLike(rule, examples)) {
    const reached = wilson(ok, n, THRESHOLDS.versionPoint);
    if (reached < THRESHOLDS.versionBound)
      return shareOf("version-like", reached, THRESHOLDS.versionBound);
  }
  const reached = wilson(ok, n, pointFor(counted, ok >= n, points));
  if (reached < THRESHOLDS.bound)
    return shareOf(ok < n ? "wrong too often" : "too few to tell", reached, THRESHOLDS.bound);
  const point = upperPoint(THRESHOLDS.typeTail / types.size);
  for (const tally of types.values()) {
    const all = tally.right + tally.wrong;
    const most = 1 - wilson(all - Math.min(all, tally.right / equality), all, point);
    if (tally.wrong > 0 && most < THRESHOLDS.typeBound)
      return shareOf("wrong for a page type", most, THRESHOLDS.typeBound);
  }
  return null;
}

function shareOf(why: Refusal["why"], reached: number, needed: number): Refusal {
  return { why, reached, needed, unit: "share" };
}

/** Returns the evidence of a selected rule, by what it would do if it were the only one. */
export function evidenceOf({ declared, effect }: Tallied, isDeclared: boolean): Evidence {
  const { right, wrong } = isDeclared ? declared : effect;
  const n = right + wrong;
  const level = isDeclared ? "declared" : "fingerprint";
  return { level, n, ok: right, lb: roundedBound(right, n) };
}
