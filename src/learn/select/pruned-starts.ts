import { entryOf } from "../../base/tallies.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { counterOf } from "../count/counted.ts";
import { changesOfAll } from "../count/settled.ts";
import { countRedundant } from "../site/pages.ts";
import type { Stage } from "../site/stage.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";

/**
 * Returns a test of the rules that a bundle starts with. It is true if they alone make so many merges wrong that the
 * bundle is refused even if it merges all that is redundant: more rules never make a wrong merge right.
 */
export function prunedStarts(stage: Stage): (rules: readonly Rule[]) => boolean {
  const { nodes, pages } = stage;
  const counter = counterOf(stage);
  const known = new Map<string, boolean>();
  const right = countRedundant(pages.page) / pages.equality;
  return (rules) => {
    const lines = rules.map(writeRule).join("\n");
    return entryOf(known, lines, () => {
      const { effect } = counter.count(rules.at(-1) as Rule, changesOfAll(rules, nodes));
      return right < THRESHOLDS.bound * (right + effect.wrong);
    });
  };
}
