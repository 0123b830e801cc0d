import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { unpackSite } from "../../src/learn/collect/packed-site.ts";
import { buildSite } from "../../src/learn/collect/site-draft.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";

const records: LearnRecord[] = [
  { url: "http://b.org/" },
  { url: "http://a.org/1", fp: "text:é", size: 7 },
  { url: "http://a.org/1", fp: "text:\u{1F600}\n\t", size: 9 },
  { url: "https://a.org/1?x=%20", fp: "cls:1", robots: "noindex" },
  { url: "http://a.org/2", redirect: "https://c.org/2" },
  { url: "https://a.org/2", canonical: "http://a.org/2" },
  { url: "http://a.org/3", canonical: "/1", shortlink: "/?3", self: ["/5#a9", "/6#a9", "/5#b"] },
  { url: "http://a.org/1?z&a=2", noVarySearch: 'key-order, params=("z")' },
];

function collected(): SiteCollector {
  const collector = new SiteCollector();
  collector.add(records);
  return collector;
}

test("a site that was sent to another thread is the site that was collected", () => {
  const sent = [...structuredClone([...collected().packedSites()])].map((packed) =>
    buildSite(unpackSite(packed)),
  );
  expect(sent).toEqual([...collected().sites()]);
  expect(sent[0]?.known.statements).toMatchObject({
    targets: ["/1", "/?3", "/5", "/6"],
    kinds: ["canonical", "shortlink", "#a<N>", "#b"],
  });
});

test("packed sites come with the largest first, and are forgotten", () => {
  const collector = collected();
  expect(collector.sizes().toSorted()).toEqual([1, 7]);
  expect([...collector.packedSites()].map(({ name }) => name)).toEqual(["a.org", "b.org"]);
  expect(collector.sizes()).toEqual([]);
});
