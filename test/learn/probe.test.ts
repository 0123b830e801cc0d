import { describe, expect, test } from "vitest";
import {
  type LearnRecord,
  learnSites,
  probe,
  SiteCollector,
  writeRule,
} from "../../src/learn/index.ts";
import { sampleOf } from "../shared/length.ts";

const HOST = "http://shop.example";

/** What a site shows for each of its URLs. */
type SiteMap = ReadonlyMap<string, string>;

function collectorOf(urls: Iterable<string>, records: readonly LearnRecord[]): SiteCollector {
  const collector = new SiteCollector();
  collector.add([...urls].map((url) => ({ url })));
  collector.add(records);
  return collector;
}

/** Fetches by rounds until nothing is asked for. Returns the records of what was fetched, in order. */
function fetchAll(site: SiteMap, fetches: number): LearnRecord[] {
  const records: LearnRecord[] = [];
  for (;;) {
    const { urls, fetched } = probe(collectorOf(site.keys(), records).sites(), { fetches });
    expect(fetched).toBe(records.length);
    expect(urls.length).toBeLessThanOrEqual(20);
    if (urls.length === 0) return records;
    for (const url of urls) records.push({ url, fp: `cls:${site.get(url)}` });
  }
}

function rulesOf(site: SiteMap, records: readonly LearnRecord[]): string[] {
  const { rules } = learnSites(collectorOf(site.keys(), records));
  return rules.map((rule) => writeRule(rule).split("\t").slice(1, 3).join(" "));
}

/** Returns what was asked for again. */
const again = (asked: readonly string[]): string[] =>
  asked.filter((url, at) => asked.indexOf(url) < at);

const NUMBERS = Array.from({ length: 400 }, (_, at) => at + 1);
const hex = (number: number): string => ((number * 7919) % 65_536).toString(16).padStart(4, "0");

