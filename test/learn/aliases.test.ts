import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { countSite } from "../../src/learn/count/counted.ts";
import {
  EvidenceReader,
  type Learned,
  type LearnRecord,
  parseAliases,
  selectSites,
  writeAliases,
  writeEvidenceLines,
  writeRules,
} from "../../src/learn/index.ts";
import { learnNow, many, readSite, records } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** Aliases as lines: URL, target, level. */
function aliasLines({ aliases }: Pick<Learned, "aliases">): string[] {
  return aliases.map(({ from, to, level }) => `${from} ${to} ${level}`);
}

const learnAliases = (given: readonly LearnRecord[]) => aliasLines(learnNow(given));

/** A WordPress site: each post under its number and under its slug, some with a parameter that means nothing. */
const BLOG = records(
  many(40, (n) => ({
    [`/?p=${7 * n + 3}`]: `post ${n}`,
    [`/2020/0${1 + (n % 9)}/${"abcdefg".slice(n % 7)}-${n * n}/`]: `post ${n}`,
    [`/2020/0${1 + (n % 9)}/${"abcdefg".slice(n % 7)}-${n * n}/?replytocom=${n + 100}`]: `post ${n}`,
  })),
);

test("posts of a WordPress site have aliases from their slugs, beside the rules", () => {
  const { rules, aliases, sites } = learnNow(BLOG);
  expect(rules.map(({ action }) => action.type)).toEqual(["drop"]);
  expect(aliases).toHaveLength(40);
  expect(aliases[0]).toEqual({
    site: "a.org",
    from: "/2020/01/abcdefg-0/",
    to: "/?p=3",
    level: "fingerprint",
  });
  expect(sites[0]?.aliases).toEqual(aliases);
  expect(sites[0]?.effect.right).toBe(40);
});

describe("what is claimed is what the written files do", () => {
  test.each(
    sampleOf(
      [
        ["a made-up blog", BLOG],
        ["a blog", readSite("blog")],
        ["an index of files", readSite("autoindex")],
        ["a forum", readSite("forum")],
        ["a site of versions", readSite("versions")],
      ] as const,
      5,
    ),
  )("on %s", (_, given) => {
    const distinct = [...new Map(given.map((record) => [record.url, record])).values()];
    const { rules, aliases } = learnNow(distinct);
    const urls = distinct.map(({ url }) => url);
    const count = (options: { rules: string; pageAliases?: string }) =>
      new Set(createNormalizer({ preset: "safe", ...options }).normalizeBatch(urls).urls).size;
    const [before, after] = [
      count({ rules: writeRules(rules) }),
      count({ rules: writeRules(rules), pageAliases: writeAliases(aliases) }),
    ];
    const ruled = createNormalizer({ preset: "safe", rules: writeRules(rules) });
    const keys = new Set(ruled.normalizeBatch(urls).urls);
    // With http and https a key may be there twice.
    const merged = aliases.flatMap(({ site, from }) =>
      ["http", "https"].filter((scheme) => keys.has(`${scheme}://${site}${from}`)),
    );
    expect(aliases.length).toBeGreaterThan(0);
    expect(before - after).toBe(merged.length);
  });
});

test("the target is the shortest key, of several the smallest by its bytes", () => {
  const page = { "/b/long": "x", "/ccc": "x", "/bbb": "x", "/other": "y" };
  expect(learnAliases(records(page))).toEqual([
    "/b/long /bbb fingerprint",
    "/ccc /bbb fingerprint",
  ]);
});

test("a page of more than 20 keys is a sink, and gets no alias", () => {
  const pages = (count: number) =>
    records(many(count, (n) => ({ [`/${"x".repeat(n)}y${n * n}`]: "login" })));
  const withoutRules = (count: number) => {
    const { rules, aliases } = learnNow(pages(count));
    expect(rules).toEqual([]);
    return aliases.length;
  };
  expect(withoutRules(20)).toBe(19);
  expect(withoutRules(21)).toBe(0);
});

test("the page of a sink gets no alias for the few URLs that the rule does not take", () => {
  const login = many(60, (n) => ({
    [`/privmsg.php?u=${n}`]: "login",
    [`/topic/${n}`]: `topic ${n}`,
  }));
  const { rules, aliases } = learnNow(
    records({
      ...login,
      "/privmsg.php": "login",
      "/a-long-path/to-login": "login",
      "/another/path": "login",
    }),
  );
  expect(rules.map(({ action }) => action)).toEqual([{ type: "sink", target: "/privmsg.php" }]);
  expect(aliases).toEqual([]);
});

test("a page that changes between captures gets no alias", () => {
  const steady = records({ "/a": "x", "/bb": "x" });
  expect(learnAliases(steady)).toEqual(["/bb /a fingerprint"]);
  expect(learnAliases([...steady, ...steady])).toEqual(["/bb /a fingerprint"]);
  expect(learnAliases([...steady, ...records({ "/bb": "z" })])).toEqual([]);
  expect(learnAliases([...steady, ...records({ "/a": "z", "/bb": "z" })].toReversed())).toEqual([]);
});

test("error pages get no alias", () => {
  const pages = records({ "/a": "x", "/bb": "x" });
  const answered = (status: number) => pages.map((record) => ({ ...record, status }));
  expect(learnAliases(answered(200))).toEqual(["/bb /a fingerprint"]);
  expect(learnAliases(answered(404))).toEqual([]);
  expect(learnAliases([...answered(200), ...answered(410).slice(0, 1)])).toEqual([]);
});

