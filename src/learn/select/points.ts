import type { Tallied } from "../count/counted.ts";
import { upperPoint } from "./bound.ts";
import { GATES } from "./gates.ts";

/** Holds, for each type of action, the normal point that its bounds are taken at. */
export type Points = ReadonlyMap<string, number>;

/**
 * Returns the points of bounds, corrected for the rules that were tried (Benjamini and Hochberg 1995): where most rules of
 * one type of action are wrong, a few are right by coincidence, so the share of these among the accepted is limited.
 */
export function pointsOf(tried: Iterable<Tallied>, equality: number): Points {
  const scores = new Map<string, number[]>();
  for (const { rule, effect, types } of tried) {
    if (rule.action.type === "sink" || effect.rightGroups < GATES.classes) continue;
    const known = scores.get(rule.action.type);
    const score = scoreOf(types.values(), equality);
    if (known === undefined) scores.set(rule.action.type, [score]);
    else known.push(score);
  }
  return new Map([...scores].map(([type, own]) => [type, pointOf(own)]));
}

/** Returns how many standard errors the share of right merges is above the bound. */
function scoreOf(types: Iterable<{ right: number; wrong: number }>, equality: number): number {
  let [n, right] = [0, 0];
  for (const tally of types) {
    n += tally.right + tally.wrong;
    right += tally.right;
  }
  const share = Math.min(n, right / equality) / n;
  return (share - GATES.bound) / Math.sqrt((GATES.bound * (1 - GATES.bound)) / n);
}

function pointOf(scores: number[]): number {
  scores.sort((a, b) => b - a);
  const pointAt = (rank: number) =>
    Math.max(GATES.boundPoint, upperPoint((GATES.boundTail * rank) / scores.length));
  const last = scores.findLastIndex((score, at) => score >= pointAt(at + 1));
  return pointAt(Math.max(1, last + 1));
}