describe("probe", () => {
  test("finds by 100 fetches what half of a list would tell", () => {
    const site = new Map(
      NUMBERS.flatMap((id) => [
        [`${HOST}/item.php?id=${id}`, `item ${id}`],
        [`${HOST}/item.php?id=${id}&sid=${hex(id)}`, `item ${id}`],
        [`${HOST}/item.php?id=${id}&page=2`, `item ${id}, page 2`],
      ]),
    );
    const records = fetchAll(site, 100);
    expect(records).toHaveLength(100);
    const asked = records.map(({ url }) => url);
    // A second page differs from the first. One of each kind tells that such pages do not change.
    const kinds = again(asked).map((url) => url.replaceAll(/=[^&]*/g, ""));
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds).toContain(`${HOST}/item.php?id&page`);
    expect(asked.filter((url) => !site.has(url))).toEqual([]);
    expect(rulesOf(site, records)).toEqual(["/item.php drop sid"]);
    // By chance, hardly two URLs of one item are among a hundred.
    const some = [...site].filter((_, at) => at % 12 === 0);
    expect(
      rulesOf(
        site,
        some.map(([url, page]) => ({ url, fp: `cls:${page}` })),
      ),
    ).toEqual([]);
  });

  const KINDS: readonly (readonly [string, (id: number) => readonly [string, string], string])[] = [
    [
      "parameters that come together",
      (id) => [`/${id}`, `/${id}?sort=asc&order=a`],
      "drop order,sort",
    ],
    ["the order of parameters", (id) => [`/?a=${id}&b=1`, `/?b=1&a=${id}`], "sort"],
    ["a word as last segment", (id) => [`/${id}`, `/${id}/amp`], "sub /amp<$> => "],
    ["one of two values", (id) => [`/?t=${id}&view=list`, `/?t=${id}&view=grid`], "drop view"],
    ["what follows a number", (id) => [`/?t=${id}.0`, `/?t=${id}.msg${id}`], "sub .msg<N> => .0"],
  ];
  test.each(sampleOf(KINDS, 2))("asks for URLs that differ in %s", (_, twoOf) => {
    const urls = NUMBERS.flatMap((id) =>
      twoOf(id).map((path) => [HOST + path, `page ${id}`] as const),
    );
    const asked = fetchAll(new Map(urls), 60).map(({ fp }) => fp);
    // Both URLs of so many pages.
    expect(asked.length - new Set(asked).size).toBeGreaterThanOrEqual(12);
  });

  test("leaves a pattern after two pairs of different pages", () => {
    const site = new Map(
      NUMBERS.flatMap((id) => [
        [`${HOST}/list?page=${id}`, `list ${id}`],
        [`${HOST}/item?id=${id % 50}&ref=${id}`, `item ${id % 50}`],
      ]),
    );
    const records = fetchAll(site, 100);
    const asked = records.map(({ url }) => url);
    // By chance, half of the URLs would be lists.
    expect(asked.slice(0, 40).filter((url) => url.includes("/list")).length).toBeLessThan(15);
    expect(rulesOf(site, records)).toEqual(["/item drop ref"]);
  });

  test.each<[string, Omit<LearnRecord, "url">]>([
    ["404", { status: 404 }],
    ["500", { status: 500 }],
    ["a redirect on the site", { status: 301, redirect: `${HOST}/` }],
    ["a redirect to another site", { status: 301, redirect: "http://other.example/" }],
    ["a fingerprint of another kind", { fp: "raw:1" }],
  ])("counts an answer with %s, and does not ask for it again", (_, answer) => {
    const urls = NUMBERS.slice(0, 40).map((id) => `${HOST}/${id}`);
    const records: LearnRecord[] = urls.slice(0, 10).map((url) => ({ url, ...answer }));
    for (const url of urls.slice(10, 30)) records.push({ url, fp: `cls:${url}` });
    const after = probe(collectorOf(urls, records).sites(), { fetches: 100 });
    // Where a site redirects to is one of its URLs, too.
    const target = after.urls.filter((url) => !urls.includes(url));
    expect(target).toEqual(answer.redirect === `${HOST}/` ? [`${HOST}/`] : []);
    expect([after.urls.length - target.length, after.fetched]).toEqual([10, 30]);
  });

  test("asks for pages of which only status or size is known, as in logs", () => {
    const urls = NUMBERS.slice(0, 30).map((id) => `${HOST}/${id}`);
    const records = urls.map((url) => ({ url, status: 200, size: 7 }));
    expect(probe(collectorOf([], records).sites()).fetched).toBe(0);
  });

  const ALONE = NUMBERS.map((id) => `${HOST}/item?id=${id}&sid=${hex(id)}`);

  test("asks for URLs that no list has if it may, until that is settled", () => {
    const records: LearnRecord[] = [];
    for (;;) {
      const sites = collectorOf(ALONE, records).sites();
      const { urls } = probe(sites, { fetches: 60, invent: true });
      if (urls.length === 0) break;
      for (const url of urls) records.push({ url, fp: `cls:${/\bid=\d+/.exec(url)}` });
    }
    expect(records).toHaveLength(60);
    const invented = records.filter(({ url }) => !ALONE.includes(url)).map(({ url }) => url);
    expect(invented.length).toBeGreaterThanOrEqual(12);
    expect(invented.every((url) => /\/item\?(?:id=\d+|sid=[0-9a-f]{4})$/.test(url))).toBe(true);
    const { rules } = learnSites(collectorOf(ALONE, records));
    expect(rules.map(({ action }) => action)).toEqual([{ type: "drop", params: ["sid"] }]);
    expect(fetchAll(new Map(ALONE.map((url) => [url, url])), 60)).toHaveLength(60);
  });

  /** Returns, in order, what is asked for beside the URLs of a list. `answer`: what all of that shows. */
  function inventedFor(urls: readonly string[], answer: Omit<LearnRecord, "url">): string[] {
    const records: LearnRecord[] = [];
    for (;;) {
      const sites = collectorOf(urls, records).sites();
      const round = probe(sites, { fetches: 200, invent: true });
      expect(round.fetched).toBe(records.length);
      if (round.urls.length === 0) break;
      for (const url of round.urls)
        records.push({ url, ...(urls.includes(url) ? { fp: `cls:${url}` } : answer) });
    }
    return records.map(({ url }) => url).filter((url) => !urls.includes(url));
  }

  describe.each<[string, Omit<LearnRecord, "url">]>([
    ["an error", { status: 404 }],
    ["a page", { fp: "cls:0" }],
  ])("asks once for what it makes if that shows %s", (_, answer) => {
    test("with parameters after a semicolon, of which one goes", () => {
      const urls = NUMBERS.slice(0, 5).map((id) => `${HOST}/x?p=1;id=${id}`);
      const invented = inventedFor(urls, answer);
      expect(invented.toSorted()).toEqual(urls.map((url) => url.replace("p=1;", "")));
    });

    test("with a parameter as its first that chooses a program", () => {
      const urls = ["view", "print", "list"].flatMap((word) =>
        NUMBERS.slice(0, 22).map((id) => `${HOST}/x?do=${word}&id=${id}`),
      );
      const last = NUMBERS.slice(0, 9).map((s) => `${HOST}/x?s=${s}&do=view&n=${s}`);
      const invented = inventedFor([...urls, ...last], answer);
      expect(invented.length).toBeGreaterThan(0);
      expect(again(invented)).toEqual([]);
    });
  });

  test.each(["/logout?id=", "/wishlist/add?id=", "/item?action=delete&id=", "/a?do=Log-Out&id="])(
    "does not make a URL of one that may act: %s",
    (path) => {
      const urls = NUMBERS.map((id) => `${HOST}${path}${id}&sid=${hex(id)}`);
      const asked = probe(collectorOf(urls, []).sites(), { invent: true }).urls;
      expect(asked.filter((url) => !urls.includes(url))).toEqual([]);
      expect(asked).toHaveLength(20);
    },
  );

  /** News change at each fetch; lists differ, and do not change. */
  const NOISY = new Map(
    NUMBERS.slice(0, 150).flatMap((id) => [
      [`${HOST}/news?id=${id}`, "news"],
      [`${HOST}/news?id=${id}&sid=${hex(id)}`, "news"],
      [`${HOST}/list?id=${id}`, `list ${id}`],
      [`${HOST}/list?id=${id}&page=2`, `list ${id}, page 2`],
    ]),
  );

  test("fetches pages that differ twice, until it knows whether such pages change", () => {
    const records: LearnRecord[] = [];
    let changing = 0;
    for (;;) {
      const round = probe(collectorOf(NOISY.keys(), records).sites(), { fetches: 200 });
      if (round.urls.length === 0) break;
      changing = round.changing;
      for (const url of round.urls) {
        const page = NOISY.get(url);
        records.push({ url, fp: `cls:${page === "news" ? `news ${records.length}` : page}` });
      }
    }
    const twice = again(records.map(({ url }) => url));
    const news = twice.filter((url) => url.includes("/news"));
    // Two of a kind, or one if the other kind is known.
    expect(news.length).toBeGreaterThanOrEqual(2);
    expect(news.length).toBeLessThanOrEqual(4);
    expect(changing).toBe(news.length);
    expect(twice.length - news.length).toBeLessThanOrEqual(2);
    expect(records).toHaveLength(200);
  });

  test("does not ask for pairs of pages that change at each fetch", () => {
    const first = [...NOISY.keys()].filter((url) => /news\?id=\d+$/.test(url)).slice(0, 8);
    const askedAfter = (other: string): string[] => {
      const records = first.flatMap((url, at) => [
        { url, fp: `cls:${at}` },
        { url, fp: `cls:${other}${at}` },
      ]);
      return [...probe(collectorOf(NOISY.keys(), records).sites(), { fetches: 30 }).urls];
    };
    /** Counts the second URLs of the pairs whose first one was fetched. */
    const pairs = (urls: readonly string[]): number =>
      urls.filter((url) => first.some((one) => url.startsWith(`${one}&`))).length;
    expect(pairs(askedAfter(""))).toBeGreaterThanOrEqual(3);
    expect(pairs(askedAfter("other "))).toBe(0);
    expect(askedAfter("other ")).toHaveLength(14);
  });

  test("ends although what it asks for twice is recorded once", () => {
    const records = new Map<string, LearnRecord>();
    for (let round = 0; round < 100; round++) {
      const { urls } = probe(collectorOf(NOISY.keys(), [...records.values()]).sites(), {
        fetches: 1000,
      });
      if (urls.length === 0) break;
      for (const url of urls) records.set(url, { url, fp: `cls:${url}` });
    }
    expect(records.size).toBe(NOISY.size);
  });

  test("does not go beyond the budget", () => {
    const urls = NUMBERS.slice(0, 30).map((id) => `${HOST}/${id}`);
    const records = urls.slice(0, 10).map((url) => ({ url, status: 404 }));
    const { urls: next, fetched } = probe(collectorOf(urls, records).sites(), { fetches: 15 });
    expect([next.length, fetched]).toEqual([5, 10]);
    expect(next.filter((url) => urls.indexOf(url) < 10)).toEqual([]);
  });

  test("spends the budget on each site, and depends on the URLs alone", () => {
    const urls = ["http://a.example", "http://b.example"].flatMap((host) =>
      NUMBERS.map((id) => `${host}/?id=${id}`),
    );
    const first = probe(collectorOf(urls, []).sites(), { fetches: 7 });
    expect(first.urls.filter((url) => url.startsWith("http://a."))).toHaveLength(7);
    expect(first.urls).toHaveLength(14);
    const second = probe(collectorOf(urls.toReversed(), []).sites(), { fetches: 7 });
    expect(new Set(second.urls)).toEqual(new Set(first.urls));
    expect(probe([])).toEqual({ urls: [], fetched: 0, changing: 0 });
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d fetches", (fetches) => {
    expect(() => probe([], { fetches })).toThrow(expect.objectContaining({ code: "BAD_OPTION" }));
  });

  test("takes a query of thousands of names, and many values", () => {
    const many = NUMBERS.map((id) => `p${id}=${hex(id)}`);
    const urls = sampleOf(NUMBERS, 5).map((id) => `${HOST}/?${many.slice(0, id).join("&")}`);
    expect(probe(collectorOf(urls, []).sites()).urls).toHaveLength(20);
  });
});
