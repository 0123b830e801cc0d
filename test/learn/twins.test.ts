import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { writeAliases, writeRules } from "../../src/site-rules/index.ts";
import { expectLinear } from "../shared/hostile-pages.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";

/** The letters of a number, which no rule takes for one. */
const name = (n: number): string =>
  `${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}x`;

/**
 * A wiki whose articles have two titles. Both are known of `view`, of `print` for two articles of three, of `raw` for
 * one title alone. `info` tells the title, so it has two pages.
 */
const wiki = (count: number, isSame: (n: number) => boolean = () => true, folder = "/wiki") =>
  records(
    many(count, (n) => {
      const [a, b] = [`${name(n)}one`, `${name(n)}two`];
      const page = (action: string, second = "") => `${action} ${n}${second}`;
      const own: Record<string, string> = {
        [`${folder}?title=${a}`]: page("view"),
        [`${folder}?title=${b}`]: page("view"),
        [`${folder}?action=print&title=${a}`]: page("print"),
        [`${folder}?action=raw&title=${n % 2 === 0 ? a : b}`]: page("raw"),
        [`${folder}?action=info&title=${a}`]: page("info", a),
        [`${folder}?action=info&title=${b}`]: page("info", b),
      };
      if (n % 3 > 0)
        own[`${folder}?action=print&title=${b}`] = page("print", isSame(n) ? "" : " too");
      return own;
    }),
  );

/** What a crawl with the aliases of a site makes of a URL. */
function normalized(given: ReturnType<typeof wiki>, target: string): string {
  const { rules, aliases } = learnNow(given);
  const options = { rules: writeRules(rules), pageAliases: writeAliases(aliases) };
  return createNormalizer(options).normalize(`http://a.org${target}`);
}

test("values that share a page in one variant share it in others", () => {
  const twin = normalized(wiki(60), `/wiki?action=print&title=${name(3)}two`);
  expect(twin).toBe(`http://a.org/wiki?action=print&title=${name(3)}one`);
});

test("but not where they are known to have two pages in that variant", () => {
  const info = `/wiki?action=info&title=${name(3)}two`;
  expect(normalized(wiki(60), info)).toBe(`http://a.org${info}`);
});

test("nor where others of that variant are not twins: one of four is", () => {
  const print = `/wiki?action=print&title=${name(3)}two`;
  expect(
    normalized(
      wiki(60, (n) => n % 4 === 0),
      print,
    ),
  ).toBe(`http://a.org${print}`);
});

test("nor in keys of more than 32 parts, where contexts would take all memory", () => {
  const twinOf = (depth: number) => {
    const folder = "/x".repeat(depth);
    const print = (title: string) => `${folder}?action=print&title=${name(3)}${title}`;
    const found = normalized(
      wiki(60, () => true, folder),
      print("two"),
    );
    return found === `http://a.org${print("one")}`;
  };
  // With the two parameters.
  expect([twinOf(30), twinOf(31)]).toEqual([true, false]);
});

test("take time by the number of keys, where each path is a title", async () => {
  // Of five titles, two show the value: no rule drops it, and each path is a pattern of its own.
  const title = (n: number): string =>
    String(n).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
  await expectLinear(["", "{i} "], 8000, (text) => {
    const pages = text
      .trim()
      .split(" ")
      .map((n) => [
        [`/${title(Number(n))}?v=1`, n],
        [`/${title(Number(n))}?v=2`, Number(n) % 5 < 3 ? n : `${n} 2`],
      ]);
    learnNow(records(Object.fromEntries(pages.flat())));
  });
});
