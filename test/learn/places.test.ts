import { expect, test } from "vitest";
import { learnLines, many, records } from "../shared/learn-site.ts";

/** Lists of which eight pages have entries; later pages show the name of the list alone. */
const lists = (count: number, targetOf: (list: number, page: number) => string) =>
  records(
    many(count, (n) =>
      Object.fromEntries(
        [1, 2, 7, 8, 9, 10].map((page) => [
          targetOf(n * 31, page),
          page < 8 ? `page ${page} of ${n}` : `${n} has no more`,
        ]),
      ),
    ),
  );

test("pages after the last of a list are not one with another page of it", () => {
  // A longer list, which is not known yet, has entries there.
  const rules = learnLines(lists(18, (n, page) => `/list?id=${n}&page=${page}&view=all`));
  expect(rules).toEqual([]);
});

/** Lists whose first page has two numbers. */
const firstPages = (count: number) =>
  records(
    many(count, (n) => ({
      [`/list?id=${n * 31}&page=0`]: `page 1 of ${n}`,
      [`/list?id=${n * 31}&page=1`]: `page 1 of ${n}`,
      [`/list?id=${n * 31}&page=2`]: `page 2 of ${n}`,
    })),
  );

test("but the first page may have two numbers", () => {
  expect(learnLines(firstPages(30))).toHaveLength(1);
});

test("a value for another pays for values that are not seen, and a parameter that goes does not", () => {
  expect(learnLines(firstPages(60), 0.001)).toHaveLength(1);
  // What is left of a hundredth of a page is less than one merge in a thousand loses.
  expect(learnLines(firstPages(60), 0.0001)).toEqual([]);
  const sessions = many(60, (n) => ({
    [`/t?id=${n}`]: `${n}`,
    [`/t?id=${n}&sid=${n * 7}`]: `${n}`,
  }));
  expect(learnLines(records(sessions), 0.0001)).toHaveLength(1);
});

test("a rule for a value names its parameter", () => {
  const rules = learnLines(
    records(
      many(40, (n) => ({
        [`/list?sort=likes&id=${n * 31}`]: `list ${n}`,
        [`/list?sort=date&id=${n * 31}`]: `list ${n}`,
        [`/list?sort=name&id=${n * 31}`]: `list ${n} by name`,
      })),
    ),
  );
  expect(rules).toHaveLength(1);
  expect(rules[0]).toMatch(/\bsort=|set sort/);
});

test("a rule for one value keeps to URLs that have what all of its evidence has", () => {
  // A product is the same page in categories 20 and 21, and not in others.
  const products = many(20, (n) => ({
    ...many(2, (own) => ({ [`/shop?path=${20 + own}&product=${n}`]: `product ${n}` })),
    ...many(6, (own) => ({ [`/shop?path=${22 + own}&product=${n}`]: `product ${n} of ${own}` })),
    [`/shop?product=${n}`]: `product ${n}`,
  }));
  const alone = ["/shop ?path=20\tdrop path", "/shop ?path=21\tdrop path"];
  expect(learnLines(records(products))).toEqual(alone.map((rule) => `a.org\t${rule}`));
  // The list of a category is a page. Those of 20 and 21 are not known yet.
  const rules = learnLines(records({ ...products, "/shop?path=22": "list of 22" }));
  expect(rules).toEqual(alone.map((rule) => `a.org\t${rule.replace("\t", "&product\t")}`));
});
