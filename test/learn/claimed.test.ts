import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnLines, learnNow, many, readSite, records } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";

/** A forum whose parameter `action` means nothing to topics, and all to a search for a user. */
const FORUM = records({
  ...many(200, (n) => ({
    [`/index.php?topic=${n}`]: `topic ${n}`,
    [`/index.php?topic=${n}&action=view`]: `topic ${n}`,
  })),
  ...many(60, (n) => ({
    [`/index.php?action=finduser&u=${n + 900}`]: "login",
    [`/index.php?u=${n}`]: `profile ${n}`,
  })),
  "/login": "login",
});

/** Two URLs of a page never differ in one thing: in their session, or in both session and suffix. */
const SUFFIXES = records(
  many(80, (n) => ({
    [`/p/${n}?s=${7919 * n + 1}`]: `p${n}`,
    [`/p/${n}?s=${104_729 * n + 2}`]: `p${n}`,
    [`/p/${n}.html?s=${1_299_709 * n + 3}`]: `p${n}`,
  })),
);

describe("what is claimed is what the written rules do", () => {
  test.each([
    ...atLength([], [
      ["a forum", readSite("forum")],
      ["an index of files", readSite("autoindex")],
      ["a blog", readSite("blog")],
    ] as const),
    ["rules that hide one another", FORUM],
    ["rules that work on what others leave", SUFFIXES],
  ] as const)("on %s", (_, given) => {
    const distinct = [...new Map(given.map((record) => [record.url, record])).values()];
    for (const maxPageLoss of sampleOf([0.05, 0.001], 2)) {
      const { rules, sites } = learnNow(distinct, { maxPageLoss });
      const claimed = sites.reduce((sum, { effect }) => sum + effect.right, 0);
      const wrong = sites.reduce((sum, { effect }) => sum + effect.wrong, 0);
      expect(appliedRules(rules, distinct)).toEqual({ right: claimed, wrong });
    }
  });
});

test("each rule changes URLs after the rules before it", () => {
  for (const given of [FORUM, ...atLength([], [SUFFIXES, readSite("forum")])]) {
    const { rules } = learnNow(given, { maxPageLoss: 0.01 });
    const urls = given.map(({ url }) => url);
    for (const at of rules.keys()) {
      const before = createNormalizer({ preset: "safe", rules: writeRules(rules.slice(0, at)) });
      const after = createNormalizer({ preset: "safe", rules: writeRules(rules.slice(0, at + 1)) });
      expect(after.normalizeBatch(urls).urls).not.toEqual(before.normalizeBatch(urls).urls);
    }
  }
});

test("a rule that drops a parameter does not hide a sink that asks for it", () => {
  const { sites } = learnNow(FORUM);
  expect(sites[0]?.effect).toMatchObject({ right: 260, wrong: 0 });
});

test("what rules make of URLs is mined again", () => {
  expect(learnLines(SUFFIXES)).toEqual([
    "a.org\t/p/<N>\tdrop s",
    "a.org\t/p/<N>.html\tsub /<N>.html?s=<N><$> => /<1>",
  ]);
});
