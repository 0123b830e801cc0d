import { describe, expect, test } from "vitest";
import { detectFormat } from "../../src/formats/detect-format.ts";
import { createNormalizer } from "../../src/index.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { isVersionLike } from "../../src/learn/thresholds/version-like.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import { type Evaluation, evaluate } from "../proofs/learn-quality/evaluate.ts";
import { readLabelledSite } from "../proofs/learn-quality/labelled-site.ts";
import { learned, type Method, methods } from "../proofs/learn-quality/methods.ts";
import { learnNow, readSite, ruleLines } from "../shared/learn-site.ts";
import { testAtLength } from "../shared/length.ts";

type SiteName = Parameters<typeof readSite>[0];

const found = new Map<SiteName, ReturnType<typeof learnNow>>();

/** Learns a site once. */
function learnSite(name: SiteName): ReturnType<typeof learnNow> {
  const known = found.get(name) ?? learnNow(readSite(name));
  found.set(name, known);
  return known;
}

/** Merges of URLs with one page, and with different pages, when keys are made by learned rules. */
function merges(name: SiteName): { right: number; wrong: number } {
  const records = readSite(name);
  const rules = writeRules(learnSite(name).rules);
  const { urls } = createNormalizer({ rules }).normalizeBatch(records.map(({ url }) => url));
  const pageOf = new Map<string, string | undefined>();
  let right = 0;
  let wrong = 0;
  for (const [index, { fp }] of records.entries()) {
    const key = urls[index] as string;
    if (!pageOf.has(key)) pageOf.set(key, fp);
    else if (pageOf.get(key) === fp) right++;
    else wrong++;
  }
  return { right, wrong };
}

describe("a forum", () => {
  test("loses its defaults, its order and its login pages", () => {
    const lines = ruleLines(learnSite("forum"));
    expect(lines.join("\n")).toContain("drop highlight,postdays,postorder");
    expect(lines.join("\n")).toMatch(/privmsg.*sink|sink \/login\.php/);
  });

  test("has next to no wrong merges under the rules as they are applied", () => {
    const { right, wrong } = merges("forum");
    expect(right).toBeGreaterThan(900);
    expect(wrong).toBeLessThanOrEqual(1);
  });
});

// In short runs, determinism.test.ts learns a list of files, and learn.test.ts has parameters and versions.
testAtLength("a list of files by name, date and size is one list only where it is", () => {
  expect(ruleLines(learnSite("autoindex")).join("\n")).toMatch(/C=[DN]/);
  expect(merges("autoindex").wrong).toBe(0);
});

testAtLength("a blog's pictures beside a page do not make it another", () => {
  expect(ruleLines(learnSite("blog"))).toEqual(["shiftingpixel.com\t*\tdrop showimage"]);
});

testAtLength("no version of a manual is taken for another", () => {
  const { rules } = learnSite("versions");
  expect(rules.filter((rule) => isVersionLike(rule))).toEqual([]);
  expect(merges("versions").wrong).toBe(0);
});

// In short runs, exceptions.test.ts applies rules to messages that arrive after they were learned.
testAtLength(
  "rules hold on what they were not learned from, and baselines fare worse",
  async () => {
    const urls = readSite("forum").map(({ url, fp = "", size }) => ({ url, page: fp, size }));
    const site = { name: "forum", urls };
    const options = { seed: "test", fold: "thresholds" } as const;
    const byUrl = async (method: Method) =>
      ((await evaluate(method, site, options))[0] as Evaluation).byUrl;
    const own = await byUrl(learned(0.001));
    expect(own.right / own.redundant).toBeGreaterThan(0.8);
    expect(own.wrong).toBeLessThan(0.01 * own.right);
    const nutch = methods(0.001).find(({ name }) => name.startsWith("Nutch"));
    const theirs = await byUrl(nutch as Method);
    expect(theirs.right).toBeLessThan(own.right);
  },
);

describe("the judge reads labels as others publish them:", () => {
  const judged = (text: string) =>
    readLabelledSite("list", text).urls.map(({ url, page }) => [url, page]);
  /** Returns what is learned from such lines of 30 pages, each with and without a parameter. */
  const rulesOf = (line: (url: string, digest: string) => string) => {
    const text = Array.from({ length: 30 }, (_, n) =>
      ["", `&s=${n}`].map((more) => line(`http://a.org/?t=${n}${more}`, `D${n}`)).join(""),
    ).join("");
    const reader = new RecordReader(detectFormat(text, "-"));
    return ruleLines(learnNow(reader.push(Buffer.from(text), true)));
  };

  test("the index of Common Crawl, whose captures of pages have digests", () => {
    const line = (url: string, status: string, digest: string) =>
      `org,a)/ 20260101000000 ${JSON.stringify({ url, mime: "text/html", status, digest, length: "9", filename: "x.warc.gz" })}\n`;
    const text = [
      line("http://a.org/", "200", "AAA"),
      line("http://a.org/?s", "200", "AAA"),
      line("http://a.org/gone", "404", "AAA"),
    ].join("");
    expect(judged(text)).toEqual([
      ["http://a.org/", "AAA"],
      ["http://a.org/?s", "AAA"],
    ]);
    expect(rulesOf((url, digest) => line(url, "200", digest))).toEqual(["a.org\t/\tdrop s"]);
  });

  test("the answers of its server, of which learn makes rules as they come", () => {
    const line = (url: string, digest: string) =>
      `${JSON.stringify({ urlkey: "org,a)/", timestamp: "20260101000000", url, mime: "text/html", status: "200", digest, length: "9", offset: "7", filename: "x.warc.gz", languages: "eng", encoding: "UTF-8" })}\n`;
    expect(judged(line("http://a.org/", "AAA"))).toEqual([["http://a.org/", "AAA"]]);
    expect(rulesOf(line)).toEqual(["a.org\t/\tdrop s"]);
  });

  test("the documents of RedPajama-V2, of which learn makes rules as they come", () => {
    const line = (url: string, digest: string) =>
      `${JSON.stringify({ url, date_download: "2023-01-01T00:00:00Z", digest: `sha1:${digest}`, length: 4, raw_content: "text" })}\n`;
    expect(judged(line("http://a.org/", "AAA") + line("http://a.org/?s", "BBB"))).toEqual([
      ["http://a.org/", "AAA"],
      ["http://a.org/?s", "BBB"],
    ]);
    expect(rulesOf(line)).toEqual(["a.org\t/\tdrop s"]);
  });

  test("simhashes, of which near ones are one page, and rows that are not HTML", () => {
    const rows = ["/a\t0000000000000000\t9", "/b\t0000000000000001\t9", "/c\tffffffffffffffff\t-1"];
    const text = ["url\tsim\tnsh", ...rows.map((row) => `http://a.org${row}`)].join("\n");
    expect(judged(text)).toEqual([
      ["http://a.org/a", "near 0"],
      ["http://a.org/b", "near 0"],
    ]);
    expect(() => judged("url\tfp\nhttp://a.org/\t\n")).toThrow("not one URL has a fingerprint");
  });
});
