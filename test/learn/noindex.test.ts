import { learn } from "urlmill/learn";
import { describe, expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import {
  countSite,
  EvidenceReader,
  mineSite,
  selectSites,
  writeEvidenceLines,
} from "../../src/learn/index.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { SkipFilter, writeRules } from "../../src/site-rules/index.ts";
import { learnNow } from "../shared/learn-site.ts";

/** Pages of one shape, each with a fingerprint of its own. */
const pages = (count: number, target: (n: number) => string, robots?: string): LearnRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    url: `http://a.org${target(n)}`,
    fp: `cls:${target(n)}`,
    ...(robots === undefined ? {} : { robots }),
  }));
const word = (n: number) => [...String(n * 7919 + 10)].map((d) => "abcdefghij"[Number(d)]).join("");
const title = (n: number) => `/wiki/${word(n)}`;

/** The lines of URLs to skip of these records, without evidence. */
function linesOf(records: readonly LearnRecord[]): string[] {
  const { skips } = learnNow(records);
  return writeRules(
    [],
    "tsv",
    skips.map((skip) => ({ ...skip, evidence: null })),
  )
    .trimEnd()
    .split("\n")
    .slice(1);
}

test("shapes whose pages say noindex are lines of the file, with the known URLs as evidence", () => {
  const { skips, rules } = learnNow([
    ...pages(60, title, "index, follow"),
    ...pages(40, (n) => `/w/index.php?title=${word(n)}&action=edit`, "noindex,nofollow"),
    ...pages(40, (n) => `/w/index.php?title=${word(n)}&action=view`),
    ...pages(20, (n) => `/print/${n}`, "none"),
  ]);
  expect(writeRules(rules, "tsv", skips)).toBe(
    [
      "#urlmill-rules 1",
      "a.org\t/print/<N>\tnoindex\tdeclared n=20 ok=20 lb=.8388",
      "a.org\t/w/index.php ?action=edit\tnoindex\tdeclared n=40 ok=40 lb=.9123",
      "",
    ].join("\n"),
  );
});

test("records in any order, on any number of threads, give the same lines", async () => {
  const records = [
    ...pages(30, (n) => `/print/${n}`, "noindex"),
    ...pages(30, (n) => `/show?id=${n}&view=mail`, "noindex"),
    ...pages(30, (n) => `/show?id=${n}`),
    { url: "http://b.org/", fp: "cls:b" },
  ];
  const expected = learnNow(records).skips;
  expect(expected).toHaveLength(2);
  expect(learnNow(records.toReversed()).skips).toEqual(expected);
  expect((await learn(records, { threads: 2 })).skips).toEqual(expected);
});

describe("a shape is written from ten pages on, of which one in a hundred may be for indexes:", () => {
  const shape = (noindex: number, others: number) =>
    linesOf([
      ...pages(noindex, (n) => `/a/${word(n)}`, "noindex"),
      ...pages(others, (n) => `/a/${word(n + 500)}`, "all"),
    ]);
  const LINE = ["a.org\t/a/...\tnoindex"];
  test.each([
    [9, 0, []],
    [10, 0, LINE],
    [98, 1, []],
    [99, 1, LINE],
    [197, 2, []],
    [198, 2, LINE],
  ])("%i without, %i with", (noindex, others, lines) => {
    expect(shape(noindex, others)).toEqual(lines);
  });
});

describe("what counts", () => {
  const print = (n: number) => `/print/${word(n)}`;
  const withOther = (other: Partial<LearnRecord>) =>
    linesOf([...pages(30, print, "noindex"), { url: `http://a.org${print(77)}`, ...other }]).length;

  test("is pages that were read: one that says nothing is for indexes", () => {
    expect(withOther({ fp: "cls:x", robots: "noindex" })).toBe(1);
    expect(withOther({ fp: "cls:x" })).toBe(0);
    expect(withOther({ robots: "follow" })).toBe(0);
    expect(withOther({ size: 7 })).toBe(0);
    expect(withOther({ status: 200 })).toBe(0);
  });

  test("is not URLs that were not fetched, errors, redirects and refreshes", () => {
    expect(withOther({})).toBe(1);
    expect(withOther({ status: 404, fp: "cls:x" })).toBe(1);
    expect(withOther({ status: 301, redirect: "/", fp: "cls:x" })).toBe(1);
    expect(withOther({ refresh: "/", fp: "cls:x" })).toBe(1);
    expect(linesOf(pages(30, print, "noindex").map((each) => ({ ...each, status: 404 })))).toEqual(
      [],
    );
  });

  test("is all captures of a URL, but for logs, which do not know what pages say", () => {
    const again = (more: Partial<LearnRecord>) =>
      linesOf([
        ...pages(30, print, "noindex"),
        { url: `http://a.org${print(7)}`, status: 200, ...more },
      ]).length;
    expect(again({ fp: "cls:x" })).toBe(0);
    expect(again({ robots: "index" })).toBe(0);
    expect(again({ size: 100 })).toBe(1);
  });

  test("is words of robots, not parts of words", () => {
    for (const robots of [
      "NoIndex",
      "follow,noindex",
      "none",
      "max-snippet:-1, noindex",
      "noindex;x",
    ])
      expect(linesOf(pages(10, print, robots))).toHaveLength(1);
    for (const robots of [
      "noindexing",
      "x-noindex",
      "nonexistent",
      "noimageindex",
      "no index",
      "-",
    ])
      expect(linesOf(pages(10, print, robots))).toEqual([]);
  });
});

