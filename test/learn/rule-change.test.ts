import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import type { SiteChange } from "../../src/learn/learned-site.ts";
import { changeOf, rulesBySite } from "../../src/learn/rule-change.ts";
import type { Site } from "../../src/learn/site/site.ts";
import { parseRules, RULES_HEADER, writeRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomListRules, randomRules, urlsForRules } from "../shared/random-rules.ts";

/** Reads lines of rules. */
const rulesOf = (...lines: string[]): Rule[] => parseRules([RULES_HEADER, ...lines, ""].join("\n"));

/** Returns the sites of URLs, with the rules that each had before. */
function sitesOf(urls: readonly string[], before: readonly Rule[]): Site[] {
  const collector = new SiteCollector();
  collector.rulesBefore = rulesBySite(before);
  collector.add(urls.map((url) => ({ url })));
  return [...collector.sites()];
}

/** Compares rules on the URLs of a.org, given as path and query. */
function change(targets: string[], before: string[], after: string[], most = 9): SiteChange {
  const [site] = sitesOf(
    targets.map((target) => (target.startsWith("/") ? `http://a.org${target}` : target)),
    rulesOf(...before.map((rule) => `a.org\t${rule}`)),
  );
  return changeOf(site as Site, rulesOf(...after.map((rule) => `a.org\t${rule}`)), most);
}

test("URLs that the older rules merge do not newly merge", () => {
  const targets = ["/t?id=1", "/t?id=1&sid=2", "/t?id=1&sid=3"];
  const same = change(targets, ["*\tdrop sid"], ["/t\tdrop sid"]);
  expect(same).toEqual({ merged: 0, split: 0, keys: 0, merges: [] });
});

test("a key tells a URL that stays, and one that newly merges with it", () => {
  const targets = ["/t?id=1", "/t?id=1&sid=2", "/t?id=1&sid=3", "/t?id=2"];
  expect(change(targets, ["/x\tdrop sid"], ["/t\tdrop sid"])).toEqual({
    merged: 2,
    split: 0,
    keys: 1,
    merges: [["http://a.org/t?id=1", "http://a.org/t?id=1", "http://a.org/t?id=1&sid=3"]],
  });
});

test("of a key, the most URLs that the older rules merge stay, whichever comes first", () => {
  const logins = Array.from({ length: 9 }, (_, u) => `/login?u=${u}`);
  const { merged, merges } = change(
    ["/account?u=1", ...logins],
    ["/login\tsink /login"],
    ["/login\tsink /login", "/account\tsink /login"],
  );
  expect(merged).toBe(1);
  expect(merges).toEqual([
    ["http://a.org/login", "http://a.org/login?u=0", "http://a.org/account?u=1"],
  ]);
});

test("large groups that become one count with all their URLs, not once", () => {
  const targets = Array.from({ length: 10 }, (_, id) =>
    Array.from({ length: 10 }, (__, sid) => `/t?id=${id}&sid=${sid}`),
  ).flat();
  const { merged, keys } = change(targets, ["/t\tdrop sid"], ["/t\tsink /t"]);
  expect([merged, keys]).toEqual([90, 1]);
});

test("URLs that no longer merge are counted by themselves", () => {
  const targets = ["/t?id=1&sid=1", "/t?id=1&sid=2", "/u?a=1", "/u?a=2"];
  const { merged, split } = change(targets, ["/t\tdrop sid"], ["/u\tdrop a"]);
  expect([merged, split]).toEqual([1, 1]);
});

test("http and https are two URLs, and a rule that makes them one is new", () => {
  const { merges } = change(["/t", "https://a.org/t"], ["/x\tsort"], ["*\tscheme https"]);
  expect(merges).toEqual([["https://a.org/t", "http://a.org/t", "https://a.org/t"]]);
});

test("only so many keys are listed, and all are counted", () => {
  const targets = Array.from({ length: 8 }, (_, id) => [`/t?id=${id}`, `/t?id=${id}&s=1`]).flat();
  const { merged, keys, merges } = change(targets, ["/x\tsort"], ["/t\tdrop s"], 3);
  expect([merged, keys, merges.length]).toEqual([8, 8, 3]);
});

test("a site has the rules that name it, its domains or every site, in a normalizer's order", () => {
  const before = rulesBySite(
    rulesOf("*\t*\tdrop c", "*.org\t*\tdrop b2", "*.a.org\t*\tdrop b1", "a.org\t*\tdrop a"),
  );
  const dropped = (site: string) =>
    before(site).map(({ action }) => "params" in action && action.params[0]);
  expect(dropped("a.org")).toEqual(["a", "b1", "b2", "c"]);
  expect(dropped("x.a.org")).toEqual(["b1", "b2", "c"]);
  // A rule for every site names none.
  expect(dropped("a.com")).toEqual([]);
});

/** Counts what newly merges in all pairs of URLs: of each key, the fewest URLs without which no pair is left. */
function modelOf(urls: readonly string[], older: KeyOf, newer: KeyOf): number {
  const pairs = (url: string) =>
    urls.filter((other) => newer(other) === newer(url) && older(other) !== older(url)).length;
  const fewest = new Map<string, number>();
  for (const url of urls) {
    const key = newer(url);
    fewest.set(key, Math.min(fewest.get(key) ?? Number.POSITIVE_INFINITY, pairs(url)));
  }
  return [...fewest.values()].reduce((sum, count) => sum + count, 0);
}

type KeyOf = (url: string) => string;

/** Returns the key that a normalizer gives a URL, each URL asked once. */
function keyReader(rules: readonly Rule[]): KeyOf {
  const normalizer = createNormalizer({ preset: "safe", rules: writeRules(rules) });
  const keys = new Map<string, string>();
  return (url) => {
    const key = keys.get(url) ?? normalizer.normalize(url);
    keys.set(url, key);
    return key;
  };
}

/** Returns rules that stay on their site: the keys of a site are compared by themselves. */
const staying = (text: string): Rule[] =>
  parseRules(text).filter(({ action: { type } }) => type !== "host" && type !== "unwrap");

/** Learned rules name their site. */
const isLearned = ({ site }: Rule): boolean => site !== "*";

test("changes are those of all pairs of URLs, by keys that a normalizer gives", () => {
  const random = new Random(62);
  let [merged, split, compared] = [0, 0, 0];
  for (let run = 0; run < atLength(30, 600); run++) {
    const before = staying(
      random.chance(2) ? randomListRules(random) : randomRules(random, 1 + random.below(4), true),
    );
    const after = staying(randomRules(random, 1 + random.below(4), true)).filter(isLearned);
    const older = keyReader(before);
    const newer = keyReader(after);
    for (const site of sitesOf(urlsForRules(random, 80), before)) {
      if (site.before.length === 0) continue;
      const own = after.filter((rule) => rule.site === site.name);
      const { targets, isHttps } = site.nodes;
      const urls = targets.map(
        (target, at) => `http${isHttps[at] ? "s" : ""}://${site.name}${target}`,
      );
      const found = changeOf(site, own, Number.POSITIVE_INFINITY);
      expect(found.merged, site.name).toBe(modelOf(urls, older, newer));
      expect(found.split, site.name).toBe(modelOf(urls, newer, older));
      expect(found.merges).toHaveLength(found.keys);
      for (const [key, kept, url] of found.merges) {
        expect([newer(kept), newer(url)]).toEqual([key, key]);
        expect(older(kept)).not.toBe(older(url));
      }
      merged += found.merged;
      split += found.split;
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(atLength(30, 600));
  expect(Math.min(merged, split)).toBeGreaterThan(atLength(20, 300));
});
