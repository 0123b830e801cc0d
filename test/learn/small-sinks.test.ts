import { describe, expect, test } from "vitest";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";

const TOPICS = many(7000, (n) => ({ [`/topic.php?t=${n}`]: `topic ${n}` }));

test("a login page that comes in six shapes is one sink", () => {
  const login = many(1936, (n) => ({ [`/ucp.php?mode=login&back=${n}`]: `login ${n % 6}` }));
  const given = records({ ...TOPICS, ...login });
  const { rules } = learnNow(given);
  expect(appliedRules(rules, given)).toEqual({ right: 1930, wrong: 5 });
});

test("a script with twenty pages of a hundred URLs each is not a sink, though no page would be lost", () => {
  const lists = many(2000, (n) => ({ [`/list.php?x=${n}`]: `list ${n % 20}` }));
  const copies = many(20, (n) => ({ [`/copy/${"abcdefghijklmnopqrst"[n]}`]: `list ${n}` }));
  const given = records({ ...TOPICS, ...lists, ...copies });
  expect(appliedRules(learnNow(given).rules, given)).toEqual({ right: 0, wrong: 0 });
});

test("login and sign-up of a wiki are two sinks, though they show the same text", () => {
  const pages = many(40, (n) => ({
    [`/index.php?title=Special:UserLogin&returnto=Page${n}`]: "the form",
    [`/index.php?title=Special:CreateAccount&returnto=Page${n}`]: "the form",
    [`/index.php?title=Page${n}`]: `page ${n}`,
  }));
  const { rules } = learnNow(records(pages));
  const sinks = rules.flatMap(({ action }) => (action.type === "sink" ? action.target : []));
  expect(new Set(sinks.map((target) => /title=[^&]*/.exec(target)?.[0]))).toEqual(
    new Set(["title=Special:UserLogin", "title=Special:CreateAccount"]),
  );
});

test("URLs of an empty list do not become one with a list that has entries", () => {
  const empty = many(100, (n) => ({
    [`/shop?size=1&brand=${n % 10}&color=${n}`]: "nothing found",
  }));
  const lists = many(200, (n) => ({ [`/shop?color=${n}`]: `list ${n}` }));
  const others = many(40, (n) => ({
    [`/shop?size=${n + 2}`]: `size ${n + 2}`,
    [`/shop?size=${n + 2}&brand=${n}`]: `brand ${n}`,
  }));
  const targetsOf = (...pages: Record<string, string>[]) =>
    learnNow(records(Object.assign({}, ...pages, lists, TOPICS))).rules.flatMap(({ action }) =>
      action.type === "sink" ? action.target : [],
    );
  // Only an unknown page may be the empty list.
  expect(targetsOf(empty, others)).toEqual(["/shop?size=1"]);
  expect(targetsOf(empty, others, { "/shop?size=1": "size 1" })).toEqual([]);
});

describe.each([
  ["a parameter", (year: number) => `/cal?year=${year}&month=`],
  ["a segment", (year: number) => `/cal/${year}?month=`],
])("years of a calendar in %s", (_, start) => {
  /** A calendar without events, but for the months of years that are said so. */
  const calendar = (hasEvent: (year: number) => boolean, months = 12) => {
    const urls = many(40 * months, (n) => {
      const [year, month] = [Math.floor(n / months), n % months];
      const isEvent = month === year % months && hasEvent(year);
      return { [start(1950 + year) + month]: isEvent ? `event ${n}` : "no event" };
    });
    return records(urls);
  };
  const sinksOf = (given: ReturnType<typeof records>): number =>
    learnNow(given).rules.filter(({ action }) => action.type === "sink").length;

  test("are no sinks if others have an event", () => {
    expect(sinksOf(calendar((year) => year % 3 > 0))).toBe(0);
  });

  test("are sinks if a hundred URLs show it", () => {
    expect(sinksOf(calendar((year) => year % 3 > 0, 120))).toBeGreaterThan(0);
  });

  test("are sinks if hardly another has an event", () => {
    expect(sinksOf(calendar((year) => year % 9 === 0))).toBeGreaterThan(0);
  });
});