test("URLs that differ in their scheme alone need no alias", () => {
  expect(learnAliases(records({ "http://a.org/x": "x", "https://a.org/x": "x" }))).toEqual([]);
});

test("a redirect and a canonical URL are aliases to the URL that they name", () => {
  const url = "http://a.org/?p=1";
  const slug = "http://a.org/2020/a-long-slug/";
  const expected = ["/?p=1 /2020/a-long-slug/ declared"];
  expect(learnAliases([{ url, status: 301, redirect: "/2020/a-long-slug/" }])).toEqual(expected);
  expect(learnAliases([{ url, canonical: slug, fp: "cls:1" }])).toEqual(expected);
  expect(
    learnAliases([
      { url, canonical: slug, fp: "cls:1" },
      { url: slug, canonical: slug, fp: "cls:1" },
      { url: `${slug}?x`, fp: "cls:1" },
    ]),
  ).toEqual(["/2020/a-long-slug/?x /2020/a-long-slug/ fingerprint", ...expected]);
  expect(learnAliases([{ url, status: 302, redirect: "/2020/a-long-slug/" }])).toEqual([]);
});

test("a chain of redirects is an alias to its end, and a circle is none", () => {
  const redirect = (from: string, to: string) => ({
    url: `http://a.org${from}`,
    status: 301,
    redirect: to,
  });
  const chain = [redirect("/a", "/b"), redirect("/b", "/c")];
  expect(learnAliases(chain)).toEqual(["/a /c declared", "/b /c declared"]);
  expect(learnAliases([...chain, redirect("/c", "/a")])).toEqual([]);
  expect(learnAliases([...chain, redirect("/b", "/d")])).toEqual([]);
});

test("a declaration that fingerprints contradict, or of many URLs, is no alias", () => {
  const list = { url: "http://a.org/list", fp: "cls:1" };
  const second = { url: "http://a.org/list?page=2", fp: "cls:2", canonical: "/list" };
  expect(learnAliases([list, second])).toEqual([]);
  expect(learnAliases([list, { ...second, fp: "cls:1" }])).toEqual(["/list?page=2 /list declared"]);
  const dead = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      url: `http://a.org/${"x".repeat(n)}y${n * n}`,
      status: 301,
      redirect: "/",
    }));
  expect(learnNow(dead(21)).rules).toEqual([]);
  expect(learnAliases(dead(19))).toHaveLength(19);
  expect(learnAliases(dead(21))).toEqual([]);
});

test("URLs that the site declares to be two pages are left apart", () => {
  const own = (path: string) => ({ url: `http://a.org${path}`, canonical: path, fp: "cls:1" });
  expect(learnAliases([own("/a"), own("/bb")])).toEqual([]);
});

test("a site that moves to another host gets no alias", () => {
  const moved = Array.from({ length: 6 }, (_, n) => ({
    url: `http://www.a.org/p${n}`,
    status: 301,
    redirect: `http://a.org/p${n}`,
  }));
  const twins = records({ "/x": "x", "/yy": "x" }, "www.a.org");
  expect(learnAliases(twins)).toEqual(["/yy /x fingerprint"]);
  const { rules, aliases } = learnNow([...moved, ...twins]);
  expect(rules.map(({ action }) => action.type)).toEqual(["host"]);
  expect(aliases).toEqual([]);
});

test("the order of records changes nothing", () => {
  const given = atLength(BLOG, readSite("blog"));
  expect(learnNow(given.toReversed()).aliases).toEqual(learnNow(given).aliases);
});

test("evidence from files gives no aliases, because it does not say which URLs failed", () => {
  const collector = new SiteCollector();
  collector.add(BLOG);
  const reader = new EvidenceReader();
  for (const site of collector.sites()) {
    for (const line of writeEvidenceLines(countSite(site, []))) reader.add(line);
  }
  const { aliases, sites } = selectSites(reader.sites());
  expect(aliases).toEqual([]);
  expect(sites[0]?.aliases).toEqual([]);
});

/** Pages of a photo blog, each with some of the images that it was fetched with: the image does not affect the list. */
const IMAGES: Readonly<Record<string, readonly number[]>> = {
  2: [21, 22, 34, 77, 94],
  17: [34, 68, 94],
  18: [13, 31, 94],
  19: [21, 56, 77],
  26: [21, 22, 56],
  27: [21, 31, 34, 68, 94],
};

test("what a twin tells of a number inside a range is written once", () => {
  const pages = Object.entries(IMAGES).flatMap(([page, images]) =>
    images.map((image) => [`/page/${page}/?showimage=${image}`, page]),
  );
  const changed = records({ "/page/26/?showimage=13": "changed" });
  const { aliases } = learnNow([...records(Object.fromEntries(pages)), ...changed]);
  expect(aliases.some(({ from }) => from.includes("<35..94>"))).toBe(true);
  expect(parseAliases(writeAliases(aliases))).toEqual(aliases);
});

test("files of aliases are read back, whatever is known of a site", () => {
  const random = new Random(26);
  const images = [13, 21, 22, 31, 34, 56, 68, 77, 94];
  for (let site = 0; site < atLength(20, 3000); site++) {
    const known: Record<string, string> = {};
    for (let page = 2; page < 30; page += 1 + random.below(9)) {
      for (const image of images.filter(() => random.chance(2))) {
        const shown = random.chance(20) ? `changed ${image}` : `${page}`;
        known[`/page/${page}/?showimage=${image}`] = shown;
      }
    }
    const { aliases } = learnNow(records(known));
    expect(parseAliases(writeAliases(aliases)), `site ${site}`).toEqual(aliases);
  }
});
