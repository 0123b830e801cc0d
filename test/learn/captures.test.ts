import { expect, test } from "vitest";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { parseRules, writeRules } from "../../src/site-rules/language/rule-file.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";

const SITE = records(
  many(60, (n) => ({
    [`/t?id=${n}`]: `p${n}`,
    [`/t?id=${n}&sid=${n}`]: `p${n}`,
    [`/t?id=${n}&page=2`]: `p${n} more`,
  })),
);

/** The same URLs with the fingerprints of another day. */
function later(given: readonly LearnRecord[], day: number): LearnRecord[] {
  return given.map(({ url, fp }) => ({ url, fp: `${fp} on day ${day}` }));
}

test("two captures of a whole site teach as much as one, though every page changed", () => {
  const once = learnNow(SITE);
  const twice = learnNow([...SITE, ...later(SITE, 2)]);
  expect(twice.rules).toEqual(once.rules);
  expect(twice.sites[0]?.effect).toEqual(once.sites[0]?.effect);
  expect(twice.sites[0]?.pages).toBe(once.sites[0]?.pages);
});

test("a second capture of a half of the URLs takes nothing away", () => {
  const half = SITE.filter((_, index) => index % 3 < 2 && index % 2 === 0);
  const { rules } = learnNow([...SITE, ...later(half, 2)]);
  expect(rules).toEqual(learnNow(SITE).rules);
});

test("a page that all URLs showed once does not merge them", () => {
  const down = SITE.map(({ url }) => ({ url, fp: "cls:down for maintenance" }));
  expect(learnNow([...SITE, ...down]).rules).toEqual(learnNow(SITE).rules);
});

test("a URL that shows another page at each capture makes these no page of one URL", () => {
  const random = Array.from({ length: 40 }, (_, n) => ({
    url: "http://a.org/random",
    fp: `cls:p${n}`,
  }));
  const { rules, sites } = learnNow([...SITE, ...random]);
  expect(rules).toEqual(learnNow(SITE).rules);
  expect(sites[0]?.effect.wrong).toBe(0);
});

test("rules of URLs that were listed twice with different fingerprints can be loaded", () => {
  const changing = SITE.flatMap(({ url, fp }, index) => [
    { url, fp: `${fp}` },
    { url, fp: `${fp} ${index % 4}` },
    { url, fp: `${fp} ${index % 7}` },
  ]);
  const others = SITE.map(({ url, fp }) => ({ url: url.replace("a.org", "b.org"), fp: `${fp}` }));
  const { rules } = learnNow([...changing, ...others], { maxPageLoss: 1 });
  expect(rules.length).toBeGreaterThan(0);
  expect(parseRules(writeRules(rules))).toEqual(rules);
  for (const { evidence } of rules) expect(evidence?.ok).toBeLessThanOrEqual(evidence?.n ?? -1);
});
