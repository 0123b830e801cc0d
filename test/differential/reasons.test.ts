import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { OPTION_VALUES } from "../../src/options/catalog.generated.ts";

import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";
import { findReasonFindings } from "../shared/reasons.ts";

const SETS = atLength(2, 20, 50);
const SEED = 7;

/** Compares under one set of options; returns how many rows were compared, changed and untold. */
function compare(options: NormalizerOptions, inputs: readonly string[], base?: string) {
  const found = findReasonFindings(options, inputs, base);
  if (found === "refused") return { changed: 0, untold: 0 };
  expect(found.findings).toEqual([]);
  return found;
}

test.each(OPTION_VALUES.preset)(
  "under %s, reasons of real URLs are what explain lists",
  (preset) => {
    const inputs = sampleOf(linesOf(readCorpus()), 90);
    const { changed, untold } = compare({ preset }, inputs);
    expect(changed).toBeGreaterThan(100);
    expect(untold).toBeLessThan(changed / 50);
  },
);

test("under random options, reasons of hostile URLs are what explain lists", () => {
  const random = new Random(SEED);
  const real = linesOf(readCorpus());
  let changed = 0;
  for (let set = 0; set < SETS; set++) {
    const from = random.below(real.length - 100);
    const inputs = [
      ...real.slice(from, from + 100),
      ...hostileUrls(SEED * 1_000 + set, 150),
      ...optionUrls(SEED * 1_000 + set, 150),
    ];
    changed += compare(randomOptions(random), inputs).changed;
  }
  expect(changed).toBeGreaterThan(SETS * 100);
});

test("with a base, reasons are what explain lists", () => {
  const random = new Random(SEED);
  for (const [at, base] of sampleOf(HOSTILE_BASES, 4).entries()) {
    const { maxLength: _, defaultScheme: __, ...options } = randomOptions(random);
    compare(options, hostileUrls(SEED * 1_000 + at, atLength(12, 300)), base);
    compare({}, hostileUrls(SEED * 2_000 + at, atLength(12, 300)), base);
  }
});

test("with rules of sites, reasons are what explain lists", () => {
  const random = new Random(SEED);
  for (let set = 0; set < SETS / 2; set++) {
    const rules = randomRules(random);
    compare({ ...randomOptions(random), rules }, urlsForRules(random, atLength(40, 100)));
    compare({ rules }, urlsForRules(random, atLength(40, 100)));
  }
});

// Found by npm run proof reasons.
test("a dropped parameter that ends in a session id loses that first", () => {
  const options = { sessionIds: "remove", dropParams: ["a"] } as const;
  const { changed } = compare(options, [
    "http://a/?a=;jsessionid=1&b",
    "http://a/?a=2;jsessionid=1",
  ]);
  expect(changed).toBe(8);
});

test("an empty query has no empty parameter", () => {
  const inputs = ["http://a.b/?", "http://a.b/?#/:~:", "http://a.b?#c", "http://a.b/?&#c"];
  const kept = compare({ preset: "crawl", emptyQuery: "keep" }, inputs);
  expect(kept).toMatchObject({ changed: 12, untold: 0 });
});

test("an empty query that goes is told by the kernel too", () => {
  const { changed, untold } = compare({ preset: "crawl" }, ["http://a.b/?", "http://a.b/?#c"]);
  expect({ changed, untold }).toEqual({ changed: 8, untold: 0 });
});

test("a `%` that begins no triplet is told, unless decoding makes one of it", () => {
  const told = [
    "http://a.b/%?%%CACHE%%",
    "http://a.b/%zz%",
    "http://a.b/%7e%2#%%20",
    "http://A.b/?%%%2f",
  ];
  expect(compare({}, told)).toMatchObject({ changed: 16, untold: 0 });
  const hidden = [
    "http://a.b/%%341",
    "http://a.b/?%4%31",
    "http://a.b/#%%34%31",
    "http://a.b/%2%45",
  ];
  expect(compare({}, hidden)).toMatchObject({ changed: 16, untold: 16 });
  const digits = [..."0123456789abcdefABCDEF"];
  const any = digits.flatMap((digit) => [`http://a.b/%${digit}%31`, `http://a.b/%%3${digit}1`]);
  expect(compare({}, any).changed).toBe(4 * any.length);
});

test("a pair of names that is a session is told, unless more goes", () => {
  const pairs = ["http://a.b/?CFID=1&CFTOKEN=2", "http://a.b/?x&cftoken&cfid=1&y"];
  expect(compare({ sessionIds: "remove" }, pairs)).toMatchObject({ changed: 8, untold: 0 });
  const more = ["http://a.b/?CFID=1&CFTOKEN=2&phpsessid=3", "http://a.b/?x&cftoken&cfid=1&sid=1"];
  compare({ sessionIds: "remove", dropParams: ["sid"] }, more);
});

test("parameters that leave one empty piece have not been sorted", () => {
  const urls = [
    "http://a.b/?CFTOKEN=1&CFID=2&",
    "http://a.b/?&CFTOKEN=1&CFID=2",
    "http://a.b/?b&a",
  ];
  compare({ sessionIds: "remove", sortQuery: "name" }, urls);
});

test("a default scheme is told apart from slashes that are too many", () => {
  const urls = ["//a.b/", "a.b/c", "\\\\a.b/", "///a.b/", "//A.b:80"];
  expect(compare({ defaultScheme: "https" }, urls)).toMatchObject({ changed: 20, untold: 0 });
});

test("rules of the head are told apart", () => {
  const heads = [
    "HTTP:\\\\A.b",
    "http:/a.b:",
    "https:///a.b:0443",
    "http://@a.b:80?",
    "ftp://u:@a.b:021",
  ];
  expect(compare({}, heads)).toMatchObject({ changed: 20, untold: 0 });
});

test("a parameter dropped beside one empty piece leaves nothing for `emptyParams`", () => {
  const urls = ["http://a.b/?&gclid=1", "http://a.b/?gclid=1&", "http://A.b/?utm_id=1&&gclid=2#c"];
  expect(compare({ preset: "crawl" }, urls)).toMatchObject({ changed: 12, untold: 0 });
  const dropped = urls.map((url) => url.replaceAll(/gclid|utm_id/g, "x"));
  for (const options of [
    { dropParams: ["x"] },
    { defaultParams: { x: "1" } },
    { dropParams: ["x"], defaultParams: { x: "2" } },
  ]) {
    compare({ ...options, emptyParams: "remove", emptyQuery: "remove" }, dropped);
  }
  expect(compare({ dropParams: ["x"], emptyParams: "remove" }, dropped.slice(0, 2))).toMatchObject({
    changed: 8,
    untold: 0,
  });
  const more = ["http://a.b/?&gclid=1&", "http://a.b/?&&gclid=1", "http://A.b/?&b&gclid=2"];
  expect(compare({ preset: "crawl" }, more)).toMatchObject({ changed: 12, untold: 0 });
});
