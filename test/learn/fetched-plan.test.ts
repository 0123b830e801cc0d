import { describe, expect, test } from "vitest";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import {
  type FetchPlan,
  type FetchPlanOptions,
  type PlannedPair,
  planPairs,
} from "../../src/learn/fetched/index.ts";
import { parseRules } from "../../src/site-rules/language/rule-file.ts";
import { parseRule } from "../../src/site-rules/language/rule-line.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const DROP = "a.example\t*\tdrop s";

function planOf(
  urls: readonly string[],
  lines: readonly string[],
  options?: FetchPlanOptions,
): FetchPlan {
  const collector = new SiteCollector();
  collector.add(urls.map((url) => ({ url })));
  return planPairs(lines.map(parseRule), collector.sites(), options);
}

function pairsOf(urls: readonly string[], line = DROP, options?: FetchPlanOptions): PlannedPair[] {
  return [...(planOf(urls, [line], options).rules[0]?.pairs ?? [])];
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  const left = [...values];
  return values.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** Groups `/p0`, `/p1` and so on, each with as many URLs as `sizes` says. */
function groups(sizes: readonly number[], host = "a.example"): string[] {
  return sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, member) => `http://${host}/p${group}?s=${member}`),
  );
}

const pathOf = (url: string): string => new URL(url).pathname;

