import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { type Skip, SkipFilter, writeRules } from "../../src/site-rules/index.ts";
import { articles, calendar, facets, mixed, sessions } from "../proofs/learn-quality/made-up.ts";
import { learnNow, records } from "../shared/learn-site.ts";
import { atLength, testAtLength } from "../shared/length.ts";

const DAY = "2026-11-28";
const now = Date.parse(DAY);

const exhausted = (given: readonly LearnRecord[]): readonly Skip[] =>
  learnNow(given, { exhausted: DAY }).skips;
const linesOf = (skips: readonly Skip[]): string[] =>
  writeRules([], "tsv", skips).trimEnd().split("\n").slice(1);

/**
 * Learns from half of the URLs, then fetches the rest in another order, but for what the rules merge and their lines skip.
 * Counts the fetches that brought no new page, without rules and with them, and pages that were not fetched at all.
 */
function crawl(all: readonly LearnRecord[]) {
  const at = (url: string, seed: number) =>
    mixed([...url].reduce((sum, c) => mixed(sum + c.charCodeAt(0)), seed));
  const known = all.filter(({ url }) => at(url, 1) % 2 === 0);
  const rest = all.filter(({ url }) => at(url, 1) % 2 === 1);
  const { rules, skips } = learnNow(known, { exhausted: DAY });
  const file = writeRules(rules, "tsv", skips);
  const filter = new SkipFilter(file, ["exhausted"], { now });
  // The same lines, but no URL in twenty passes.
  const strict = new SkipFilter(file.replaceAll(`exhausted ${DAY}`, "noindex"), ["noindex"]);
  const n = createNormalizer({ rules: file });
  const run = (key: (url: string) => string, isSkipped: (key: string) => boolean) => {
    const keys = new Set(known.map(({ url }) => key(url)));
    const pages = new Set(known.map(({ fp }) => fp));
    let useless = 0;
    for (const { url, fp } of rest.toSorted((a, b) => at(a.url, 2) - at(b.url, 2))) {
      if (keys.has(key(url)) || isSkipped(key(url))) continue;
      keys.add(key(url));
      if (pages.has(fp)) useless++;
      pages.add(fp);
    }
    return { useless, pages: pages.size };
  };
  const total = new Set(all.map(({ fp }) => fp)).size;
  const uselessBefore = run(
    (url) => url,
    () => false,
  ).useless;
  const key = (url: string) => n.normalize(url);
  const after = run(key, (url) => filter.why(url) !== null);
  const uselessStrict = run(key, (url) => strict.why(url) !== null).useless;
  const lost = (total - after.pages) / total;
  return { uselessBefore, uselessAfter: after.useless, uselessStrict, lost };
}

// In short runs, skip-lines.test.ts asks which URLs pass, and the tests below learn the lines.
testAtLength(
  "of the useless fetches of traps, rules and lines save 95 % and more, and lose next to no page",
  () => {
    const crawls = [calendar, facets, sessions].map((trap) =>
      crawl([...articles(1000), ...trap()]),
    );
    for (const { uselessBefore, uselessStrict, lost } of crawls) {
      expect(uselessBefore).toBeGreaterThan(1800);
      // One URL in twenty passes on purpose; but for these, each trap is left out.
      expect(uselessStrict / uselessBefore).toBeLessThanOrEqual(0.05);
      expect(lost).toBeLessThanOrEqual(0.0005);
    }
    const total = (of: "uselessBefore" | "uselessAfter") =>
      crawls.reduce((sum, each) => sum + each[of], 0);
    expect(total("uselessAfter") / total("uselessBefore")).toBeLessThanOrEqual(0.05);
  },
);

test("a line has the shape after the rules, the day, and the bound of URLs that brought nothing", () => {
  expect(linesOf(exhausted([...articles(400), ...sessions()]))).toEqual([
    "a.org\t/visit/...\texhausted 2026-11-28\tfingerprint n=4000 ok=3960 lb=.9864",
  ]);
});

