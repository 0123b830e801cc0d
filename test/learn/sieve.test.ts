import { expect, test } from "vitest";
import { noEffect } from "../../src/learn/count/components.ts";
import type { Counted } from "../../src/learn/count/counted.ts";
import { RuleFilter } from "../../src/learn/select/rule-filter.ts";
import { parseRule } from "../../src/site-rules/index.ts";

/** A rule that makes so many merges right and wrong, in groups of two. */
function counted(right: number, wrong: number, rare = 0): Counted {
  const effect = { ...noEffect(), right, wrong, rightGroups: right, wrongGroups: wrong };
  const rule = parseRule("a.org\t*\tdrop sid");
  const types = new Map([[0, { right, wrong }]]);
  return {
    rule,
    before: [],
    effect,
    types,
    rare,
    changed: right,
    declared: noEffect(),
    examples: [],
  } as unknown as Counted;
}

const keptOf = (rules: readonly Counted[], total = 1000): boolean[] => {
  const filter = new RuleFilter({ equality: 1, changed: 0, total, page: new Int32Array(100) });
  return rules.map((rule) => filter.keeps(rule));
};

test("a rule that fingerprints speak for is kept, and one with too few pages is not", () => {
  expect(keptOf([counted(100, 0), counted(4, 0)])).toEqual([true, false]);
});

test("of doubtful rules those are kept that can be among the eight with most right merges", () => {
  const ascending = Array.from({ length: 12 }, (_, at) => counted(100 + at, 50));
  expect(keptOf(ascending)).toEqual(ascending.map(() => true));
  const descending = ascending.toReversed();
  expect(keptOf(descending)).toEqual(descending.map((_, at) => at < 8));
});

test("a doubtful rule with as many right merges as the eighth is kept in any order", () => {
  const equal = Array.from({ length: 12 }, () => counted(100, 50));
  expect(keptOf(equal)).toEqual(equal.map(() => true));
});

test("all rules are kept where no page is known", () => {
  expect(keptOf([counted(0, 0)], 0)).toEqual([true]);
});

test("clean rules with few merges are kept while they change no more URLs than eight others may", () => {
  // A hundred rules of eight URLs each, on a site of a hundred URLs.
  const clean = Array.from({ length: 120 }, () => counted(8, 0, 8));
  expect(keptOf([...Array.from({ length: 8 }, () => counted(90, 9)), ...clean])).toEqual([
    ...new Array(108).fill(true),
    ...new Array(20).fill(false),
  ]);
});
