import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import { writeRule } from "../../src/site-rules/language/rule-line.ts";
import { learnNow, many, readSite, records } from "../shared/learn-site.ts";
import { sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

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

test("proposals differ: a variant that merges the same URLs is left out", () => {
  const more = Array.from({ length: 30 }, (_, n) => [
    ...["", "?ref=feed", "?ref=home"].map((ref) => ({ url: `http://a.org/blog/${n}/${ref}` })),
    ...["", "&amp=1"].map((amp) => ({ url: `http://a.org/t?id=${n}${amp}` })),
  ]).flat();
  const { rules } = learnNow([...urls, ...more]);
  expect(rules.map((rule) => writeRule(rule).split("\t")[2])).toEqual([
    "drop sid",
    "drop amp",
    "drop ref",
  ]);
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

interface Sized {
  readonly url: string;
  readonly size: number;
}

/** Returns how many URLs are left after the proposals by sizes. */
function leftAfter(given: readonly Sized[]): number {
  const n = createNormalizer({ rules: writeRules(learnNow(given).rules), accept: "size" });
  return new Set(n.normalizeBatch(given.map(({ url }) => url)).urls).size;
}

/** Calls with the number of an item, and with a size for each of 200 of them. */
function items(seed: number, urlsOf: (random: Random, id: number) => readonly string[]): Sized[] {
  const random = new Random(seed);
  return Array.from({ length: 200 }, (_, id) => {
    const size = 1000 + random.below(50_000);
    return urlsOf(random, id).map((target) => ({ url: `http://shop.org${target}`, size }));
  }).flat();
}

/** Returns 32 hexadecimal digits. */
function session(random: Random): string {
  return Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
}

test.each(sampleOf([1, 2, 3, 4], 4))(
  "sizes make no path one by a word beside any name (seed %i)",
  (seed) => {
    const given = items(seed, (random, id) => {
      const sids = Array.from({ length: 3 + random.below(5) }, () => `&sid=${session(random)}`);
      return ["", ...sids].map((sid) => `/item.php?id=${id}${sid}`);
    });
    expect(leftAfter(given)).toBe(200);
  },
);

test("sizes that are right on one path make no other path one", () => {
  const given = items(1, (random, id) => [
    `/item.php?p=${id}`,
    `/forum.php?f=${id}`,
    ...Array.from({ length: 20 }, () => `/forum.php?f=${id}&p=${session(random)}`),
  ]);
  const left = learnNow(given).rules.map(({ action }) => action);
  expect(left).not.toContainEqual({ type: "drop", params: ["p"] });
  expect(leftAfter(given)).toBeGreaterThanOrEqual(400);
});

test.each([
  [140, 1],
  [170, 0],
])("sizes propose no rule that is wrong in a sixth of its merges: %i of 1,000", (wrong, rules) => {
  const given = Array.from({ length: 1000 }, (_, id) => [
    { url: `http://a.org/t?id=${id}`, size: 1000 + 50 * id },
    { url: `http://a.org/t?id=${id}&tab=2`, size: 1000 + 50 * id + (id < wrong ? 777 : 0) },
  ]);
  expect(learnNow(given.flat()).rules).toHaveLength(rules);
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
