import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { counterOf } from "../../src/learn/count/counted.ts";
import { changesOfAll } from "../../src/learn/count/settled.ts";
import { mineBundles } from "../../src/learn/mine/bundles.ts";
import { prunedStarts } from "../../src/learn/select/pruned-starts.ts";
import { firstStage } from "../../src/learn/site/stage.ts";
import { whyNot } from "../../src/learn/thresholds/refusal.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { Random } from "../shared/random.ts";

test("a bundle that is not counted would be refused, and others are counted", () => {
  const random = new Random(3);
  const records = Array.from({ length: 300 }, (_, topic) => {
    const [forum, sid] = [topic % 7, random.below(2 ** 30)];
    const post = 1000 + 3 * topic;
    const page = { fp: `cls:${topic}` };
    return [
      { url: `http://a.org/t?f=${forum}&t=${topic}`, ...page },
      { url: `http://a.org/t?f=${forum}&p=${post}`, ...page },
      { url: `http://a.org/t?t=${topic}&f=${forum}&sid=${sid}`, ...page },
    ];
  }).flat();
  const collector = new SiteCollector();
  collector.add(records);
  let [pruned, open] = [0, 0];
  for (const { name, nodes, known } of collector.sites()) {
    const stage = firstStage(name, nodes, known);
    const isHopeless = prunedStarts(stage);
    for (const rules of mineBundles(stage)) {
      const before = rules.slice(0, -1);
      if (!isHopeless(before)) {
        open++;
        continue;
      }
      pruned++;
      const changes = changesOfAll(rules, nodes);
      const counted = counterOf(stage).count(rules.at(-1) as Rule, changes, before);
      expect(whyNot(counted, stage.pages)).not.toBeNull();
    }
  }
  expect(pruned).toBeGreaterThan(0);
  expect(open).toBeGreaterThan(0);
});
