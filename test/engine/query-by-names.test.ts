import { expect, test } from "vitest";
import { IN_DOUBT } from "../../src/engine/js/options/query-by-names.ts";
import { rewrite } from "../../src/engine/js/options/rewrite.ts";
import { rewritePlain } from "../../src/engine/js/options/rewrite-plain.ts";
import { createNormalizer } from "../../src/index.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { decodePlan } from "../../src/plan/decode/decode.ts";
import { planFor } from "../shared/engine-parts.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const PARAMS = [
  ...["a=1", "a=2", "A=1", "b", "b=2", "b=", "abcd=1", "abcde=2", "abcdf=3", "abcdefgh=4", "ab"],
  ...["utm_source=x", "UTM_SOURCE=x", "utm_=1", "utm=1", "gclid=1", "gclidx=1", "_ga", "_=1"],
  ...["cfid=1", "CFTOKEN=2", "cfie=3", "code=4", "PHPSESSID=5", "jsessionid=1", "sid=1"],
  ...["", "=", "=x", "a%41=1", "a%3D=1", "z=a;jsessionid=1", "z=/(x)", "z=(x)", "q=a=b", "z?=/."],
];
const TAILS = ["", "", "", "#", "#x", "#!r", "#/r:~:text=a", "#utm_source=x", "#a;b", "#a&b=c?d"];
const HEADS = [
  "http://a.example/",
  "https://a.example/x.y",
  "file:///x",
  "http://a/(s(1))/",
  "http://a/b;c",
];

const SETS: readonly NormalizerOptions[] = [
  { preset: "crawl" },
  { preset: "crawl", fragment: "keep-route" },
  { preset: "crawl", sessionIds: "keep", emptyParams: "keep" },
  { preset: "aggressive" },
  { sortQuery: "name" },
  { sortQuery: "name-value" },
  { dropParams: ["b", "abcd*"] },
  { dropParams: ["a*", "*h"], paramCase: "ignore" },
  { keepParams: ["a"] },
  { emptyValues: "remove" },
  { valuelessParams: "add-equals" },
  { repeatedParams: "first" },
  { emptyQuery: "remove", fragment: "remove-empty" },
  { trackingParams: "remove", fragment: "remove-text" },
  { case: "lower-path-query" },
  { defaultParams: { a: "1" } },
  { allowedSchemes: ["https", "file"], sessionIds: "remove" },
];

/** URLs in normal form with queries of up to `most` parameters. */
function urls(seed: number, count: number, most: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const params = Array.from({ length: random.below(most + 1) }, () => random.pick(PARAMS));
    const query = random.chance(9) ? "" : `?${params.join("&")}`;
    return random.pick(HEADS) + query + random.pick(TAILS);
  });
}

/** Sets of options that can be made; the others contradict themselves. */
const plans = SETS.map((options) => ({
  options,
  plan: decodePlan(planFor(options)),
}));

test.each([
  ["few", 5, atLength(2_000, 40_000)],
  ["many", 90, atLength(150, 3_000)],
])("a query of %s parameters read once is what the steps make of it", (_, most, count) => {
  const safe = createNormalizer({ engine: "js" });
  const { urls: normal } = safe.normalizeBatch(urls(most, count, most));
  let known = 0;
  for (const { options, plan } of plans) {
    for (const url of normal) {
      if (url === null) throw new Error("a URL of the list has no normal form");
      const written = rewritePlain(url, plan);
      if (written === IN_DOUBT) continue;
      if (written !== url) known++;
      expect([options, url, written]).toEqual([options, url, rewrite(url, plan)]);
    }
  }
  expect(known).toBeGreaterThan(count);
});

test.each([
  [{ dropParams: ["a*"] }, "?b&A"],
  [{ dropParams: ["a*"], paramCase: "ignore" }, "?b"],
  [{ dropParams: ["*b"] }, "?a&A"],
  [{ dropParams: ["ab"] }, "?b&a&A"],
  [{ dropParams: ["a"] }, "?b&A&ab"],
] as const)(
  "a name is found by itself, a prefix or a suffix, however short: %j",
  (options, query) => {
    for (const engine of ["wasm", "js"] as const) {
      const n = createNormalizer({ ...options, engine });
      expect(n.normalize("http://a/?b&a&A&ab")).toBe(`http://a/${query}`);
    }
  },
);
