import { describe, expect, test } from "vitest";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";
import { sampleOf } from "../shared/length.ts";
import { PAIR_FORMS, pairSite } from "../shared/pair-forms.ts";

/** What learning does not find: a year that a URL has more may be an edition. */
const NOT_FOUND: readonly string[] = ["dated permalinks"];
const FOUND = Object.keys(PAIR_FORMS).filter((name) => !NOT_FOUND.includes(name));

function judge(name: string): { known: number; later: number; wrong: number } {
  const { known, later } = pairSite(PAIR_FORMS[name] as (typeof PAIR_FORMS)[string]);
  const { rules } = learnNow(known);
  const { right, wrong } = appliedRules(rules, [...known, ...later]);
  const { right: own } = appliedRules(rules, known);
  return { known: own, later: right - own, wrong };
}

test("the list has 34 forms", () => {
  expect(Object.keys(PAIR_FORMS)).toHaveLength(34);
});

describe("a form of pairs is learned, holds for later pages, and merges no others", () => {
  test.each(sampleOf(FOUND, 6))("%s", (name) => {
    expect(judge(name)).toEqual({ known: 100, later: 100, wrong: 0 });
  });
});

test.each(NOT_FOUND)("%s stay as they are", (name) => {
  expect(judge(name)).toEqual({ known: 0, later: 0, wrong: 0 });
});

test("words that come again before a number are not titles", () => {
  const pages = many(60, (n) => ({
    [`/docs/${n}`]: `p${n}`,
    [`/docs/${n % 2 === 0 ? "first-edition" : "second-edition"}/${n}`]: `p${n}`,
  }));
  const lines = learnLines(records(pages));
  expect(lines.filter((line) => line.includes("<T>"))).toEqual([]);
});

test("a parameter that comes twice with two values stays", () => {
  const pages = many(60, (n) => ({
    [`/view?id=${n}`]: `p${n}`,
    [`/view?id=${n}&id=${n}`]: `p${n}`,
    [`/view?id=${n}&id=${n + 1}`]: `both ${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});

test("a number after a title stays where pages differ by their titles", () => {
  const pages = many(60, (n) => ({
    [`/threads/${n % 20}/`]: `thread ${n % 20}`,
    [`/threads/a-title-${"abc"[n % 3]}.${n % 20}/`]: n < 10 ? `thread ${n % 20}` : `part ${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});
