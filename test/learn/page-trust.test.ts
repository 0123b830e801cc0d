import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { PageTrust, parseTrust, writeRules } from "../../src/learn/index.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { learnNow } from "../shared/learn-site.ts";

const HEADER = "#urlmill-rules 1\n";

/** A number that no rule makes of a topic's number. */
const postOf = (t: number) => (t * 7919 + 13) % 9973;

/** Topics that link to their posts; the first post of each was fetched too, and is a page of its own if `isWrong`. */
const topics = (count: number, isWrong: (t: number) => boolean = () => false): LearnRecord[] =>
  Array.from({ length: count }, (_, t) => [
    {
      url: `http://a.org/viewtopic.php?t=${t}`,
      fp: `cls:${t}`,
      self: [`/post.php?p=${postOf(t)}#p${t}`],
    },
    { url: `http://a.org/post.php?p=${postOf(t)}`, fp: `cls:${isWrong(t) ? `x${t}` : t}` },
  ]).flat();

function fileOf(records: readonly LearnRecord[]): string {
  const { rules, trust } = learnNow(records);
  return writeRules(rules, "tsv", trust);
}

const page = (...links: string[]) =>
  links.map((link) => `<a href="${link}">x</a><p id="${link.split("#")[1]}">`).join("");

test("a file trusts self links of a shape that was right, with evidence, and sameAs gives the URLs of new pages", async () => {
  const file = fileOf(topics(12));
  expect(file.trimEnd().split("\n").at(-1)).toBe(
    "a.org\t/post.php ?p\ttrust self #p<N>\tfingerprint n=12 ok=12 lb=.7575",
  );
  const trust = new PageTrust(file);
  const html = page("/post.php?p=900#p900", "post.php?p=901#p901");
  expect(await trust.sameAs("http://a.org/viewtopic.php?t=99", html)).toEqual([
    "http://a.org/post.php?p=900",
    "http://a.org/post.php?p=901",
  ]);
});

test("what was wrong too often is not in the file, and nothing is trusted", async () => {
  const file = fileOf(topics(12, (t) => t < 4));
  expect(file).not.toContain("trust");
  const html = page("/post.php?p=900#p900");
  expect(await new PageTrust(file).sameAs("http://a.org/viewtopic.php?t=99", html)).toEqual([]);
});

describe("sameAs believes nothing", () => {
  const file = fileOf(topics(12));
  const sameAs = (html: string, url = "http://a.org/viewtopic.php?t=99") =>
    new PageTrust(file).sameAs(url, html);

  test("of another shape, another host, or a fragment that the page does not have", async () => {
    expect(await sameAs(page("/post.php?p=9#p9"))).toEqual(["http://a.org/post.php?p=9"]);
    expect(await sameAs(page("/post.php?p=9&q=1#p9"))).toEqual([]);
    expect(await sameAs(page("/other.php?p=9#p9"))).toEqual([]);
    expect(await sameAs(page("/post.php?p=9#post9"))).toEqual([]);
    expect(await sameAs(page("http://b.org/post.php?p=9#p9"))).toEqual([]);
    expect(await sameAs(page("/post.php?p=9#p9"), "http://b.org/viewtopic.php?t=9")).toEqual([]);
    expect(await sameAs('<a href="/post.php?p=9#p9">x</a>')).toEqual([]);
  });

  test("of the URL of the page itself", async () => {
    expect(await sameAs(page("/post.php?p=9#p9"), "http://a.org/post.php?p=9")).toEqual([]);
  });

  test("beyond a thousand links, and with the option that switches it off", async () => {
    const links = Array.from({ length: 1200 }, (_, p) => `/post.php?p=${p}#p${p}`);
    expect(await sameAs(page(...links))).toHaveLength(1000);
    const off = new PageTrust(file, { trust: false });
    expect(await off.sameAs("http://a.org/viewtopic.php?t=99", page(...links))).toEqual([]);
  });

  test("of a forged page for URLs that were not trusted, and refuses a URL without a host", async () => {
    const forged = `<link rel=canonical href="/login">${page("/admin.php#p1", "/?p=1#p1")}`;
    expect(await sameAs(forged)).toEqual([]);
    await expect(sameAs(forged, "viewtopic.php")).rejects.toMatchObject({ code: "NO_SCHEME" });
  });
});

