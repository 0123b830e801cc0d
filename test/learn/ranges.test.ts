import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { type LearnRecord, parseAliases, writeAliases, writeRules } from "../../src/learn/index.ts";
import type { LearnOptions } from "../../src/learn/learn.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const slug = (topic: number) => `/t/${"abcdefgh"[topic % 8]}${"abcdefgh"[topic >> 3]}`;

/** A forum: each topic under its name, and under the number of each message that a list has. */
function forum(topics: number, known: readonly number[], each = 10): LearnRecord[] {
  return records(
    many(topics, (topic) => ({
      [slug(topic)]: `topic ${topic}`,
      ...Object.fromEntries(
        known.map((n) => [`/m?p=${each * topic + n}&hl=`, `topic ${topic}`] as const),
      ),
    })),
  );
}

/** Learned aliases with ranges, as lines; all aliases can be read again. */
function ranges(given: readonly LearnRecord[], options: LearnOptions = {}): string[] {
  const { aliases } = learnNow(given, options);
  expect(parseAliases(writeAliases(aliases))).toEqual(aliases);
  return aliases
    .filter(({ from }) => from.includes("<"))
    .map(({ from, to, level }) => `${from} ${to} ${level}`);
}

const KNOWN = [0, 2, 3, 5, 6, 8, 9];

describe("numbers between known ones of one page", () => {
  test("have that page, and no alias of their own is left beside the range", () => {
    const { aliases } = learnNow(forum(40, KNOWN));
    expect(aliases).toHaveLength(40);
    expect(ranges(forum(40, KNOWN))).toContain("/m?p=<10..19>&hl= /t/ba fingerprint");
  });

  test("become one with it, also where no list has them", () => {
    const { rules, aliases } = learnNow(forum(40, KNOWN));
    const files = { rules: writeRules(rules), pageAliases: writeAliases(aliases) };
    const normalizer = createNormalizer({ preset: "safe", ...files });
    const urls = ["p=4&hl=", "p=17&hl=", "p=400&hl=", "p=4"].map((q) => `http://a.org/m?${q}`);
    expect(normalizer.normalizeBatch(urls).urls).toEqual([
      "http://a.org/t/aa",
      "http://a.org/t/ba",
      ...urls.slice(2),
    ]);
  });

  test("stay apart where the known ones differ, and outside of them", () => {
    expect(ranges(forum(40, [2, 3, 5, 6])).slice(0, 2)).toEqual([
      "/m?p=<102..106>&hl= /t/cb fingerprint",
      "/m?p=<112..116>&hl= /t/db fingerprint",
    ]);
  });

  test("have no range where none is unknown", () => {
    expect(ranges(forum(40, [0, 1, 2, 3, 4, 5]))).toEqual([]);
  });

  test("have a range if the page has many of them", () => {
    const numbers = Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 3 !== 1);
    const topics = atLength(10, 30);
    expect(ranges(forum(topics, numbers, 60))).toHaveLength(topics);
  });
});

test("a number whose URL failed, or has another page, is in no range", () => {
  const fourth = Array.from({ length: 40 }, (_, topic) => {
    const record = { url: `http://a.org/m?p=${10 * topic + 4}&hl=`, fp: "cls:topic 39" };
    return topic === 0 ? record : { ...record, status: 404 };
  });
  const given = ranges([...forum(40, KNOWN), ...fourth]);
  expect(given).toHaveLength(80);
  expect(given.filter((line) => / \/t\/[ab]a /.test(line))).toEqual([
    "/m?p=<0..3>&hl= /t/aa fingerprint",
    "/m?p=<10..13>&hl= /t/ba fingerprint",
    "/m?p=<15..19>&hl= /t/ba fingerprint",
    "/m?p=<5..9>&hl= /t/aa fingerprint",
  ]);
});

test("a range leaves out the number of its target", () => {
  const given = forum(40, KNOWN).filter(({ url }) => url.includes("/m?"));
  expect(ranges(given).slice(0, 2)).toEqual([
    "/m?p=<1..9>&hl= /m?p=0&hl= fingerprint",
    "/m?p=<101..109>&hl= /m?p=100&hl= fingerprint",
  ]);
  const short = given.map((record) =>
    record.url.endsWith("p=105&hl=") ? { ...record, url: "http://a.org/m?p=5" } : record,
  );
  expect(ranges(short)).toContain("/m?p=<100..109>&hl= /m?p=5 fingerprint");
});

