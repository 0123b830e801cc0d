import type { Rule } from "../../site-rules/rule.ts";
import type { ChangeFinder } from "../count/changes.ts";
import { counterOf } from "../count/counted.ts";
import type { Stage } from "../site/stage.ts";
import { wilson } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { isVersionLike } from "../thresholds/version-like.ts";

/** Is the share of URLs, one of so many, that tells whether a rule is left out early, and the URLs from which that is worth it. */
const ONE = 16;
const MIN_URLS = 20_000;
/** Is the point of the bound: one in two thousand such rules is refused by chance. */
const POINT = 3.3;

/**
 * Returns a test of rules that could take versions for one: whether a part of the URLs tells that the rule is refused.
 * The documents of a library have hundreds of such rules, each of which changes a large part of the site.
 */
export function prunedVersions(stage: Stage, finder: ChangeFinder): (rule: Rule) => boolean {
  const { count } = stage.nodes;
  const counter = counterOf(stage);
  // Nodes are in the order of their texts, so neighbours are alike.
  const isSampled = (node: number) => (Math.imul(node, 0x9e3779b1) >>> 16) % ONE === 0;
  const sample = Int32Array.from({ length: count }, (_, node) => node).filter(isSampled);
  return (rule) => {
    if (count < MIN_URLS || !isVersionLike(rule)) return false;
    const changes = finder.changesAmong(sample, rule);
    const { right, wrong } = counter.count(rule, changes).effect;
    finder.forget(changes);
    return 1 - wilson(wrong, right + wrong, POINT) < THRESHOLDS.versionBound;
  };
}