test("canonical, shortlink and og are trusted by themselves, in the head and in what declarations made", async () => {
  const records = Array.from({ length: 8 }, (_, n) => [
    { url: `http://a.org/x${n}`, fp: `cls:${n}`, shortlink: `/?p=${n}`, canonical: "/x0" },
    { url: `http://a.org/?p=${n}`, fp: `cls:${n}` },
  ]).flat();
  const file = fileOf(records);
  expect(file).toContain("a.org\t*\ttrust shortlink\tdeclared n=8 ok=8 lb=.6755\n");
  expect(file).not.toContain("canonical");
  const trust = new PageTrust(file);
  const html = '<link rel=shortlink href="/?p=99"><link rel=canonical href="/x">';
  expect(await trust.sameAs("http://a.org/x99", html)).toEqual(["http://a.org/?p=99"]);
  const others = "#urlmill-rules 1\na.org\t*\ttrust contentLocation\na.org\t*\ttrust hreflang\n";
  const page = '<html lang=en><link rel=alternate hreflang=en href="/en">';
  const headers = { "Content-Location": "/c" };
  expect(await new PageTrust(others).sameAs("http://a.org/x", page, headers)).toEqual([
    "http://a.org/c",
    "http://a.org/en",
  ]);
  const said = { shortlink: "?p=98", canonical: "/x" };
  expect(await trust.sameAs("http://a.org/x98", said)).toEqual(["http://a.org/x98?p=98"]);
});

test("a declaration is not trusted if nothing confirms it, or if many pages name one URL", () => {
  const posts = (canonical: (n: number) => string, isListed: boolean) =>
    fileOf(
      Array.from({ length: 12 }, (_, n) => [
        { url: `http://a.org/x${postOf(n)}`, fp: `cls:${n}`, canonical: canonical(n) },
        ...(isListed ? [{ url: `http://a.org/${n}`, fp: `cls:${n}` }] : []),
      ]).flat(),
    );
  expect(posts((n) => `/${n}`, true)).toContain("trust canonical\tdeclared n=12 ok=12");
  expect(posts((n) => `/${n}`, false)).not.toContain("trust");
  expect(posts((n) => (n < 6 ? `/${n}` : "/all"), true)).not.toContain("trust");
});

describe("a narrow shape, where a wide one is trusted,", () => {
  const letters = (n: number) => [...String(n * 7919)].map((digit) => "abcdefghij"[Number(digit)]);
  const slug = (n: number) => `/${letters(n + 11).join("")}/`;
  /** Articles that link to their comments by two URLs; those of `news` are as many as that, and right or not. */
  const articles = (news: number, isRight: boolean) =>
    Array.from({ length: 20 }, (_, n) => {
      const [short, other] = [`${slug(n + 500)}?c`, `/news/?c=${postOf(n)}`];
      const self = [`${short}#c`, ...(n < news ? [`${other}#c`] : [])];
      return [
        { url: `http://a.org${slug(n)}`, fp: `cls:${n}`, self },
        { url: `http://a.org${short}`, fp: `cls:${n}` },
        { url: `http://a.org${other}`, fp: `cls:${isRight ? n : `x${n}`}` },
      ];
    }).flat();
  const html = page("/unheard-of/?c=1#c", "/news/?c=99#c");
  const sameAs = (file: string) => new PageTrust(file).sameAs("http://a.org/x/", html);

  test("is not if pairs of it are wrong", async () => {
    const file = fileOf(articles(20, false));
    expect(file).toContain("\t/*/ ?c\ttrust self #c\t");
    expect(file).toContain("\t/news/ ?c\tdistrust self #c\t");
    expect(await sameAs(file)).toEqual(["http://a.org/unheard-of/?c=1"]);
  });

  test("is too, if all pairs of it are right and too few to tell", async () => {
    const file = fileOf(articles(6, true));
    expect(file).toContain("\t/*/ ?c\ttrust self #c\t");
    expect(file).not.toContain("/news/");
    expect(await sameAs(file)).toEqual(["http://a.org/unheard-of/?c=1", "http://a.org/news/?c=99"]);
  });
});

