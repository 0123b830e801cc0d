import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { isVersionLike } from "../../src/learn/mine/version-like.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import { evaluate } from "../proofs/learn-quality/evaluate.ts";
import { learned, methods } from "../proofs/learn-quality/methods.ts";
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

test("a list of files by name, date and size is one list only where it is", () => {
  expect(ruleLines(learnSite("autoindex")).join("\n")).toMatch(/C=[DN]/);
  expect(merges("autoindex").wrong).toBe(0);
});

test("a blog's pictures beside a page do not make it another", () => {
  expect(ruleLines(learnSite("blog"))).toEqual(["shiftingpixel.com\t*\tdrop showimage"]);
});

test("no version of a manual is taken for another", () => {
  const { rules } = learnSite("versions");
  expect(rules.filter(isVersionLike)).toEqual([]);
  expect(merges("versions").wrong).toBe(0);
});

// In short runs, exceptions.test.ts applies rules to messages that arrive after they were learned.
testAtLength("rules hold on what they were not learned from, and baselines fare worse", () => {
  const urls = readSite("forum").map(({ url, fp = "", size }) => ({ url, page: fp, size }));
  const site = { name: "forum", urls };
  const options = { seed: "test", fold: "thresholds" } as const;
  const own = evaluate(learned(0.001), site, options).byUrl;
  expect(own.right / own.redundant).toBeGreaterThan(0.8);
  expect(own.wrong).toBeLessThan(0.01 * own.right);
  const nutch = methods(0.001).find(({ name }) => name.startsWith("Nutch"));
  const theirs = evaluate(nutch as NonNullable<typeof nutch>, site, options).byUrl;
  expect(theirs.right).toBeLessThan(own.right);
});
