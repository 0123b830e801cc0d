import { describe, expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { countSite } from "../../src/learn/count/counted.ts";
import { EvidenceReader, writeEvidenceLines } from "../../src/learn/count/evidence-file.ts";
import { selectSites } from "../../src/learn/learn.ts";
import { mineSite } from "../../src/learn/mine/mine-site.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { learnNow, readSite } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

function shuffled<T>(given: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  const list = [...given];
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
  return list;
}

function collected(records: readonly LearnRecord[]): SiteCollector {
  const collector = new SiteCollector();
  collector.add(records);
  return collector;
}

/** Lines of evidence of one part of a list. */
function count(records: readonly LearnRecord[], rules: readonly Rule[]): string[] {
  return [...collected(records).sites()].flatMap((site) => [
    ...writeEvidenceLines(
      countSite(
        site,
        rules.filter((rule) => rule.site === site.name).map((rule) => ({ rule })),
      ),
    ),
  ]);
}

describe.each(sampleOf(["autoindex", "forum", "blog"] as const, 3))("%s", (name) => {
  const declared = [1, 2, 3, 4].map((n) => ({
    url: `http://www.example.org/${n}`,
    redirect: `http://example.org/${n}`,
  }));
  const records = [...readSite(name), ...declared];
  const expected = writeRules(learnNow(records).rules);

  test("has rules", () => {
    expect(expected.split("\n").length).toBeGreaterThan(3);
  });

  test("the same records in any order give the same rules", () => {
    for (const seed of atLength([1], [1, 2, 3])) {
      expect(writeRules(learnNow(shuffled(records, seed)).rules)).toBe(expected);
    }
  });

  test("mined, counted in parts and selected they are the same", () => {
    const rules = [...collected(records).sites()].flatMap((site) =>
      mineSite(site).map(({ rule }) => rule),
    );
    for (const parts of atLength([2], [1, 2, 7])) {
      const mixed = shuffled(records, parts);
      const reader = new EvidenceReader();
      for (let part = 0; part < parts; part++) {
        const own = mixed.filter((_, index) => index % parts === part);
        for (const line of count(own, rules)) reader.add(line);
      }
      expect(writeRules(selectSites(reader.sites()).rules)).toBe(expected);
    }
  });
});

/** Selects by parts of a list, with the rules that all of it gives. */
function selected(parts: readonly (readonly LearnRecord[])[]) {
  const rules = [...collected(parts.flat()).sites()].flatMap((site) =>
    mineSite(site).map(({ rule }) => rule),
  );
  const reader = new EvidenceReader();
  for (const part of parts) for (const line of count(part, rules)) reader.add(line);
  return selectSites(reader.sites());
}

test("parts in any order give the same rules, and the same examples of them", () => {
  // Whether a rule could take versions for one is told by its examples: the words of the first URLs are ids.
  const records = Array.from({ length: 40 }, (_, n) => {
    const [url, fp] = [`http://a.org/t${n + 10}`, `cls:${n}`];
    const id = n < 20 ? `k${n}abcdefghijklmnopqrstu` : `ab${n}z`;
    return [
      { url, fp },
      { url: `${url}/sid/${id}`, fp },
      { url: `${url}?sid=${id}`, fp },
      { url: `${url}?ref=${id}`, fp },
    ];
  }).flat();
  const parts = [records.slice(80), records.slice(0, 80)];
  const found = [parts, parts.toReversed()].map((own) => selected(own).sites[0]?.selected);
  expect(found[0]).toEqual(learnNow(records).sites[0]?.selected);
  expect(found[1]).toEqual(found[0]);
  expect(found[0]?.map(({ rule }) => rule.action.type).toSorted()).toEqual(["drop", "sub"]);
});

const each = (make: (number: number) => LearnRecord): LearnRecord[] =>
  Array.from({ length: 12 }, (_, number) => make(number));

test.each<[string, LearnRecord[], LearnRecord[], RegExp]>([
  [
    "a redirect from https to http, and another page that the URL names later",
    each((n) => ({ url: `https://a.org/x${n}?s=1`, redirect: `http://a.org/x${n}?s=1` })),
    each((n) => ({ url: `https://a.org/x${n}?s=1`, canonical: `/x${n}` })),
    /\/x<N>\tdrop s\tdeclared/,
  ],
  [
    "a No-Vary-Search, and another page that the URL names later",
    each((n) => ({ url: `http://a.org/x?id=${n}&s=1`, noVarySearch: 'params=("s")' })),
    each((n) => ({
      url: `http://a.org/x?id=${n}&s=1`,
      canonical: `https://a.org/x?id=${n}&s=1`,
    })),
    /scheme https\tdeclared/,
  ],
  [
    "two captures with two headers",
    each((n) => ({ url: `http://a.org/x?id=${n}&a&b`, noVarySearch: 'params=("a")' })),
    each((n) => ({ url: `http://a.org/x?id=${n}&a&b`, noVarySearch: 'params=("b")' })),
    /\/x\tdrop b\tdeclared/,
  ],
  [
    "two captures with two headers of one action",
    each((n) => ({ url: `http://a.org/x?id=${n}&b=2&a`, noVarySearch: "key-order" })),
    each((n) => ({ url: `http://a.org/x?id=${n}&b=2&a`, noVarySearch: 'key-order, params=("a")' })),
    /\/x\tsort\tdeclared/,
  ],
])("%s give the same rules in any order, and in parts", (_, some, others, rule) => {
  const expected = writeRules(learnNow([...some, ...others]).rules);
  expect(expected).toMatch(rule);
  expect(writeRules(learnNow([...others, ...some]).rules)).toBe(expected);
  expect(writeRules(selected([some, others]).rules)).toBe(expected);
  expect(writeRules(selected([others, some]).rules)).toBe(expected);
});

describe("evidence", () => {
  const lines = count(readSite("autoindex"), []);

  test.each([
    ["another kind", "what\ta.org", /no line of evidence/],
    ["a URL of another site", "url\ta.org\thttp://b.org/\t-\t-\t-", /is not a URL of a.org/],
    ["something else than a hash", "url\ta.org\thttp://a.org/\t-\t-\tnone", /is not a hash/],
    [
      "something else than a size",
      (lines[0] as string).replace(/\t\d+\t\d+\t/, "\t-1\t7\t"),
      /is not a number/,
    ],
    ["something else than a rule", "rule\ta.org\t*\tgo", /no action/],
    ["an action that does not exist", "vary\ta.org\tgo", /no action/],
    ["a change before any rule", `to\t${"0".repeat(16)}\t${"0".repeat(16)}`, /no line of evidence/],
  ])("refuses %s", (_, line, message) => {
    expect(() => new EvidenceReader().add(line)).toThrowError(message);
  });

  test("of a change of a URL that is not there is refused", () => {
    const reader = new EvidenceReader();
    reader.add("rule\ta.org\t*\tdrop x");
    reader.add(`to\t${"0".repeat(16)}\t${"0".repeat(16)}`);
    expect(() => [...reader.sites()]).toThrowError(/is not a URL of the site/);
  });
});
