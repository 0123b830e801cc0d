import { expect, test } from "vitest";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";

test("order and space are spelled in one way where neither rule alone makes two URLs one", () => {
  const pages = many(60, (n) => ({
    [`/forum?sort=asc&order=Last+reply&page=${n}`]: `page ${n}`,
    [`/forum?page=${n}&sort=asc&order=Last%20reply`]: `page ${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([
    "a.org\t/forum\tsub %20 => +",
    "a.org\t/forum\tsort",
  ]);
});

test("a parameter that means nothing goes, though the others come in another order", () => {
  const given = records(
    many(60, (n) => ({
      [`/index.php?area=stats;u=${n}`]: `stats ${n}`,
      [`/index.php?u=${n};area=stats;seen`]: `stats ${n}`,
    })),
  );
  expect(appliedRules(learnNow(given).rules, given)).toEqual({ right: 60, wrong: 0 });
});

test("the order of parameters stays where it says what is shown", () => {
  const pages = many(60, (n) => ({
    [`/diff?a=${n}&b=1&s`]: `from ${n}`,
    [`/diff?b=1&a=${n}`]: `to ${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});
