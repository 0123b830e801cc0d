import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { ChangeFinder } from "../../src/learn/count/changes.ts";
import { prunedVersions } from "../../src/learn/mine/mine-site.ts";
import { firstStage } from "../../src/learn/site/stage.ts";
import { parseRule } from "../../src/site-rules/index.ts";

/** Documents of classes: version 7 is 07 too, and version 8 changed one page of three. */
const docs = (classes: number) =>
  Array.from({ length: classes }, (_, n) => [
    { url: `http://a.org/lib/7/C${n}.html`, fp: `cls:${n}` },
    { url: `http://a.org/lib/07/C${n}.html`, fp: `cls:${n}` },
    { url: `http://a.org/lib/8/C${n}.html`, fp: `cls:${n % 3 === 0 ? `new ${n}` : n}` },
  ]).flat();

function prunedOf(classes: number): (action: string) => boolean {
  const collector = new SiteCollector();
  collector.add(docs(classes));
  const [site] = [...collector.sites()];
  if (site === undefined) throw new Error("no site");
  const stage = firstStage(site.name, site.nodes, site.known);
  const finder = new ChangeFinder(stage.nodes);
  const pruned = prunedVersions(stage, finder);
  return (action) => pruned(parseRule(`a.org\t*\t${action}`));
}

const ofLarge = prunedOf(8000);

test("of a large site a part of the URLs tells that a rule takes versions for one", () => {
  expect(ofLarge("sub /8/ => /7/")).toBe(true);
  expect(ofLarge("sub /07/ => /7/")).toBe(false);
});

test("a small site, and a rule that is not about versions, are counted in whole", () => {
  expect(prunedOf(500)("sub /8/ => /7/")).toBe(false);
  expect(ofLarge("sub .html => .htm")).toBe(false);
});
