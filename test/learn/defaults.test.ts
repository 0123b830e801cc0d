import { expect, test } from "vitest";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";

test("a number that selects nothing goes, as the default it is", () => {
  const pages = many(60, (n) => {
    const name = `thread-${String.fromCharCode(97 + (n % 26))}${n < 26 ? "a" : n < 52 ? "b" : "c"}`;
    return {
      [`/${name}.html`]: `first page of ${n}`,
      [`/${name}-1.html`]: `first page of ${n}`,
      [`/${name}-2.html`]: `second page of ${n}`,
    };
  });
  expect(learnLines(records(pages))).toEqual(["a.org\t*\tsub -1. => ."]);
});

test("the first page of a list goes, as the default it is", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const pages = many(60, (n) => {
    const tag = `${letters[n % 26]}${letters[Math.floor(n / 26)]}`;
    return {
      [`/tag/${tag}/`]: `first of ${tag}`,
      [`/tag/${tag}/page/1/`]: `first of ${tag}`,
      [`/tag/${tag}/page/2/`]: `second of ${tag}`,
    };
  });
  expect(learnLines(records(pages))).toEqual(["a.org\t/tag/...\tsub /page/1/<$> => /"]);
});

test("a directory named by a version stays, though sixty pages of both are equal", () => {
  const pages = many(60, (n) => ({
    [`/docs/f${n}.html`]: `p${n}`,
    [`/2.1/docs/f${n}.html`]: `p${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});

test.each(["1", "v1", "1.2", "stable-1.2"])("so does one named %s", (version) => {
  const pages = many(60, (n) => ({
    [`/docs/f${n}.html`]: `p${n}`,
    [`/docs/${version}/f${n}.html`]: `p${n}`,
  }));
  expect(learnLines(records(pages))).toEqual([]);
});

test("the page of a message goes to its topic where nearly all topics have one page", () => {
  const pages = many(300, (n) => ({
    [`/index.php?topic=${n}.0`]: `topic ${n}`,
    [`/index.php?topic=${n}.msg${7 * n + 100_000}`]: `topic ${n}`,
    [`/index.php?topic=${n}.msg${7 * n + 100_003}`]: `topic ${n}`,
  }));
  expect(learnLines(records(pages))).toEqual(["a.org\t/index.php\tsub .msg<N><$> => .0"]);
});

test("a version that stays is refused as a version, with the bound that it reached", () => {
  const pages = many(60, (n) => ({
    [`/2.0/f${n}.html`]: `p${n}`,
    [`/2.1/f${n}.html`]: `p${n}`,
  }));
  const { sites } = learnNow(records(pages));
  const [first] = sites[0]?.refused.filter(({ refusal }) => refusal.why === "version-like") ?? [];
  expect(first?.refusal).toMatchObject({ needed: 0.99, unit: "share" });
  expect(first?.refusal.reached).toBeCloseTo(0.94, 2);
});