describe("ranges are refused", () => {
  test("if messages of one topic do not follow each other", () => {
    const random = new Random(38);
    const mixed = many(400, (n) => ({ [`/m?p=${2 * n}`]: `topic ${random.below(3)}-${n >> 5}` }));
    expect(ranges(records(mixed))).toEqual([]);
  });

  test("if fewer than five pages confirm them", () => {
    expect(ranges(forum(4, KNOWN))).toEqual([]);
    expect(ranges(forum(5, KNOWN))).toHaveLength(5);
  });

  test("if they cost more wrong merges than the budget has", () => {
    const strayed = forum(40, KNOWN).map((record) => {
      const number = Number(/p=(\d+)/.exec(record.url)?.[1]);
      return number % 100 === 5 ? { ...record, fp: "cls:topic 39" } : record;
    });
    expect(ranges(strayed)).toEqual([]);
    expect(ranges(strayed, { maxPageLoss: 0.02 })).toHaveLength(36);
  });

  test("for pages of few known numbers alone, if only these are wrong too often", () => {
    // The third of four messages is in another topic.
    const strayed = many(40, (n) => ({
      [`/m?p=${10_000 + 3 * n}&hl=`]: n % 4 === 2 ? `other ${n}` : `short ${n >> 2}`,
    }));
    const found = ranges([...forum(40, KNOWN), ...records(strayed)]);
    expect(found).toEqual(ranges(forum(40, KNOWN)));
    expect(found).toHaveLength(40);
  });

  test("for the page that a rule makes a sink", () => {
    const login = many(300, (n) => ({ [`/login?p=${2 * n}`]: "login" }));
    expect(ranges([...forum(40, KNOWN), ...records(login)])).toHaveLength(40);
  });
});

test("no known URL loses its page, whatever pages, statuses and declarations there are", () => {
  const random = new Random(3838);
  let found = 0;
  for (let round = 0; round < atLength(6, 200, 600); round++) {
    const run = 2 + random.below(9);
    const given = Array.from({ length: 300 }, (_, n): LearnRecord => {
      const page = random.chance(30) ? random.below(20) : Math.floor(n / run);
      const url = random.chance(6) ? `http://a.org/t/${page}x` : `http://a.org/m?p=${n}`;
      const to = random.pick([`/t/${page}x`, `/m?p=${random.below(300)}`, "/"]);
      return {
        url,
        ...(random.chance(4) ? {} : { fp: `cls:${page}` }),
        ...(random.chance(40) ? { status: 404 } : {}),
        ...(random.chance(8) ? { canonical: to } : {}),
        ...(random.chance(8) ? { self: [`/m?p=${run * page + random.below(run)}#p1`] } : {}),
      };
    });
    const { rules, aliases } = learnNow(given);
    const ranged = aliases.filter(({ from }) => from.includes("<"));
    expect(parseAliases(writeAliases(aliases))).toEqual(aliases);
    found += ranged.length;
    const ruled = createNormalizer({ preset: "safe", rules: writeRules(rules) });
    const key = (url: string) => ruled.normalize(url).slice("http://a.org".length);
    const pages = new Map<string, Set<string>>();
    for (const { url, fp, status } of given) {
      if (fp === undefined || status === 404) continue;
      pages.set(key(url), (pages.get(key(url)) ?? new Set<string>()).add(fp));
    }
    for (const { from, to } of ranged) {
      const [before, first, last] = from.split(/<|\.\.|>/);
      for (let n = Number(first); n <= Number(last); n++) {
        const [own] = pages.get(`${before}${n}`) ?? [];
        const [other] = pages.get(to) ?? [];
        if (own !== undefined && other !== undefined)
          expect([round, n, own]).toEqual([round, n, other]);
      }
    }
  }
  expect(found).toBeGreaterThan(20);
});
