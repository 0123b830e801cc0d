import { expect, test } from "vitest";
import { learnNow, many, readSite, records } from "../shared/learn-site.ts";
import { testAtLength } from "../shared/length.ts";

const pages = many(40, (n) => ({ [`/t?id=${n}`]: `p${n}`, [`/t?id=${n}&sid=${n}`]: `p${n}` }));
const urls = records(pages).map(({ url }) => ({ url }));

test("URLs alone give proposals, not rules", () => {
  const { rules, sites } = learnNow(urls);
  expect(sites[0]?.selected).toEqual([]);
  expect(rules[0]).toMatchObject({
    action: { type: "drop", params: ["sid"] },
    evidence: { level: "pattern", n: 40, ok: 0 },
  });
});

test("sizes that are equal make better ones", () => {
  const sized = urls.map(({ url }) => ({
    url,
    size: 1000 + 17 * Number(/id=(\d+)/.exec(url)?.[1]),
  }));
  expect(learnNow(sized).rules[0]).toMatchObject({
    action: { type: "drop", params: ["sid"] },
    evidence: { level: "size", n: 40, ok: 40 },
  });
});

test("sizes that differ make none", () => {
  const sized = urls.map(({ url }, index) => ({ url, size: 1000 + 100 * index }));
  expect(learnNow(sized).rules).toEqual([]);
});

test("a size that most URLs have says nothing of them, so that no rule makes one of a site", () => {
  const walled = (size: (n: number) => number) =>
    Array.from({ length: 120 }, (_, n) => [
      { url: `http://a.org/t?id=${n}`, size: size(n) },
      { url: `http://a.org/t?id=${n}&tab=${n % 3}`, size: size(n + 1) },
      { url: `http://a.org/p/${n}`, size: 512 },
    ]).flat();
  const sized = (size: (n: number) => number) =>
    learnNow(walled(size)).rules.filter(({ evidence }) => evidence?.level === "size");
  expect(sized(() => 512)).toEqual([]);
  expect(sized((n) => (n % 4 > 0 ? 512 : 1000 + 50 * n))).toEqual([]);
  expect(sized((n) => 1000 + (n >> 1) * 50)).toEqual([]);
});

testAtLength("sizes find what a blog's pictures are", () => {
  const given = readSite("blog").map(({ url, size = 0 }) => ({ url, size }));
  expect(learnNow(given).rules[0]).toMatchObject({
    action: { type: "drop", params: ["showimage"] },
  });
});

test("URLs alone propose no rule that could take versions for one", () => {
  const given = Array.from({ length: 80 }, (_, n) => ({
    url: `http://a.org/docs/${n % 2 === 0 ? "1.4" : "2.0"}/page${n >> 1}`,
  }));
  expect(learnNow(given).rules).toEqual([]);
});
