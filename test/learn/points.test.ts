import { expect, test } from "vitest";
import { upperPoint, Z95 } from "../../src/learn/thresholds/bound.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";

const WORDS = ["id", "status", "type", "owner", "summary", "keywords", "milestone", "version"];
/** Searches by two words, twelve for each pair. One and the same page has either word in `right` of them. */
const pair = (number: number, right: number) => {
  const [first, second] = [WORDS[number % 8], WORDS[(number + 1 + (number >> 3)) % 8]];
  return many(12, (n) => ({
    [`/query?q=${number * 50 + n}&order=${first}`]: `${number} ${n}`,
    [`/query?q=${number * 50 + n}&order=${second}`]: `${number} ${n}${n < right ? "" : " other"}`,
  }));
};
const pairs = (count: number) =>
  Object.assign({}, ...Array.from({ length: count }, (_, at) => pair(at + 1, 6)));

test("twelve right merges are enough for a rule, but not where most rules of its kind are wrong", () => {
  const one = learnLines(records(pair(0, 12)));
  expect(one).toHaveLength(1);
  expect(learnLines(records({ ...pair(0, 12), ...pairs(20) }))).toEqual([]);
});

test("rules of another kind are not counted with a rule", () => {
  /** Lists whose parameter means nothing, and others that are cut at sizes, half of them to another page. */
  const lists = many(30, (n) => ({
    [`/list?id=${n * 31}`]: `list ${n}`,
    [`/list?id=${n * 31}&per=20`]: `list ${n}`,
  }));
  const cuts = many(24, (size) =>
    many(14, (n) => ({
      [`/of?id=${n * 53}`]: `${n}`,
      [`/of?id=${n * 53}&size=${size}`]: `${n}${(n * 7 + size * 5) % 3 === 0 ? ` ${size}` : ""}`,
    })),
  );
  expect(learnLines(records({ ...lists, ...cuts }))).toContain("a.org\t/list\tdrop per");
});

/** Lists of which the first page is also `name=1`, of so many as are right; the second page is another. */
const lists = (
  name: string,
  count: number,
  right = count,
  pageOf = (n: number) => `${name} ${n}`,
) =>
  many(count, (n) => ({
    [`/${name}/${n * 31}`]: pageOf(n),
    [`/${name}/${n * 31}?${name}=1`]: n < right ? pageOf(n) : `first of ${name} ${n}`,
    [`/${name}/${n * 31}?${name}=2`]: `second of ${name} ${n}`,
  }));
/** Returns the names that rules drop. */
const droppedOf = (...urls: Record<string, string>[]): string[] => {
  const lines = learnLines(records(Object.assign({}, ...urls)));
  return lines.flatMap((line) => /drop (\w+)$/.exec(line)?.[1] ?? []).toSorted();
};

test("six right merges are enough where another rule of the kind is clean, and none is mostly right", () => {
  expect(droppedOf(lists("a", 6))).toEqual([]);
  expect(droppedOf(lists("a", 6), lists("b", 6))).toEqual(["a", "b"]);
  expect(droppedOf(lists("a", 6), lists("b", 6), lists("c", 6, 1))).toEqual(["a", "b"]);
  expect(droppedOf(lists("a", 6), lists("b", 6), lists("c", 9, 6))).toEqual([]);
});

test("pages that more than twenty URLs show are no evidence that a kind is clean", () => {
  const empty = ["a", "b"].map((name) => lists(name, 12, 12, (n) => `nothing found ${n % 6}`));
  const others = (count: number) =>
    many(count, (n) => ({ [`/others/${n * 37}`]: `nothing found ${n % 6}` }));
  const few = lists("c", 6);
  expect(droppedOf(...empty, few, others(6))).toContain("c");
  expect(droppedOf(...empty, few, others(120))).not.toContain("c");
});

test("a rule that renames many URLs to merge a few says nothing of its kind", () => {
  /** Posts by number, of which so many have that number as address, too, and the others a title. */
  const posts = (folder: string, named: number) =>
    many(100, (n) => ({
      [`/${folder}/?p=${n * 31}`]: `${folder} ${n}`,
      [n < named ? `/${folder}/${n * 31}` : `/${folder}/title-of-${n}`]: `${folder} ${n}`,
    }));
  const rulesOf = (named: number) =>
    learnLines(records({ ...posts("a", named), ...posts("b", named) })).filter((line) =>
      line.includes("p="),
    );
  expect(rulesOf(7)).toEqual([]);
  expect(rulesOf(50)).not.toEqual([]);
});

test("a hundred right merges are enough wherever", () => {
  const more = many(100, (n) => ({
    [`/query?q=${9000 + n}&order=id`]: `more ${n}`,
    [`/query?q=${9000 + n}&order=status`]: `more ${n}`,
  }));
  const lines = learnLines(records({ ...pair(0, 12), ...more, ...pairs(20) }));
  expect(lines.length).toBeGreaterThan(0);
});

test("one of many small page types may be wrong by chance, and a whole one may not", () => {
  const letters = (n: number) =>
    [...String(n * 7919 + 11)].map((digit) => "abcdefghij"[Number(digit)]);
  /** Articles, each in a folder of its own, with six comments; `wrong` of the first have one that is another page. */
  const articles = (wrong: number) =>
    many(300, (n) => {
      const path = `/${letters(n).join("")}/`;
      return Object.fromEntries(
        [0, 1, 2, 3, 4, 5].map((c) => [
          `${path}?reply=${n * 7 + c}`,
          n < wrong && c === 0 ? `${n} other ${c}` : `${n}`,
        ]),
      );
    });
  const rule = "a.org\t*\tdrop reply";
  expect(learnLines(records(articles(6)), 0.05)).toContain(rule);
  const login = many(6, (n) => ({ [`/login/?reply=${n}`]: `login ${n}` }));
  const { rules } = learnNow(records({ ...articles(0), ...login }), { maxPageLoss: 0.05 });
  expect(rules.map(({ except }) => [...(except ?? [])])).toEqual([["/login/"]]);
});

test("the point of a tail is that of the normal distribution", () => {
  expect(upperPoint(0.025)).toBeCloseTo(Z95, 2);
  expect(upperPoint(0.15)).toBeCloseTo(1.0364, 2);
  expect(upperPoint(0.5)).toBeCloseTo(0, 2);
  expect(upperPoint(1e-6)).toBeCloseTo(4.7534, 2);
});
