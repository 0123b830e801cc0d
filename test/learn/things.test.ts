import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { type LearnRecord, parseAliases, writeAliases, writeRules } from "../../src/learn/index.ts";
import type { LearnOptions } from "../../src/learn/learn.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const letters = (n: number) => "abcdefgh".charAt(n % 8) + "abcdefgh".charAt(n >> 3);
const VIEWS = ["x=1", "y=2", "z=3", "w=4"];

/** Articles in four views. Those of every third have one page; of `alike` in 30 of the others only the last differs. */
function wiki(
  articles: number,
  alike = 0,
  views = VIEWS,
  base = (n: number) => `/w/${letters(n)}?`,
) {
  return records(
    many(articles, (n) =>
      Object.fromEntries(
        views.map((view, at) => {
          const isOne = n % 3 === 0 || (n % 30 < alike && at < views.length - 1);
          return [base(n) + view, isOne ? `article ${n}` : `article ${n} ${view}`];
        }),
      ),
    ),
  );
}

/** Learned aliases for any other parameters, as lines; all aliases can be read again. */
function things(given: readonly LearnRecord[], options: LearnOptions = {}): string[] {
  const { aliases } = learnNow(given, options);
  expect(parseAliases(writeAliases(aliases))).toEqual(aliases);
  return aliases
    .filter(({ from }) => from.endsWith("<*>"))
    .map(({ from, to, level }) => `${from} ${to} ${level}`);
}

describe("a thing whose known variants all have one page", () => {
  test("gives it to its others, and leaves no alias of its own beside that", () => {
    const { aliases } = learnNow(wiki(60));
    expect(aliases).toHaveLength(20);
    expect(things(wiki(60))).toContain("/w/aa?<*> /w/aa?w=4 fingerprint");
  });

  test("is a path, or a path and a parameter", () => {
    const given = wiki(60, 0, VIEWS, (n) => `/w?id=${letters(n)}&`);
    expect(things(given)).toContain("/w?id=aa&<*> /w?id=aa&w=4 fingerprint");
    const { rules, aliases } = learnNow(given);
    const files = { rules: writeRules(rules), pageAliases: writeAliases(aliases) };
    const normalizer = createNormalizer({ preset: "safe", ...files });
    const urls = ["id=aa&v", "v&id=aa&u", "id=aa", "id=ba&v", "id=zz&v"].map(
      (query) => `http://a.org/w?${query}`,
    );
    const one = "http://a.org/w?id=aa&w=4";
    expect(normalizer.normalizeBatch(urls).urls).toEqual([one, one, one, ...urls.slice(3)]);
  });

  test("has its shortest known variant as the target, which may be the bare path", () => {
    const bare = records(
      many(60, (n) => (n % 3 === 0 ? { [`/w/${letters(n)}`]: `article ${n}` } : {})),
    );
    expect(things([...wiki(60), ...bare])).toContain("/w/aa?<*> /w/aa fingerprint");
  });

  test("needs two known variants", () => {
    const given = [
      ...wiki(60),
      ...records({ "/w/one?x=1": "one", "/w/two?x=1": "2", "/w/two?y": "2" }),
    ];
    const found = things(given).map((line) => line.slice(0, 6));
    expect(found).toContain("/w/two");
    expect(found).not.toContain("/w/one");
  });

  test("is not one if a URL failed, or has another page", () => {
    const failed = { url: "http://a.org/w/aa?v", fp: "cls:article 0", status: 404 };
    expect(things([...wiki(60), failed]).some((line) => line.startsWith("/w/aa"))).toBe(false);
    const bare = records({ "/w/aa": "another page", "/w/ab": "one" });
    expect(things([...wiki(60), ...bare]).some((line) => line.startsWith("/w/aa"))).toBe(false);
  });
});

describe("things are refused", () => {
  test("if the last variant of many has another page", () => {
    expect(things(wiki(60, 20))).toEqual([]);
  });

  test("if fewer than five pages confirm them", () => {
    expect(things(wiki(12))).toEqual([]);
    expect(things(wiki(15))).toHaveLength(5);
  });

  test("by their paths, if one part of a site is wrong", () => {
    const articles = atLength(30, 60);
    const wrong = wiki(articles, 20, VIEWS, (n) => `/u/${n}/?`);
    const right = wiki(articles, 0, VIEWS, (n) => `/v/${n}/?`);
    const found = things([...wrong, ...right]);
    expect(found).toHaveLength(articles / 3);
    expect(found.every((line) => line.startsWith("/v/"))).toBe(true);
  });

  test("if they cost more than the budget has", () => {
    const given = wiki(60, 2);
    expect(things(given)).toEqual([]);
    expect(things(given, { maxPageLoss: 0.05 })).toHaveLength(20);
  });
});

/** URLs of some paths, most of which are a thing, each once: two captures of a URL would say that its page changes. */
function randomSite(random: Random): LearnRecord[] {
  const given = Array.from({ length: 4 + random.below(30) }, (_, path) => {
    const isThing = random.below(4) > 0;
    return Array.from({ length: 2 + random.below(6) }, () => {
      const params = [`a=${random.below(3)}`, `b=${random.below(3)}`, "c"];
      const query = params.filter(() => random.chance(2)).join("&");
      const page = isThing ? `${path}` : `${path} ${query}`;
      const url = `http://a.org/${random.chance(3) ? "s" : `p${path}`}${query === "" ? "" : `?${query}`}`;
      return { url, fp: `cls:${random.chance(30) ? "another" : page}` };
    });
  }).flat();
  return [...new Map(given.map((record) => [record.url, record])).values()];
}

test("aliases of random sites can be read, and merge no known URLs of different pages", () => {
  const random = new Random(38);
  let found = 0;
  for (let site = 0; site < atLength(5, 150, 400); site++) {
    const given = randomSite(random);
    const { rules, aliases } = learnNow(given, { maxPageLoss: random.pick([0.001, 0.05, 0.3]) });
    found += aliases.filter(({ from }) => from.endsWith("<*>")).length;
    expect(parseAliases(writeAliases(aliases))).toEqual(aliases);
    const ruled = createNormalizer({ rules: writeRules(rules) });
    const aliased = createNormalizer({
      rules: writeRules(rules),
      pageAliases: writeAliases(aliases),
    });
    const pages = new Map<string, Set<string | undefined>>();
    for (const { url, fp } of given) {
      const key = ruled.normalize(url);
      pages.set(key, (pages.get(key) ?? new Set()).add(fp));
    }
    const pageOf = new Map<string, string | undefined>();
    for (const [key, [page, ...others]] of pages) {
      if (others.length > 0) continue;
      const own = aliased.normalize(key);
      expect(pageOf.get(own) ?? page).toBe(page);
      pageOf.set(own, page);
    }
  }
  expect(found).toBeGreaterThan(atLength(5, 150, 400));
});
