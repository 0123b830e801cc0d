import { describe, expect, test } from "vitest";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { pagesOf, UNKNOWN_PAGE } from "../../src/learn/site/pages.ts";
import { parseRules, writeRules } from "../../src/site-rules/language/rule-file.ts";
import { capturesOf } from "../proofs/learn-quality/captures.ts";
import { learnNow, many, records, ruleLines } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";

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

describe("where 3 captures of 1,000 show a page that changed,", () => {
  const CHANGED = 0.003;
  const THREADS = atLength(300, 1200);
  /** Captures of threads with sessions and second pages, and of a login that many URLs lead to. */
  const changing = (twice: number, changed = CHANGED) =>
    capturesOf(urlsOf(FORUM), { changed, twice });
  const FORUM = many(THREADS, (n) => ({
    [`/t?id=${n}`]: `p${n}`,
    [`/t?id=${n}&sid=${n}`]: `p${n}`,
    [`/t?id=${n}&sid=${n + 7}`]: `p${n}`,
    [`/t?id=${n}&page=2`]: `p${n} more`,
    [`/post?t=${n}`]: "login",
  }));
  const urlsOf = (pages: Readonly<Record<string, string>>) =>
    Object.entries(pages).map(([target, page]) => ({
      url: `http://a.org${target}`,
      page,
      size: undefined,
    }));
  const STEADY = ruleLines(learnNow(changing(0, 0)));

  test("rules are refused if no URL was captured twice, because their pages may be lost", () => {
    expect(STEADY).toHaveLength(2);
    expect(ruleLines(learnNow(changing(0)))).toEqual([]);
  });

  test("no rule is refused if some URLs were captured twice, which tell how often pages change", () => {
    for (const twice of sampleOf([0.5, 0.2, 1], 3)) {
      expect(ruleLines(learnNow(changing(twice)))).toEqual(expect.arrayContaining(STEADY));
    }
  });

  test("a rule that loses more pages than change is refused nevertheless", () => {
    const wrong = many(THREADS, (n) => ({
      [`/a?id=${n}`]: `a${n}`,
      [`/a?id=${n}&v=1`]: n % 100 === 0 ? `a${n} other` : `a${n}`,
    }));
    const given = capturesOf(urlsOf({ ...FORUM, ...wrong }), { changed: CHANGED, twice: 0.5 });
    const { rules, sites } = learnNow(given);
    expect(ruleLines({ rules })).toEqual(expect.arrayContaining(STEADY));
    expect(ruleLines({ rules }).filter((line) => line.startsWith("a.org\t/a"))).toEqual([]);
    const refused = sites.flatMap((site) => site.refused);
    expect(refused.filter(({ refusal }) => refusal.why === "over the budget")).not.toEqual([]);
  });

  test("pages that other URLs have are not taken for some that changed", () => {
    const shared = many(THREADS, (n) => ({
      [`/a?id=${n}`]: `a${n}`,
      [`/b?id=${n}`]: `a${n}`,
      [`/a?id=${n}&v=1`]: n % 100 === 0 ? `c${n}` : `a${n}`,
      [`/c?id=${n}`]: `c${n}`,
    }));
    const given = capturesOf(urlsOf({ ...FORUM, ...shared }), { changed: CHANGED, twice: 0.5 });
    const lines = ruleLines(learnNow(given, { maxPageLoss: 0.0001 }));
    expect(lines).toEqual(expect.arrayContaining(STEADY));
    expect(lines.filter((line) => line.startsWith("a.org\t/a"))).toEqual([]);
  });
});

test("a URL that shows its own page once, and once what others always show, has neither", () => {
  const always = Array.from({ length: 20 }, () => ["login", "login"]);
  const { page, known } = pagesOf([["own", "login"], ...always]);
  expect([page[0], page[1], known]).toEqual([UNKNOWN_PAGE, 0, 20]);
  const once = Array.from({ length: 20 }, (_, n) => [`p${n}`, "error"]);
  expect(pagesOf([["own", "error"], ...once]).total).toBe(21);
});