function perGroup(pairs: readonly PlannedPair[]): number[] {
  const counts = new Map<string, number>();
  for (const { url } of pairs) counts.set(pathOf(url), (counts.get(pathOf(url)) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => a - b);
}

describe("planPairs", () => {
  test.each([
    ["*.a.org\t*\tdrop sid", "is of a domain"],
    ["*\t*\tdrop sid\n\tunless\tb.org\t*", "leaves URLs alone"],
  ])("a plan cannot say the rule %j", (lines, why) => {
    const rules = parseRules(`#urlmill-rules 1\n${lines}\n`);
    expect(() => planPairs(rules, [])).toThrow(
      expect.objectContaining({ code: "BAD_RULES", message: expect.stringContaining(why) }),
    );
  });

  test("chooses the same pairs whatever order URLs and rules come in", () => {
    const urls = [...groups(Array(80).fill(3)), ...groups(Array(9).fill(8), "b.example")];
    const lines = [DROP, "b.example\t*\tdrop s", "*\t*\tdrop s", "a.example\t*\tdropif s=1"];
    const first = planOf(urls, lines);
    for (let seed = 1; seed <= atLength(2, 5); seed++) {
      const order = shuffled([0, 1, 2, 3], seed);
      const again = planOf(
        shuffled(urls, seed),
        order.map((rule) => lines[rule] as string),
      );
      expect(again.rules).toEqual(order.map((rule) => first.rules[rule]));
    }
  });

  test("does not depend on the other rules", () => {
    const urls = groups(Array(80).fill(3));
    const both = planOf(urls, ["a.example\t*\tdropif s=1", DROP]);
    expect(both.rules[1]).toEqual(planOf(urls, [DROP]).rules[0]);
  });

  test("another seed chooses other pairs", () => {
    const urls = groups(Array(200).fill(2));
    expect(pairsOf(urls, DROP, { seed: "a" })).not.toEqual(pairsOf(urls, DROP, { seed: "b" }));
    expect(pairsOf(urls, DROP, { seed: "a" })).toEqual(pairsOf(urls, DROP, { seed: "a" }));
  });

  test("takes one pair of each group while there are groups enough", () => {
    const pairs = pairsOf(groups([...Array(70).fill(2), 500, 900]));
    expect(perGroup(pairs)).toEqual(Array(50).fill(1));
  });

  test("does not prefer large groups", () => {
    const sizes = [...Array(200).fill(2), ...Array(200).fill(12)];
    const SEEDS = atLength(8, 20);
    let large = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const pairs = pairsOf(groups(sizes), DROP, { seed: String(seed) });
      large += pairs.filter(({ url }) => Number(pathOf(url).slice(2)) >= 200).length;
    }
    expect(large / (50 * SEEDS)).toBeGreaterThan(0.42);
    expect(large / (50 * SEEDS)).toBeLessThan(0.58);
  });

  test("spreads further pairs evenly over few groups", () => {
    expect(perGroup(pairsOf(groups(Array(12).fill(100))))).toEqual([
      ...Array(10).fill(4),
      ...Array(2).fill(5),
    ]);
    expect(perGroup(pairsOf(groups([3, 3, 100])))).toEqual([2, 2, 46]);
  });

  test("asks for no pair twice, and for each with two URLs", () => {
    const pairs = pairsOf(groups([7, 7, 100]));
    expect(new Set(pairs.map(({ url, other }) => `${url} ${other}`)).size).toBe(pairs.length);
    for (const { url, other } of pairs) {
      expect(url).not.toBe(other);
      expect(pathOf(url)).toBe(pathOf(other));
    }
  });

  test("the other URL is the rule's result where the list has it", () => {
    expect(pairsOf([...groups([2]), "http://a.example/p0"])).toEqual(
      expect.arrayContaining([
        { url: "http://a.example/p0?s=0", other: "http://a.example/p0" },
        { url: "http://a.example/p0?s=1", other: "http://a.example/p0" },
      ]),
    );
  });

  test("what is alone in its group is compared with what the rule makes of it", () => {
    expect(pairsOf(["http://a.example/p?s=1&t=2", "http://a.example/q"])).toEqual([
      { url: "http://a.example/p?s=1&t=2", other: "http://a.example/p?t=2" },
    ]);
  });

  test("groups the list has two members of come before those, second pairs after", () => {
    const pairs = pairsOf(groups([...Array(20).fill(1), ...Array(5).fill(3)]));
    const isMerged = pairs.map(({ url }) => Number(pathOf(url).slice(2)) >= 20);
    expect(isMerged).toEqual([
      ...Array(5).fill(true),
      ...Array(20).fill(false),
      ...Array(5).fill(true),
    ]);
    expect(perGroup(pairs)).toEqual([...Array(20).fill(1), ...Array(5).fill(2)]);
  });

  test("a rule for hosts, or for the scheme, is compared across them", () => {
    expect(
      pairsOf(["http://a.example/p?s=1"], "a.example\t*\thost a.example => b.example"),
    ).toEqual([{ url: "http://a.example/p?s=1", other: "http://b.example/p?s=1" }]);
    const both = ["http://a.example/p", "https://a.example/p"];
    expect(pairsOf(both, "a.example\t*\tscheme https")).toEqual([
      { url: "http://a.example/p", other: "https://a.example/p" },
    ]);
  });

  test("a port is part of the site", () => {
    const line = "a.example:8080\t*\tdrop s";
    expect(pairsOf(["https://a.example:8080/?s=1"], line)).toEqual([
      { url: "https://a.example:8080/?s=1", other: "https://a.example:8080/" },
    ]);
  });

  test("a rule for every site has pairs of all of them", () => {
    const urls = [...groups(Array(100).fill(2)), ...groups(Array(100).fill(2), "b.example")];
    const hosts = pairsOf(urls, "*\t*\tdrop s").map(({ url }) => new URL(url).host);
    expect(hosts).toHaveLength(50);
    expect(hosts.filter((host) => host === "a.example").length).toBeGreaterThan(12);
    expect(hosts.filter((host) => host === "b.example").length).toBeGreaterThan(12);
  });

  test("a rule that changes nothing has no pairs", () => {
    expect(planOf(["http://a.example/"], [DROP, "c.example\t*\tdrop s"]).rules).toEqual([
      { rule: parseRule(DROP), pairs: [], merged: 0, urls: 1 },
      { rule: parseRule("c.example\t*\tdrop s"), pairs: [], merged: 0, urls: 0 },
    ]);
  });

  test("each kind of page has its turn, however few of it there are", () => {
    const rare = Array.from({ length: 9 }, (_, at) => [
      `http://a.example/old${at}?s=1&page=${at}`,
      `http://a.example/old${at}?s=2&page=${at}`,
      `http://a.example/a-long-title-${at}?s=1`,
      `http://a.example/a-long-title-${at}?s=2`,
    ]);
    const urls = [...groups(Array(400).fill(2)), ...rare.flat()];
    const pairs = pairsOf(urls, DROP, { pairs: 15 });
    const count = (part: string) => pairs.filter(({ url }) => url.includes(part)).length;
    expect([count("/p"), count("/old"), count("title")]).toEqual([5, 5, 5]);
    expect(planOf(urls, [DROP]).rules[0]).toMatchObject({ merged: 418, urls: 836 });
  });

  test("pairs are as many as asked for, 1 to 50", () => {
    const urls = groups(Array(80).fill(2));
    expect(pairsOf(urls, DROP, { pairs: 7 })).toEqual(pairsOf(urls).slice(0, 7));
    for (const pairs of [0, 51, 2.5, Number.NaN]) {
      expect(() => planPairs([] as Rule[], [], { pairs })).toThrow(
        `option pairs cannot be ${pairs}: expected 1 to 50`,
      );
    }
  });
});
