import { entryOf } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Tallied } from "../count/counted.ts";
import { upperPoint } from "./bound.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { replacesValue } from "./version-like.ts";

/** Holds, for each kind of rule, the normal points that its bounds are taken at. */
export type Points = ReadonlyMap<string, KindPoints>;

interface KindPoints {
  readonly point: number;
  /** The point of clean rules. */
  readonly clean: number;
}

/** Returns the point of a rule. `isRight`: whether none of its merges is wrong. */
export function pointFor(counted: Tallied, isRight: boolean, points: Points): number {
  const { point, clean } = points.get(kindOf(counted.rule)) ?? {
    point: THRESHOLDS.boundPoint,
    clean: THRESHOLDS.boundPoint,
  };
  return isRight && mayBeClean(counted) ? clean : point;
}

/**
 * Returns whether few right merges may be enough for a rule: of pages that few URLs show, of a rule that removes something, and
 * does not rename many URLs to merge a few. Orders and values that are the same for some lists are not for all.
 */
export function mayBeClean({
  rule,
  rare,
  changed,
  effect,
}: Pick<Tallied, "rule" | "rare" | "changed" | "effect">): boolean {
  return (
    rare >= THRESHOLDS.classes &&
    effect.right + effect.unknown >= THRESHOLDS.cleanMerges * changed &&
    rule.action.type !== "sort" &&
    !replacesValue(rule)
  );
}

/** Names the kind of a rule: its action, and how many of the names and tests in it were chosen, as far as that is few. */
function kindOf({ action, condition: { params } }: Rule): string {
  const names = "params" in action ? action.params.length : 0;
  return `${action.type} ${Math.min(names, 2)} ${Math.min(params.length, 2)}`;
}

/**
 * Returns the points of bounds, corrected for the rules that were tried (Benjamini and Hochberg 1995): where most rules
 * of one kind are wrong, a few are right by coincidence, so the share of these among the accepted is limited. Rules
 * that do the same count once.
 *
 * A rule that is wrong for a fifth is right in five of five once in three times, and then seen as one that is mostly right
 * twice. So where a kind has clean rules and hardly any that are mostly right, the clean ones are right by more than chance.
 */
export function pointsOf(tried: Iterable<Tallied>, equality: number): Points {
  const shares = new Map<string, Map<string, Share>>();
  for (const tallied of tried) {
    const { rule, effect, types, examples } = tallied;
    if (rule.action.type === "sink" || effect.rightGroups < THRESHOLDS.classes) continue;
    const own = entryOf(shares, kindOf(rule), () => new Map());
    const share = { ...rightOf(types, equality), mayBeClean: mayBeClean(tallied) };
    own.set(JSON.stringify([effect, examples]), share);
  }
  return new Map(
    [...shares].map(([kind, own]) => {
      const point = pointOf([...own.values()].map(scoreOf));
      return [kind, { point, clean: areClean([...own.values()]) ? THRESHOLDS.cleanPoint : point }];
    }),
  );
}

/** Says how many of the URLs that a rule changes keep their page. */
interface Share {
  readonly ok: number;
  readonly n: number;
  readonly mayBeClean: boolean;
}

/** Returns how many standard errors the share of right ones is above the bound. */
function scoreOf({ ok, n }: Share): number {
  return (ok / n - THRESHOLDS.bound) / Math.sqrt((THRESHOLDS.bound * (1 - THRESHOLDS.bound)) / n);
}

function areClean(shares: readonly Share[]): boolean {
  const clean = shares.filter(({ ok, n, mayBeClean }) => mayBeClean && ok >= n).length;
  const mostlyRight = shares.filter(({ ok, n }) => ok < n && 2 * ok >= n).length;
  return clean >= THRESHOLDS.cleanRules && mostlyRight <= THRESHOLDS.boundTail * clean;
}

/** Returns how many of so many URLs that a rule changes keep their page, but for pages that change by themselves. */
export function rightOf(types: Tallied["types"], equality: number): { ok: number; n: number } {
  let [n, right] = [0, 0];
  for (const tally of types.values()) {
    n += tally.right + tally.wrong;
    right += tally.right;
  }
  return { ok: Math.min(n, right / equality), n };
}

function pointOf(scores: number[]): number {
  scores.sort((a, b) => b - a);
  const pointAt = (rank: number) =>
    Math.max(THRESHOLDS.boundPoint, upperPoint((THRESHOLDS.boundTail * rank) / scores.length));
  const last = scores.findLastIndex((score, at) => score >= pointAt(at + 1));
  return pointAt(Math.max(1, last + 1));
}