describe("pages of few links are believed only if such pages were right", () => {
  /** Topics of `count` posts, all of which are linked to; two of them were fetched, and are other pages if `isWrong`. */
  const posts = (from: number, count: number, isWrong: (t: number) => boolean = () => false) =>
    Array.from({ length: 20 }, (_, at): LearnRecord[] => {
      const t = from + at;
      const post = (place: number) => `/post.php?p=${(t * 7919 + place * place * 31) % 99991}`;
      return [
        {
          url: `http://a.org/viewtopic.php?t=${t}`,
          fp: `cls:${t}`,
          self: Array.from({ length: count }, (_, place) => `${post(place)}#p${place}`),
        },
        ...Array.from({ length: Math.min(2, count) }, (_, place) => ({
          url: `http://a.org${post(place)}`,
          fp: `cls:${isWrong(t) ? `${t} ${place}` : t}`,
        })),
      ];
    }).flat();
  const links = (count: number) =>
    page(...Array.from({ length: count }, (_, p) => `/post.php?p=${90_000 + p}#p${p}`));
  const counts = async (records: LearnRecord[]) => {
    const trust = new PageTrust(fileOf(records));
    const urls = [1, 3, 4, 7, 8, 40].map((count) =>
      trust.sameAs("http://a.org/viewtopic.php?t=9999", links(count)),
    );
    return (await Promise.all(urls)).map(({ length }) => length);
  };

  test("from two, four or eight on; what is between two kinds that were right is believed", async () => {
    expect(await counts(posts(0, 9))).toEqual([0, 0, 0, 0, 8, 40]);
    expect(await counts([...posts(0, 9), ...posts(50, 5)])).toEqual([0, 0, 4, 7, 8, 40]);
    expect(await counts([...posts(0, 9), ...posts(50, 1)])).toEqual([1, 3, 4, 7, 8, 40]);
  });

  test("pages of few links that were wrong do not refuse those of many", async () => {
    const wrong = posts(50, 3, (t) => t % 8 === 0);
    expect(await counts([...posts(0, 9), ...posts(100, 5), ...wrong])).toEqual([0, 0, 4, 7, 8, 40]);
    expect(await counts([...posts(0, 9, (t) => t < 3), ...posts(50, 3)])).toEqual(Array(6).fill(0));
    const file = fileOf([...posts(0, 9), ...posts(100, 5), ...wrong]);
    expect(file).toContain("a.org\t/post.php ?p\ttrust self #p<N> from 4\tfingerprint n=80 ok=80");
  });

  test("what other pages say of the same URLs does not count against them", async () => {
    const quotes = Array.from({ length: 12 }, (_, t) => ({
      url: `http://a.org/print.php?t=${t}`,
      fp: `cls:print ${t}`,
      self: posts(t, 9)[0]?.self ?? [],
    }));
    expect(await counts([...posts(0, 9), ...quotes])).toEqual([0, 0, 0, 0, 8, 40]);
  });
});

test("lines of trust change no plan on either engine, and are read back as they were written", () => {
  const rules = `${HEADER}a.org\t*\tdrop sid\n`;
  const both = `${rules}a.org\t/t ?p\ttrust self #p<N>\na.org\t*\tdistrust canonical\tdeclared n=9 ok=1 lb=.0100\na.org\t/q ?p\ttrust self # from 16\n`;
  for (const engine of ["js", "wasm"] as const) {
    const [plain, trusting] = [rules, both].map((text) =>
      createNormalizer({ rules: text, engine }),
    );
    expect(trusting?.profileId).toBe(plain?.profileId);
    expect(trusting?.normalize("http://a.org/?sid=1")).toBe("http://a.org/");
  }
  const trust = parseTrust(both);
  expect(trust).toMatchObject([
    { isTrusted: true, fewest: 1 },
    { isTrusted: false, statement: "canonical" },
    { statement: "self #", fewest: 16 },
  ]);
  expect(writeRules([], "json", trust)).toBe(both.replace("a.org\t*\tdrop sid\n", ""));
});
