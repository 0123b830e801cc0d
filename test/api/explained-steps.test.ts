import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { type Create, describeEngines } from "../shared/engines.ts";
import { linesOf, readCorpus, readJsonFixture } from "../shared/fixtures.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";

/** The inputs of the tests of the platform, those with their bases and those without, and of the pairs. */
const VECTORS = [
  ...readJsonFixture<(string | { input: string; base: string | null })[]>(
    "wpt/urltestdata.json",
  ).flatMap((each) => (typeof each === "string" ? [] : [each])),
  ...Object.values(readJsonFixture<Record<string, { a: string; b: string }[]>>("pairs.json"))
    .flat()
    .flatMap(({ a, b }) => [a, b])
    .filter((input) => input !== undefined)
    .map((input) => ({ input, base: null })),
];
const FILES = [
  ..."file:a/b FILE:a file:/a file:\\a\\b file: file:?x file:a%40b@c file:C|/x file:c:\\x file://C:/a".split(
    " ",
  ),
  ..."file://C|/a file:///C|/../a file:////a/b file:/x/../C|/y file://localhost/a file://h/C|/a".split(
    " ",
  ),
];
const STRAY = ["http://a/%%341", "http://a/%4%31?%%341#%%341", "foo:%%341", "foo:/%%34%31/../%7e"];

/** Normalizes each URL that a step shows; returns those of which something else becomes. */
function wrongSteps(
  create: Create,
  options: NormalizerOptions,
  urls: readonly string[],
  base?: string,
): object[] | null {
  // A URL on the way may be longer than the result may be.
  const { maxLength: _, engine: __, ...others } = options;
  let n: ReturnType<Create>;
  try {
    n = create(others);
  } catch {
    return null;
  }
  return urls.flatMap((url) => {
    const { url: result, steps } = n.explain(url, base);
    return steps.flatMap(({ step, after }) => {
      const { url: again } = n.tryNormalize(after, base);
      return again === result ? [] : [{ url, base, step, after, again, result, options }];
    });
  });
}

describeEngines("each URL that explain shows", (create, engine) => {
  test.each(shareOf(["safe", "crawl", "c14n", "aggressive"] as const, engine))(
    "is the same one under %s",
    (preset) => {
      const random = new Random(17);
      const real = linesOf(readCorpus());
      const from = random.below(real.length - 2_000);
      const urls = [
        ...FILES,
        ...STRAY,
        ...sampleOf(VECTORS, 2).map(({ input }) => input),
        ...real.slice(from, from + atLength(300, 2_000)),
        ...hostileUrls(17, atLength(500, 7_000, 20_000)),
        ...optionUrls(17, atLength(200, 5_000)),
      ];
      expect(wrongSteps(create, { preset }, urls)).toEqual([]);
    },
  );

  test("is the same one under random options", () => {
    const random = new Random(18);
    let refused = 0;
    const sets = atLength(4, 100, 300);
    for (let set = 0; set < sets; set++) {
      const urls = [...FILES, ...STRAY, ...hostileUrls(set, 60), ...optionUrls(set, 60)];
      const wrong = wrongSteps(create, randomOptions(random), urls);
      if (wrong === null) refused++;
      else expect(wrong).toEqual([]);
    }
    expect(refused).toBeLessThan(sets / 2);
  });

  test("is the same one with a base", () => {
    for (const { input, base } of shareOf(VECTORS, engine, 4)) {
      if (base === null || create().tryNormalize(base).url === null) continue;
      expect(wrongSteps(create, {}, [input], base)).toEqual([]);
    }
    for (const base of shareOf(HOSTILE_BASES, engine, 4)) {
      const urls = [...FILES, ...STRAY, ...hostileUrls(19, atLength(30, 1_000))];
      expect(wrongSteps(create, { preset: "crawl" }, urls, base)).toEqual([]);
    }
  });

  test("has a third slash where a path follows file:", () => {
    const steps = create()
      .explain("file:a/b")
      .steps.map(({ step, after }) => [step, after]);
    expect(steps).toEqual([["slashes", "file:///a/b"]]);
  });

  test("tells a stray % from a triplet that it could begin", () => {
    const steps = create()
      .explain("http://a/%%341")
      .steps.map(({ step, after }) => [step, after]);
    expect(steps).toEqual([
      ["percentEncoding", "http://a/%25%341"],
      ["unreservedTriplets", "http://a/%2541"],
    ]);
  });
});
