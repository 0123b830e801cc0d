import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Evidence, Rule } from "../../site-rules/rule.ts";
import { addEffect, Components, type Effect, noEffect } from "../count/components.ts";
import type { Counted } from "../count/counted.ts";
import { isVersionLike } from "../mine/version-like.ts";
import { type Pages, selfEquality } from "../site/pages.ts";
import { corrected, roundedBound, wilson } from "./bound.ts";

/**
 * Holds the least that evidence must reach. The numbers were set on the thresholds' fifth of the
 * developer's sites.
 */
export const GATES = {
  /** Different pages whose URLs a rule makes one, each without another page. */
  classes: 5,
  /** Declarations of the site. */
  declarations: 3,
  /** Declarations against a rule, for each one that speaks for it: one odd redirect cancels few. */
  against: 0.05,
  /** URLs of a sink. */
  sinkUrls: 20,
  /** Share of right groups, its lower bound corrected for the number of rules counted. */
  bound: 0.5,
  /** Limits, like `bound`, rules that could take versions for one. */
  versionBound: 0.99,
  /** Merges that no declaration tells of, for each one that it does: a rule must not reach far beyond. */
  undeclared: 10,
  /** Share of groups with different fingerprints that a declaration can stand against. */
  contradiction: 0.05,
};

/** Pages that a rule is taken to lose beyond those seen, when rules are put in order. */
const PRIOR = 0.1;

/** Says why a rule was not selected. */
export type Refusal =
  | "too few pages"
  | "wrong too often"
  | "nothing left to merge"
  | "over the budget";

/** Holds the rules of a site that were selected and those that were refused. */
export interface Selection {
  /** In the order they were selected, with evidence. */
  readonly rules: readonly Rule[];
  /** What they were counted as. */
  readonly selected: readonly Counted[];
  readonly refused: readonly { readonly counted: Counted; readonly why: Refusal }[];
  /** What all selected rules do together. */
  readonly effect: Effect;
}

interface Open {
  readonly counted: Counted;
  readonly line: string;
  readonly isDeclared: boolean;
  effect: Effect;
}

/** Picks the rules of a site that remove most and lose least, until `budget` pages are lost. */
export function selectRules(
  counted: readonly Counted[],
  pages: Pages,
  declared: Pages,
  budget: number,
): Selection {
  const state = new Components(pages);
  const declaredState = new Components(declared);
  const z = corrected(counted.length);
  const equality = selfEquality(pages);
  const refused: { counted: Counted; why: Refusal }[] = [];
  const open: Open[] = [];
  for (const candidate of counted) {
    const isDeclared = isDeclaredBySite(candidate);
    const why = isDeclared ? null : whyNot(candidate, z, equality);
    if (why === null) {
      open.push({
        counted: candidate,
        line: writeRule(candidate.rule),
        isDeclared,
        effect: candidate.effect,
      });
    } else if (candidate.effect.right > 0) {
      refused.push({ counted: candidate, why });
    }
  }
  const rules: Rule[] = [];
  const selected: Counted[] = [];
  const all = noEffect();
  while (open.length > 0) {
    const entry = takeBest(open, state);
    const { isDeclared, effect, counted } = entry;
    const left = isDeclared ? declaredState.effect(counted.merges) : effect;
    if (left.right < (isDeclared ? GATES.declarations : GATES.classes)) {
      refused.push({ counted, why: "nothing left to merge" });
    } else if (all.lost + effect.lost > budget) {
      refused.push({ counted, why: "over the budget" });
    } else {
      addEffect(all, effect);
      state.merge(counted.merges);
      declaredState.merge(counted.merges);
      selected.push(counted);
      rules.push({ ...counted.rule, evidence: evidenceOf(entry) });
    }
  }
  return { rules, selected, refused, effect: all };
}

/** Takes out what is worth most now; what was counted before others were selected is counted again. */
function takeBest(open: Open[], state: Components): Open {
  for (;;) {
    open.sort(byWorth);
    const [first, second] = open as [Open, Open?];
    first.effect = state.effect(first.counted.merges);
    const isLittle = !first.isDeclared && first.effect.right < GATES.classes;
    if (isLittle || second === undefined || byWorth(first, second) <= 0)
      return open.shift() as Open;
  }
}

function byWorth(a: Open, b: Open): number {
  return (
    Number(b.isDeclared) - Number(a.isDeclared) ||
    worth(b.effect) - worth(a.effect) ||
    breadth(a.counted.rule) - breadth(b.counted.rule) ||
    a.line.length - b.line.length ||
    (a.line < b.line ? -1 : 1)
  );
}

/** Orders rules that do the same: one that says what goes comes before one that says what stays. */
function breadth({ action, condition }: Rule): number {
  if (action.type === "keep") return 2;
  return action.type === "sink" && condition.path === null ? 1 : 0;
}

function worth({ right, lost }: Effect): number {
  return right <= 0 ? 0 : right / (lost + PRIOR);
}

/** E1: enough declarations, next to none against, and no fingerprints that say otherwise. */
function isDeclaredBySite({ rule, declared, effect }: Counted): boolean {
  const groups = effect.rightGroups + effect.wrongGroups;
  return (
    rule.action.type !== "sink" &&
    declared.rightGroups >= GATES.declarations &&
    declared.wrongGroups <= GATES.against * declared.rightGroups &&
    declared.unknown <= Math.max(GATES.undeclared * declared.right, effect.right) &&
    effect.wrongGroups <= GATES.contradiction * groups
  );
}

/** E2: null where fingerprints speak for the rule. */
function whyNot({ rule, effect }: Counted, z: number, equality: number): Refusal | null {
  const { right, wrong, rightGroups, wrongGroups } = effect;
  if (rule.action.type === "sink") {
    if (right < GATES.sinkUrls) return "too few pages";
    return wilson(right, right + wrong, z) < GATES.bound ? "wrong too often" : null;
  }
  if (rightGroups < GATES.classes) return "too few pages";
  const groups = rightGroups + wrongGroups;
  const ok = Math.min(groups, rightGroups / equality);
  const bound = isVersionLike(rule) ? GATES.versionBound : GATES.bound;
  if (wilson(ok, groups, z) >= bound) return null;
  return wilson(groups, groups, z) < bound ? "too few pages" : "wrong too often";
}

function evidenceOf({ isDeclared, counted }: Open): Evidence {
  const { right, wrong } = isDeclared ? counted.declared : counted.effect;
  const n = right + wrong;
  return { level: isDeclared ? "E1" : "E2", n, ok: right, lb: roundedBound(right, n) };
}
