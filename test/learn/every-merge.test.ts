import { expect, test } from "vitest";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";
import { atLength } from "../shared/length.ts";

/** Writes a number in letters, so that no rule can copy it. */
function letters(n: number): string {
  return String(n).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] as string);
}

test("a number that names an item stays, though the rule is right where it stands in the middle", () => {
  const given = records(
    many(40, (t) => ({
      [`/item=${t}`]: `item ${t}`,
      [`/item=${t}/ref=${7 * t + 1}`]: `item ${t}`,
      [`/item=${t}/ref=${11 * t + 3}`]: `item ${t}`,
    })),
    "shop.org",
  );
  const { rules } = learnNow(given);
  const { right, wrong } = appliedRules(rules, given);
  expect([right, wrong]).toEqual([80, 0]);
});

const LISTS = atLength(100, 400);

test("posts of a home page stay, though lists of many directories ignore the same parameter", () => {
  // Each post has another URL too, so none would be lost.
  const posts = many(40, (n) => ({
    [`/?p=${n}`]: `post ${n}`,
    [`/post/${letters(n)}/`]: `post ${n}`,
  }));
  const lists = many(LISTS, (n) => ({
    [`/tag/t${n}/?p=${n}`]: `list ${n}`,
    [`/tag/t${n}/?p=${n + 7}`]: `list ${n}`,
    [`/tag/t${n}/?p=${n + 13}`]: `list ${n}`,
    [`/tag/t${n}/`]: `list ${n}`,
  }));
  const given = records({ ...posts, ...lists });
  const { rules } = learnNow(given, { maxPageLoss: 0.2 });
  const { right, wrong } = appliedRules(rules, given);
  expect([right, wrong]).toEqual([3 * LISTS, 0]);
});

const PAGES = atLength(195, 585);

test("two names of a release are not one where a third of their pages differ", () => {
  const docs = many(PAGES, (n) => {
    const own = n < Math.floor(0.66 * PAGES) ? `f${n}` : `f${n} of stable`;
    return {
      [`/stable/f${n}`]: own,
      [`/latest/f${n}`]: `f${n}`,
      // Each page has another URL, so none would be lost.
      [`/print/${letters(n)}/s.pdf`]: own,
      [`/print/${letters(n)}/l.pdf`]: `f${n}`,
    };
  });
  expect(learnLines(records(docs)).filter((line) => /stable|latest|<T>/.test(line))).toEqual([]);
});

/** Fewer than the budget would have for all pages together. */
const LOST = atLength(3, 12);

test("many pictures do not pay for lost articles", () => {
  const articles = many(300, (n) => ({
    [`/a.php?id=${n}`]: `article ${n}`,
    [`/a.php?id=${n}&x=1`]: n < LOST ? `other ${n}` : `article ${n}`,
  }));
  const pictures = many(atLength(3_000, 20_000), (n) => ({ [`/img/${n}.png`]: `picture ${n}` }));
  const given = records({ ...articles, ...pictures });
  const { rules } = learnNow(given);
  expect(appliedRules(rules, given).wrong).toBe(0);
});

const PAIRS = atLength(200, 1000);

test("wrong merges have a budget too, where no page would be lost", () => {
  const pages = many(PAIRS, (n) => ({
    [`/t?id=${n}`]: `p${n}`,
    [`/t?id=${n}&x=1`]: n % 20 === 7 ? `q${n}` : `p${n}`,
    [`/print/${n}`]: n % 20 === 7 ? `q${n}` : `p${n}`,
  }));
  const given = records(pages);
  expect(appliedRules(learnNow(given).rules, given).wrong).toBeLessThan(10);
  expect(appliedRules(learnNow(given, { maxPageLoss: 0.05 }).rules, given).wrong).toBe(PAIRS / 20);
});
