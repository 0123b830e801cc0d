import { entryOf } from "../../base/tallies.ts";
import type { Evidence, Rule } from "../../site-rules/rule.ts";
import type { Tallied } from "../count/counted.ts";
import { MOST_CONTRADICTED } from "../site/known.ts";
import type { Pages } from "../site/pages.ts";
import { mostChanged, roundedBound, upperPoint, wilson } from "./bound.ts";
import { isVersionLike, replacesValue } from "./version-like.ts";

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

/** Holds, for each kind of rule, the normal points that its bounds are taken at. */
export type Points = ReadonlyMap<string, KindPoints>;

interface KindPoints {
  readonly point: number;
  /** The point of clean rules. */
  readonly clean: number;
}

function pointFor(counted: Tallied, isRight: boolean, points: Points): number {
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
function rightOf(types: Tallied["types"], equality: number): { ok: number; n: number } {
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