test("nothing is written unasked, and a day that is not one is refused", () => {
  expect(learnNow(atLength(pattern(200, 0), sessions())).skips).toEqual([]);
  for (const day of ["today", "2026-13-01", "", "2026-11-28\tx"])
    expect(() => learnNow([], { exhausted: day })).toThrow(
      expect.objectContaining({ code: "BAD_OPTION" }),
    );
});

/** A pattern of so many URLs, of which so many bring a page of their own, and all others one of three. */
const pattern = (count: number, own: number) =>
  records(
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `/p/${mixed(n).toString(36)}`,
        n < own ? `own${n}` : `all${mixed(n) % 3}`,
      ]),
    ),
  );

describe("a pattern is exhausted if less than one URL in twenty brings a new page, with 95 % confidence:", () => {
  test.each([
    [90, 0, 0],
    [200, 0, 1],
    [1000, 20, 1],
    [1000, 45, 0],
    ...atLength([], [[4000, 150, 1]]),
  ])("%i URLs, %i with a page of their own", (count, own, lines) => {
    expect(exhausted(pattern(count, own))).toHaveLength(lines);
  });
});

test("an article that is new each time is not a pattern that is exhausted, beside one that is", () => {
  const skips = exhausted([
    ...Array.from({ length: 2000 }, (_, n) => ({
      url: `http://a.org/x/${mixed(n).toString(36)}?v=1`,
      fp: `cls:${n % 3}`,
    })),
    ...Array.from({ length: 60 }, (_, n) => ({
      url: `http://a.org/news/${mixed(n).toString(36)}?v=1`,
      fp: `cls:news${n}`,
    })),
  ]);
  // 3 % of the URLs with v are news, which would all be lost.
  expect(linesOf(skips).map((line) => line.split("\t")[1])).toEqual(["/x/... ?v=1"]);
});

describe("what was first is told", () => {
  /** Two patterns with the same pages. */
  const both = (first: "a" | "b" | null, ts: (place: number) => string) =>
    Array.from({ length: atLength(300, 600) }, (_, n) =>
      (["a", "b"] as const).map((name) => ({
        url: `http://a.org/${name}/${mixed(n + (name === "a" ? 0 : 5000)).toString(36)}`,
        fp: `cls:${n}`,
        ...(first === null ? {} : { ts: ts(name === first ? n : 1000 + n) }),
      })),
    ).flat();
  const shapes = (given: readonly LearnRecord[]) =>
    linesOf(exhausted(given)).map((line) => line.split("\t")[1]);

  test.each([
    ["a date", (n: number) => new Date(1.7e12 + n * 1000).toISOString()],
    [
      "a time of CDX",
      (n: number) =>
        `202611281${String(n)
          .padStart(5, "0")
          .replace(/[6-9](?=\d$|\d{3}$)/g, "5")}`,
    ],
    ["the number of a line", (n: number) => String(n)],
  ])("by ts, %s", (_, ts) => {
    expect(shapes(both("a", ts))).toEqual(["/b/..."]);
    expect(shapes(both("b", ts).toReversed())).toEqual(["/a/..."]);
  });

  test("by a shuffle if a record has no time, whatever the order of the list", () => {
    const given = both(null, String);
    expect(shapes(given)).toEqual([]);
    const [first, ...others] = both("a", String) as [LearnRecord, ...LearnRecord[]];
    expect(shapes([{ url: first.url, fp: first.fp as string }, ...others])).toEqual([]);
    expect(shapes([{ ...first, ts: "yesterday" }, ...others])).toEqual([]);
    const sorted = given.toSorted((a, b) => (a.url < b.url ? -1 : 1));
    expect(exhausted(sorted)).toEqual(exhausted(given));
  });
});

test("pages that change, fail or are soft errors do not count as seen before", () => {
  const changing = Array.from({ length: 400 }, (_, n) =>
    [0, 1].map((capture) => ({
      url: `http://a.org/c/${mixed(n).toString(36)}`,
      fp: `cls:${capture === 0 ? "x" : `own${n}`}`,
    })),
  ).flat();
  expect(exhausted(changing)).toEqual([]);
});
