import { expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { ChangeFinder } from "../../src/learn/count/changes.ts";
import { counterOf, countSite } from "../../src/learn/count/counted.ts";
import { EvidenceReader, writeEvidenceLines } from "../../src/learn/count/evidence-file.ts";
import { selectSites } from "../../src/learn/learn.ts";
import { mineSite } from "../../src/learn/mine/mine-site.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { familiesOf } from "../../src/learn/select/families.ts";
import type { Site } from "../../src/learn/site/site.ts";
import { firstStage } from "../../src/learn/site/stage.ts";
import { parseRule, type Rule, writeRules } from "../../src/site-rules/index.ts";
import { appliedRules } from "../shared/applied-rules.ts";
import { expectLinear } from "../shared/hostile-pages.ts";
import { learnNow, many, records, ruleLines } from "../shared/learn-site.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { madeUpForum } from "../shared/made-up-forum.ts";

const RULE = "f.org\t/index.php\tsub .msg<N><$> => .0";
const TOPICS = atLength(500, 1500);
/** Topics with several pages, of a hundred. */
const SEVERAL = atLength(6, 5);
const FEW_TOPICS = atLength(300, 1500);
const FORUM = madeUpForum({ topics: TOPICS, several: SEVERAL, pagesKnown: true });
/** Learned once for all tests. */
const LEARNED = learnNow(FORUM.known);

/** The topics that have a second page among these URLs, as the rule makes them. */
function longTopics(urls: readonly { readonly url: string }[]): Set<string> {
  const second = urls.filter(({ url }) => url.endsWith(".20"));
  return new Set(second.map(({ url }) => url.replace("https://f.org", "").replace(/20$/, "0")));
}

test("a rule that is wrong for topics with several pages is learned with these as exceptions", () => {
  const { rules } = LEARNED;
  expect(ruleLines({ rules })).toEqual([RULE]);
  expect(longTopics(FORUM.known).size).toBeGreaterThan(TOPICS / 30);
  expect(rules[0]?.except).toEqual(longTopics(FORUM.known));
});

test("messages that arrive later become their topic, and none gets another page", () => {
  const { known, arriving } = FORUM;
  const { rules } = LEARNED;
  const all = [...known, ...arriving];
  const [before, after] = [appliedRules(rules, known), appliedRules(rules, all)];
  expect(after.wrong).toBe(0);
  expect(after.right - before.right).toBeGreaterThan(0.8 * arriving.length);
  expect(appliedRules([parseRule(RULE)], all).wrong).toBeGreaterThan(TOPICS / 15);
});

test("what is claimed with exceptions is what the written rules do", () => {
  const cases = [0.001, 0.02].flatMap((maxPageLoss) =>
    [true, false].map((pagesKnown) => ({ maxPageLoss, pagesKnown })),
  );
  for (const { maxPageLoss, pagesKnown } of sampleOf(cases.toReversed(), 4)) {
    const { known } = madeUpForum({ topics: TOPICS, several: SEVERAL, pagesKnown });
    const { rules, sites } = learnNow(known, { maxPageLoss });
    const { right, wrong } = sites[0]?.effect ?? { right: -1, wrong: -1 };
    expect(appliedRules(rules, known)).toEqual({ right, wrong });
  }
});

test("exceptions are learned of what other rules leave, whose page types have other numbers", () => {
  const hex = (n: number) => n.toString(16).padStart(32, "0a1b2c3d");
  const topics = atLength(300, 1500);
  const { known } = madeUpForum({ topics, several: SEVERAL, pagesKnown: false });
  const boards = many(9, (n) => ({ [`/index.php?board${n}`]: `board ${n}` }));
  const inSessions = [...known, ...records(boards, "f.org")].flatMap(({ url, fp }, at) =>
    [1, 2].map((session) => ({
      url: url.replace(/https?(.*[?])/, `https$1s=${hex(2 * at + session)}&`),
      fp: fp as string,
    })),
  );
  const { rules } = learnNow(inSessions, { maxPageLoss: 0.02 });
  expect(ruleLines({ rules })).toEqual(["f.org\t/index.php\tdrop s", RULE]);
  expect(rules[1]?.except?.size).toBeGreaterThan(atLength(10, 20));
});

test("where most topics have several pages the rule stays refused", () => {
  const { known } = madeUpForum({ topics: FEW_TOPICS, several: 60, pagesKnown: true });
  const { rules, sites } = learnNow(known);
  expect(rules).toEqual([]);
  const refused = sites[0]?.refused.find(({ rule }) => ruleLines({ rules: [rule] })[0] === RULE);
  expect(refused?.refusal).toMatchObject({ why: "wrong too often", unit: "share" });
});

test("a rule that needs too many exceptions is refused with their number", () => {
  const { known } = madeUpForum({ topics: FEW_TOPICS, several: 25, pagesKnown: true });
  const { rules, sites } = learnNow(known);
  expect(rules).toEqual([]);
  const refused = sites[0]?.refused.find(({ rule }) => ruleLines({ rules: [rule] })[0] === RULE);
  expect(refused?.refusal).toMatchObject({ why: "too many exceptions", unit: "exceptions" });
  expect(refused?.refusal.reached).toBe(longTopics(known).size);
  expect(refused?.refusal.needed).toBeLessThan(longTopics(known).size);
});

test("a topic is an exception before any of its messages is seen", () => {
  const more = records({ "/index.php?topic=99991.20": "later" }, "f.org").map(
    ({ url, ...rest }) => {
      return { ...rest, url: url.replace("http:", "https:") };
    },
  );
  const { rules } = learnNow([...FORUM.known, ...more]);
  expect(rules[0]?.except?.has("/index.php?topic=99991.0")).toBe(true);
});

testAtLength("what exceptions do not know yet counts as wrong, and against the budget", () => {
  const { known, arriving } = madeUpForum({ topics: 4000, several: 5, pagesKnown: false });
  const { sites } = learnNow(known);
  const refused = sites[0]?.refused.find(({ rule }) => ruleLines({ rules: [rule] })[0] === RULE);
  expect(refused?.rule.except?.size).toBeGreaterThan(100);
  expect(refused?.refusal).toMatchObject({ why: "over the budget", unit: "pages" });
  const { rules } = learnNow(known, { maxPageLoss: 0.01 });
  const [{ evidence }] = rules as [Rule];
  const expected = (evidence?.n ?? 0) - (evidence?.ok ?? 0);
  expect(expected).toBeGreaterThan(0);
  expect(appliedRules(rules, known).wrong).toBe(0);
  // The estimate is for as many URLs as are known; about as many arrive.
  const { wrong } = appliedRules(rules, [...known, ...arriving]);
  expect(wrong).toBeGreaterThan(expected / 6);
  expect(wrong).toBeLessThan(expected * 6);
});

test("a path that is wrong for a few things has these as exceptions", () => {
  const { rules } = learnNow(
    records({
      ...many(300, (n) => ({ [`/p/${n}`]: `p ${n}`, [`/p/${n}/print`]: `p ${n}` })),
      ...many(12, (n) => ({
        [`/p/${900 + n}`]: `index ${n}`,
        [`/p/${900 + n}/print`]: `press ${n}`,
        [`/p/${900 + n}/more`]: `more ${n}`,
      })),
    }),
    { maxPageLoss: 0.01 },
  );
  expect(rules.map(({ except }) => except?.size)).toContain(12);
  expect([...(rules[0]?.except ?? [])]).toContain("/p/900");
});

test("URLs that only begin alike are no reason for an exception", () => {
  const first = FORUM.known.filter(({ url }) => url.endsWith(".0"));
  const beside = first.map(({ url }, at) => ({
    url: url.replace(/0$/, "print"),
    fp: `cls:print ${at}`,
  }));
  const { rules } = learnNow([...FORUM.known, ...beside]);
  expect(ruleLines({ rules })).toEqual([RULE]);
  expect(rules[0]?.except).toEqual(longTopics(FORUM.known));
});

/** A parameter that means nothing on most pages, and selects on nine of which three URLs are known each. */
const PARAMETER = records({
  ...many(300, (n) => ({
    [`/?id=${n}`]: `p ${n}`,
    [`/?id=${n}&ref=${104_729 + n}`]: `p ${n}`,
  })),
  ...many(9, (n) => ({
    [`/?id=${700 + n}`]: `index ${n}`,
    [`/?id=${700 + n}&ref=${204_729 + n}`]: `first ${n}`,
    [`/?id=${700 + n}&ref=${304_729 + n}`]: `second ${n}`,
  })),
});

test("a parameter that means something on a few pages has these as exceptions", () => {
  const { rules } = learnNow(PARAMETER, { maxPageLoss: 0.05 });
  expect(ruleLines({ rules })).toEqual(["a.org\t/\tdrop ref"]);
  expect([...(rules[0]?.except ?? [])]).toEqual(Array.from({ length: 9 }, (_, n) => `/?id=70${n}`));
  expect(rules[0]?.evidence).toMatchObject({ ok: 300 });
});

test("things of which many URLs are known do not speak for those with few", () => {
  const { rules, sites } = learnNow(PARAMETER);
  expect(rules).toEqual([]);
  const [refused] = sites[0]?.refused ?? [];
  expect(refused?.rule.except?.size).toBe(9);
  // Of the nine, three URLs each, each is wrong if just one of the other two has been seen, and it is not the first.
  expect(refused?.effect.wrong).toBe(Math.ceil((9 * 3 * 2 * 0.75 * 0.25 * 2) / 3));
  expect(refused?.refusal).toMatchObject({ why: "over the budget", unit: "pages" });
});

// In short runs, determinism.test.ts counts evidence in parts.
testAtLength("evidence counted in two parts gives the same exceptions in the same order", () => {
  const collector = (known: readonly LearnRecord[]) => {
    const filled = new SiteCollector();
    filled.add(known);
    return [...filled.sites()] as [Site];
  };
  const [whole] = collector(FORUM.known);
  const rules = mineSite(whole).map(({ rule }) => ({ rule }));
  const reader = new EvidenceReader();
  for (const odd of [1, 0]) {
    const [part] = collector(FORUM.known.filter((_, at) => at % 2 === odd));
    for (const line of writeEvidenceLines(countSite(part, rules))) reader.add(line);
  }
  const { rules: added } = selectSites(reader.sites());
  expect(writeRules(added)).toBe(writeRules(LEARNED.rules));
});

test("URLs of hundreds of segments are compared in time by their length", async () => {
  const rule = parseRule("a.org\t*\tsub /print<$> =>");
  await expectLinear(["", "7/"], 1900, (path) => {
    const collector = new SiteCollector();
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    const pages = numbers.map((n) => `/t/${n}`);
    const deep = numbers.map((n) => `/${path}${n}`);
    collector.add(
      [...pages, ...pages.map((target) => `${target}/print`), ...deep].map((target, n) => ({
        url: `http://a.org${target}`,
        fp: `cls:${n}`,
      })),
    );
    for (const { name, nodes, known } of collector.sites()) {
      const stage = firstStage(name, nodes, known);
      const counted = counterOf(stage).count(rule, new ChangeFinder(nodes).changes(rule));
      expect(familiesOf(counted, stage.pages).size).toBe(60);
    }
  });
});