test("shapes are of URLs after the rules, as a crawl has them", () => {
  const records = Array.from({ length: 40 }, (_, n) => [
    { url: `http://a.org/t?id=${n}`, fp: `cls:${n}` },
    { url: `http://a.org/t?id=${n}&s=${n * 7919}`, fp: `cls:${n}`, robots: "noindex" },
    { url: `http://a.org/mail?id=${n}&s=${n * 7919}`, fp: `cls:m${n}`, robots: "noindex" },
    { url: `http://a.org/mail?id=${n}`, fp: `cls:m${n}`, robots: "noindex" },
  ]).flat();
  const { rules, skips } = learnNow(records);
  expect(writeRules(rules)).toContain("drop s");
  expect(linesOf(records)).toEqual(["a.org\t/mail ?id\tnoindex"]);
  const filter = new SkipFilter(writeRules(rules, "tsv", skips), ["noindex"]);
  expect(filter.why("http://a.org/t?id=7")).toBeNull();
  expect(filter.why("http://a.org/mail?id=99")).toBe("noindex");
});

describe("a wider shape is written instead of narrow ones", () => {
  const edits = (scripts: number) =>
    Array.from({ length: scripts }, (_, at) => [
      ...pages(12, (n) => `/${word(at)}?t=${word(n)}&action=edit`, "noindex"),
      ...pages(12, (n) => `/${word(at)}?t=${word(n)}`),
    ]).flat();

  test("if several of them, or of other URLs, speak for it", () => {
    expect(linesOf(edits(5))).toEqual(["a.org\t* ?action=edit\tnoindex"]);
    expect(linesOf(edits(4))).toHaveLength(4);
    const alone = pages(1, () => "/other?action=edit", "noindex");
    expect(linesOf([...edits(1), ...alone])).toEqual(["a.org\t/ba ?action=edit\tnoindex"]);
  });

  test("but not if what they leave of it is for indexes", () => {
    const view = pages(3, (n) => `/view?t=${n}&action=edit`, "index");
    const lines = linesOf([...edits(40), ...view]);
    expect(lines).toHaveLength(40);
    expect(lines.every((line) => !line.includes("\t* "))).toBe(true);
  });
});

test("hostile URLs and claims make no line that is refused, and none for another site", () => {
  const odd = [
    "/a*b/...",
    "/<N>/x",
    "/%3Cb%3E/...",
    "/a/?=x",
    "/a?&&;;=",
    "/a?%3D=1",
    "/\u{1f4a9}/",
    "//x//y",
  ];
  const records = odd.flatMap((path, at) =>
    pages(12, (n) => `${path}${path.includes("?") ? "&" : "?"}k${at}=${n}`, "noindex"),
  );
  const { skips } = learnNow(records);
  const file = writeRules([], "tsv", skips);
  const filter = new SkipFilter(file, ["noindex"]);
  expect(skips.length).toBeGreaterThan(0);
  expect(new Set(skips.map(({ site }) => site))).toEqual(new Set(["a.org"]));
  expect(filter.why("http://b.org/a/?=x")).toBeNull();
});

test("files of evidence and sites that move to another host give none", () => {
  const print = (n: number) => `/print/${word(n)}`;
  const collector = new SiteCollector();
  collector.add(pages(30, print, "noindex"));
  const reader = new EvidenceReader();
  for (const site of collector.sites())
    for (const line of writeEvidenceLines(countSite(site, mineSite(site)))) reader.add(line);
  expect(selectSites(reader.sites()).skips).toEqual([]);
  const moved = Array.from({ length: 5 }, (_, n) => ({
    url: `http://a.org/x${n}`,
    status: 301,
    redirect: `http://b.org/x${n}`,
  }));
  expect(linesOf([...pages(30, print, "noindex"), ...moved])).toEqual([]);
});
