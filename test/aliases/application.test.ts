import { describe, expect, test } from "vitest";
import type { Normalizer, NormalizerOptions } from "../../src/index.ts";
import { hashForward } from "../../src/plan/layout.ts";
import { type Create, describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";

/** Makes a normalizer with aliases, one a line, columns with `|` between. */
function aliased(
  create: Create,
  lines: readonly string[],
  { engine: _, ...options }: NormalizerOptions = {},
): Normalizer {
  const text = ["#urlmill-aliases 1", ...lines].join("\n").replaceAll(" | ", "\t");
  return create({ ...options, pageAliases: text });
}

const withRules = (...lines: string[]) =>
  ["#urlmill-rules 1", ...lines].join("\n").replaceAll(" | ", "\t");

/** Normalizes by every method, and checks that the result is a fixpoint and what `explain` ends with. */
function apply(normalizer: Normalizer, url: string): string {
  const result = normalizer.normalize(url);
  expect(normalizer.normalize(result)).toBe(result);
  expect(normalizer.normalizeBatch([url, url]).urls).toEqual([result, result]);
  const { bytes } = normalizer.normalizeLines(Buffer.from(`${url}\n${url}`));
  expect(Buffer.from(bytes).toString()).toBe(`${result}\n${result}\n`);
  const { url: explained, steps } = normalizer.explain(url);
  expect(explained).toBe(result);
  expect(steps.at(-1)?.after ?? url).toBe(result);
  return result;
}

describeEngines("aliases", (create) => {
  const blog = [
    "a.b | /?p=12 | /2020/news/ | fingerprint",
    "a.b | /?p=13 | /2021/more/",
    "a.b:81 | /x | /y",
  ];

  test("replace path and query of exactly the URLs that they name", () => {
    const normalizer = aliased(create, blog);
    expect(apply(normalizer, "http://a.b/?p=12")).toBe("http://a.b/2020/news/");
    expect(apply(normalizer, "HTTPS://A.b?p=13")).toBe("https://a.b/2021/more/");
    expect(apply(normalizer, "http://a.b:81/x")).toBe("http://a.b:81/y");
    for (const other of [
      "http://a.b/?p=1",
      "http://a.b/?p=120",
      "http://a.b/?p=12&",
      "http://a.b/x?p=12",
      "http://a.b/?P=12",
      "http://a.b/x",
      "http://a.b:82/x",
      "http://x.a.b/?p=12",
      "ftp://a.b/?p=12",
      "ws://a.b/?p=12",
    ]) {
      expect(apply(normalizer, other)).toBe(other);
    }
  });

  test("keep scheme, userinfo and fragment", () => {
    const normalizer = aliased(create, blog);
    expect(apply(normalizer, "http://u:p@a.b/?p=12#f?p=13")).toBe(
      "http://u:p@a.b/2020/news/#f?p=13",
    );
    expect(apply(normalizer, "http://u@a.b?p=12#")).toBe("http://u@a.b/2020/news/#");
  });

  test("are looked up after options and rules", () => {
    const rules = withRules("a.b | * | drop sid", "* | * | drop ref", "c.d | * | host c.d => a.b");
    const normalizer = aliased(create, blog, { preset: "crawl", rules });
    expect(apply(normalizer, "http://a.b/?sid=1&p=12&utm_source=x#f")).toBe(
      "http://a.b/2020/news/",
    );
    expect(apply(normalizer, "http://a.b/?ref=1&p=13")).toBe("http://a.b/2021/more/");
    expect(apply(normalizer, "http://c.d/?p=13")).toBe("http://a.b/2021/more/");
    expect(apply(normalizer, "http://a.b/?p=14&sid=1")).toBe("http://a.b/?p=14");
    expect(apply(normalizer, "http://e.f/?p=13&ref")).toBe("http://e.f/?p=13");
  });

  test("lead to a URL that options and rules leave as it is", () => {
    const lines = [
      "a.b | /x | /y/?utm_source=1&b&a",
      "a.b | /y?a&b | /z?sid=1",
      "a.b | /w | /v?sid",
    ];
    const rules = withRules("a.b | * | drop sid");
    const options: NormalizerOptions = { preset: "aggressive", rules };
    const [first = ""] = lines;
    expect(apply(aliased(create, [first], options), "https://a.b/x")).toBe("https://a.b/y?a=&b=");
    const sorted = aliased(create, lines, { sortQuery: "name", trailingSlash: "remove", rules });
    expect(apply(sorted, "http://a.b/x")).toBe("http://a.b/y?a&b&utm_source=1");
    expect(apply(sorted, "http://a.b/y?b&sid&a#f")).toBe("http://a.b/z#f");
    expect(apply(sorted, "http://a.b/w")).toBe("http://a.b/v");
  });

  test("are found under options that write their URLs in another form", () => {
    const lines = ["a.b | /x/?b=1&a=2 | /y/", "www.c.d | /q | /r", "a.b | /z | /z/"];
    const crawl = aliased(create, lines, { preset: "crawl" });
    expect(apply(crawl, "http://a.b/x/?b=1&a=2#f")).toBe("http://a.b/y/");
    expect(apply(crawl, "http://a.b/x/?a=2&b=1")).toBe("http://a.b/y/");
    const aggressive = aliased(create, lines, { preset: "aggressive" });
    expect(apply(aggressive, "http://a.b/x?a=2&b=1")).toBe("https://a.b/y");
    expect(apply(aggressive, "http://www.c.d/q")).toBe("https://c.d/r");
    expect(apply(aggressive, "http://c.d/q/")).toBe("https://c.d/r");
    expect(apply(aggressive, "http://a.b/z/")).toBe("https://a.b/z");
    const httpsOnly = aliased(create, lines, { allowedSchemes: ["https"] });
    expect(apply(httpsOnly, "https://www.c.d/q")).toBe("https://www.c.d/r");
  });

  test("go from one alias to the next if options or rules lead there", () => {
    const lines = ["a.b | /x | /long/y?sid=1", "a.b | /long/y | /long/z"];
    const rules = withRules("a.b | * | drop sid");
    expect(apply(aliased(create, lines, { rules }), "http://a.b/x#f")).toBe("http://a.b/long/z#f");
    const reduced = apply(aliased(create, lines, { rules }), "http://a.b/x?sid=2");
    expect(reduced).toBe("http://a.b/long/z");
  });

  test("go seven steps at most from one alias to the next", () => {
    const chain = Array.from({ length: 8 }, (_, n) => `a.b | /${n} | /${n + 1}?sid`);
    const normalizer = aliased(create, chain, { rules: withRules("a.b | * | drop sid") });
    expect(apply(normalizer, "http://a.b/0")).toBe("http://a.b/0");
    expect(apply(normalizer, "http://a.b/1")).toBe("http://a.b/8");
    expect(apply(normalizer, "http://a.b/7?sid")).toBe("http://a.b/8");
  });

  test("that reach no fixpoint change nothing, and rules still do", () => {
    const lines = ["a.b | /x | /y?sid", "a.b | /y | /x?sid", "a.b | /u | /v"];
    const normalizer = aliased(create, lines, { rules: withRules("a.b | * | drop sid") });
    expect(apply(normalizer, "http://a.b/x?a&sid")).toBe("http://a.b/x?a");
    expect(apply(normalizer, "http://a.b/x?sid")).toBe("http://a.b/x");
    expect(apply(normalizer, "http://a.b/y?sid=1#f")).toBe("http://a.b/y#f");
    expect(apply(normalizer, "http://a.b/u?sid=1#f")).toBe("http://a.b/v#f");
  });

  test("apply to a URL that rules would change without end", () => {
    const turning = withRules("a.b | * ?x=1 | set x=2", "a.b | * ?x=2 | set x=1");
    const normalizer = aliased(create, ["a.b | /?x=1&y | /longer"], { rules: turning });
    expect(apply(normalizer, "http://a.b/?x=1&y")).toBe("http://a.b/longer");
    expect(apply(normalizer, "http://a.b/?x=2&y")).toBe("http://a.b/?x=2&y");
    const { steps } = normalizer.explain("http://a.b/?x=1&y");
    expect(steps.map(({ step }) => step)).toEqual(["pageAliases"]);
    const back = aliased(create, ["a.b | /z | /?x=1&y"], { rules: turning });
    expect(apply(back, "http://a.b/z")).toBe("http://a.b/z");
  });

  test("do not lengthen a URL beyond maxLength, nor beyond 65,536 bytes", () => {
    const long = "l".repeat(70_000);
    const lines = ["a.b | /x | /123456", `a.b | /y | /${long}`, `a.b | /${long}2 | /z`];
    const short = aliased(create, lines, { maxLength: 17 });
    expect(apply(short, "http://a.b/x")).toBe("http://a.b/123456");
    expect(apply(short, "http://a.b/x#f")).toBe("http://a.b/x#f");
    const normalizer = aliased(create, lines);
    expect(apply(normalizer, "http://a.b/y")).toBe("http://a.b/y");
    expect(apply(normalizer, `http://a.b/${long}2`)).toBe(`http://a.b/${long}2`);
    const fits = `/${"l".repeat(65_536 - "http://a.b/".length)}`;
    const full = aliased(create, [`a.b | /y | ${fits}`, `a.b | ${fits}2 | /z`]);
    expect(apply(full, "http://a.b/y")).toBe(`http://a.b${fits}`);
    expect(apply(full, "http://a.b/y#")).toBe("http://a.b/y#");
  });

  test("are applied as far as their evidence goes", () => {
    const levels = ["standard", "declared", "fingerprint", "fetched", "size", "pattern"];
    const lines = [...levels.map((level) => `a.b | /${level} | / | ${level}`), "a.b | /x | /"];
    const taken = (options: NormalizerOptions) => {
      const normalizer = aliased(create, lines, options);
      const urls = [...levels, "x"].map((name) => `http://a.b/${name}`);
      return urls.filter((url) => apply(normalizer, url) === "http://a.b/").length;
    };
    expect(taken({})).toBe(5);
    expect(taken({ accept: "size" })).toBe(6);
    expect(taken({ accept: "pattern" })).toBe(7);
  });

  test("are part of the profile, and an empty file is not", () => {
    expect(aliased(create, []).profileId).toBe(create().profileId);
    const profiles = [blog, blog.slice(1), blog.toReversed()].map(
      (lines) => aliased(create, lines).profileId,
    );
    expect(new Set([create().profileId, ...profiles]).size).toBe(3);
    expect(profiles[2]).toBe(profiles[0]);
  });

  test("do not apply to a base", () => {
    const normalizer = aliased(create, ["a.b | /x/y | /z/", "a.b | /x/q | /r"]);
    expect(normalizer.normalize("w", "http://a.b/x/y")).toBe("http://a.b/x/w");
    expect(normalizer.normalize("q", "http://a.b/x/y")).toBe("http://a.b/r");
  });

  test("never take one URL for another whose hash is the same", () => {
    // Two texts with one FNV-1a hash of 32 bits.
    const [first, second] = ["/oi2qyn", "/f6xozo"];
    const normalizer = aliased(create, [`a.b | ${first} | /1`]);
    expect(apply(normalizer, `http://a.b${first}`)).toBe("http://a.b/1");
    expect(apply(normalizer, `http://a.b${second}`)).toBe(`http://a.b${second}`);
  });

  test("are found where many share a slot of the table, and others of that slot stay", () => {
    const sharing: string[] = [];
    for (let n = 0; sharing.length < 202; n++) {
      if ((hashForward(`/${n}`) & 255) === 7) sharing.push(`/${n}`);
    }
    const [first = "", ...others] = sharing;
    const last = others.pop() as string;
    const normalizer = aliased(
      create,
      others.map((from) => `a.b | ${from} | /to${from}`),
    );
    const urls = sharing.map((from) => `http://a.b${from}`);
    expect(normalizer.normalizeBatch(urls).urls).toEqual([
      `http://a.b${first}`,
      ...others.map((from) => `http://a.b/to${from}`),
      `http://a.b${last}`,
    ]);
  });

  describe("with a range of numbers", () => {
    const ranges = [
      "a.b | /t?p=<7..12>&x= | /topic/1/ | fingerprint",
      "a.b | /t?p=<13..2660>&x= | /topic/2/",
      "a.b | /t?p=<2662..999999999>&x= | /topic/3/",
      "a.b | /t?p=2661&x= | /topic/1/",
      "a.b | /<0..1> | /topic/1/",
    ];

    test("replace path and query of the URLs whose last number is in it", () => {
      const normalizer = aliased(create, ranges);
      const topics: [number, number[]][] = [
        [1, [7, 8, 11, 12, 2661]],
        [2, [13, 100, 2659, 2660]],
        [3, [2662, 123456789, 999999999]],
      ];
      for (const [topic, numbers] of topics) {
        for (const n of numbers) {
          const url = `http://a.b/t?p=${n}&x=`;
          expect(apply(normalizer, `${url}#f`)).toBe(`http://a.b/topic/${topic}/#f`);
        }
      }
      expect(apply(normalizer, "https://u@A.b/0")).toBe("https://u@a.b/topic/1/");
      expect(apply(normalizer, "http://a.b/1")).toBe("http://a.b/topic/1/");
    });

    test("leave all others", () => {
      const normalizer = aliased(create, ranges);
      for (const target of [
        ...["0", "6", "07", "1000000000", "10000000000000007", "", "x7", "7x"].map(
          (n) => `t?p=${n}&x=`,
        ),
        ...["t?p=7", "t?p=7&x", "t?p=7&x=1", "t?p=7&x=&", "t?x=&p=7", "/t?p=7&x=", "T?p=7&x="],
        ...["2", "00", "01", "1/", "?1", "a1", ""],
      ]) {
        expect(apply(normalizer, `http://a.b/${target}`)).toBe(`http://a.b/${target}`);
      }
      expect(apply(normalizer, "http://c.d/t?p=7&x=")).toBe("http://c.d/t?p=7&x=");
      const digits = "1".repeat(60_000);
      expect(apply(normalizer, `http://a.b/${digits}`)).toBe(`http://a.b/${digits}`);
      expect(apply(normalizer, `http://a.b/${digits}/`)).toBe(`http://a.b/${digits}/`);
    });

    test("are found under options that write their URLs in another form", () => {
      const normalizer = aliased(create, ranges, { preset: "aggressive", dropParams: ["x"] });
      expect(apply(normalizer, "http://a.b/t?utm_id=1&p=8")).toBe("https://a.b/topic/1");
      expect(apply(normalizer, "http://a.b/t?p=14&utm_id=7")).toBe("https://a.b/topic/2");
    });

    test("are left out if options or rules write their ends in another way", () => {
      const lines = ["a.b | /t?q=3&p=<7..12> | /y", "a.b | /u?p=<7..12> | /y"];
      const sorted = aliased(create, lines, { sortQuery: "name" });
      expect(apply(sorted, "http://a.b/t?q=3&p=8")).toBe("http://a.b/t?p=8&q=3");
      expect(apply(sorted, "http://a.b/u?p=8")).toBe("http://a.b/y");
      const rules = withRules("a.b | * ?p=12 | drop p");
      const ruled = aliased(create, lines, { rules });
      expect(apply(ruled, "http://a.b/u?p=8")).toBe("http://a.b/u?p=8");
      const inner = aliased(create, lines, { rules: withRules("a.b | * ?p=9 | drop p") });
      expect(apply(inner, "http://a.b/u?p=8")).toBe("http://a.b/y");
      expect(apply(inner, "http://a.b/u?p=9")).toBe("http://a.b/u");
    });

    test("are left out if options give them their target, and the later one counts where they overlap", () => {
      const lines = ["a.b | /t?x&p=<7..9> | /y", "a.b | /t?p=<1..12> | /z"];
      const normalizer = aliased(create, lines, { dropParams: ["x", "sid"] });
      const topics = [6, 7, 9, 10].map((n) => apply(normalizer, `http://a.b/t?p=${n}`));
      expect(topics).toEqual(["http://a.b/z", "http://a.b/y", "http://a.b/y", "http://a.b/t?p=10"]);
      const own = aliased(create, ["a.b | /t?p=<1..8> | /t?p=5&sid"], { dropParams: ["sid"] });
      expect(apply(own, "http://a.b/t?p=4")).toBe("http://a.b/t?p=4");
    });

    test("go on from one alias to the next, and change nothing without a fixpoint", () => {
      const rules = withRules("a.b | * | drop sid");
      const lines = [
        "a.b | /x | /t/5?sid",
        "a.b | /t/<1..8> | /y?sid",
        "a.b | /z/<1..8> | /z/3?sid",
      ];
      const normalizer = aliased(create, lines, { rules });
      expect(apply(normalizer, "http://a.b/x#f")).toBe("http://a.b/y#f");
      expect(apply(normalizer, "http://a.b/z/4?sid")).toBe("http://a.b/z/4");
      const circle = ["a.b | /p/<1..8> | /q/3?sid", "a.b | /q/<1..8> | /p/3?sid"];
      expect(apply(aliased(create, circle, { rules }), "http://a.b/p/4")).toBe("http://a.b/p/4");
    });

    test("are found among many ranges of many shapes", () => {
      const ranges = atLength(400, 2000);
      const many = Array.from({ length: ranges }, (_, n) => {
        const first = 10 * Math.floor(n / 4);
        return `a.b | /s${"wxyz"[n % 4]}/<${first + 1}..${first + 8}> | /to/${n}/`;
      });
      const urls = Array.from({ length: 10 * ranges + 40 }, (_, n) => ({
        shape: n % 4,
        number: Math.floor(n / 4),
      }));
      const { urls: written } = aliased(create, many).normalizeBatch(
        urls.map(({ shape, number }) => `http://a.b/s${"wxyz"[shape]}/${number}`),
      );
      for (const [at, { shape, number }] of urls.entries()) {
        const isIn = number % 10 >= 1 && number % 10 <= 8 && number < 2.5 * ranges;
        const to = isIn
          ? `to/${4 * Math.floor(number / 10) + shape}/`
          : `s${"wxyz"[shape]}/${number}`;
        expect(written[at]).toBe(`http://a.b/${to}`);
      }
    });

    test("are named by explain", () => {
      const { steps } = aliased(create, ranges).explain("http://a.b/t?p=8&x=#f");
      expect(steps.map(({ step, reference }) => [step, reference])).toEqual([
        ["pageAliases", "a.b\t/t?p=<7..12>&x=\t/topic/1/"],
      ]);
    });
  });

  describe("for any other parameters", () => {
    const any = [
      "a.b | /wiki/A?<*> | /wiki/A | fingerprint",
      "a.b | /wiki/A?x=<1..9> | /nine",
      "a.b | /wiki/A?x=7&own | /own",
      "a.b | /s?id=5&<*> | /s?id=5&view=1",
      "a.b | /s?id=6&<*> | /six",
      "a.b | /s?t&<*> | /six",
      "a.b | /s;a&b?u=/?'&<*> | /other".replace("'", "%27"),
    ];

    test("replace path and query of the URLs that have them", () => {
      const normalizer = aliased(create, any);
      for (const [url, to] of [
        ["wiki/A", "wiki/A"],
        ["wiki/A?", "wiki/A"],
        ["wiki/A?action=edit", "wiki/A"],
        ["wiki/A?a=1&b;c=?d", "wiki/A"],
        ["wiki/A?x=10", "wiki/A"],
        ["wiki/A?x=9", "nine"],
        ["wiki/A?x=7&own", "own"],
        ["s?id=5&x", "s?id=5&view=1"],
        ["s?x=1&id=5", "s?id=5&view=1"],
        ["s?x;id=5;y", "s?id=5&view=1"],
        ["s?id=5&", "s?id=5&view=1"],
        ["s?id=5&id=5", "s?id=5&view=1"],
        ["s?y&t&id=6", "six"],
        ["s;a&b?v&u=/?%27", "other"],
      ]) {
        expect(apply(normalizer, `https://u@A.b/${url}#f`)).toBe(`https://u@a.b/${to}#f`);
      }
    });

    test("leave all others, the target, and a URL that two of them lead to different targets", () => {
      const normalizer = aliased(create, any);
      for (const target of [
        ...["wiki/a?x", "wiki/AB?x", "wiki/A/?x", "wiki?A?x", "x/wiki/A?x", "wiki/A&x"],
        ...["s", "s?id=5&view=1", "s?id=50&x", "s?id=&x", "s?id5&x", "s?xid=5&x", "S?id=5&x"],
        ...["s?id=5&id=6", "s?t&id=5", "s?id", "s?t=&x", "s?t=1&x", "s;a&b?u=/"],
      ]) {
        expect(apply(normalizer, `http://a.b/${target}`)).toBe(`http://a.b/${target}`);
      }
      expect(apply(normalizer, "http://c.d/wiki/A?x")).toBe("http://c.d/wiki/A?x");
      const long = "l".repeat(65_000);
      for (const target of [`${long}?x&y`, `s?${long}&id=7`, `s?${"x&".repeat(9_000)}y`]) {
        expect(apply(normalizer, `http://a.b/${target}`)).toBe(`http://a.b/${target}`);
      }
      expect(apply(normalizer, `http://a.b/s?${"x&".repeat(9_000)}id=6`)).toBe("http://a.b/six");
    });

    test("are found as long as URLs can be", () => {
      const base = `/${"l".repeat(65_536 - "http://a.b/?x=1&".length)}?x=1`;
      const normalizer = aliased(create, [`a.b | ${base}&<*> | /y`]);
      expect(apply(normalizer, `http://a.b${base}&`)).toBe("http://a.b/y");
      expect(apply(normalizer, `http://a.b${base}`)).toBe("http://a.b/y");
    });

    test("are found under options that write their URLs in another form", () => {
      const normalizer = aliased(create, any, { preset: "aggressive", dropParams: ["x"] });
      expect(apply(normalizer, "http://www.a.b/wiki/A/?utm_id=1&p=8")).toBe("https://a.b/wiki/A");
      expect(apply(normalizer, "http://a.b/s?utm_id=7&id=6&b")).toBe("https://a.b/six");
      expect(apply(normalizer, "http://a.b/s?id=6&x=1")).toBe("https://a.b/six");
    });

    test("are left out if options or rules leave no such path and parameter, or write one to its target", () => {
      const without = aliased(create, any, { dropParams: ["id"] });
      expect(apply(without, "http://a.b/s?id=6&y")).toBe("http://a.b/s?y");
      const rules = withRules(
        "a.b | /s ?id | set id=7",
        "a.b | /wiki/... | path /wiki/* => /w/<1>",
      );
      const ruled = aliased(create, any, { rules });
      expect(apply(ruled, "http://a.b/s?id=1&y")).toBe("http://a.b/s?id=7&view=1");
      expect(apply(ruled, "http://a.b/wiki/A?y")).toBe("http://a.b/w/A");
    });

    test("go on from one alias to the next, and change nothing without a fixpoint", () => {
      const lines = [
        "a.b | /x?<*> | /Y?a",
        "a.b | /y?a&<*> | /z",
        "a.b | /p?<*> | /Q",
        "a.b | /q?<*> | /P",
      ];
      const normalizer = aliased(create, lines, { case: "lower-path" });
      expect(apply(normalizer, "http://a.b/x?b")).toBe("http://a.b/z");
      expect(apply(normalizer, "http://a.b/P?b")).toBe("http://a.b/p?b");
    });

    test("are named by explain", () => {
      const { steps } = aliased(create, any).explain("http://a.b/s?x&id=5#f");
      expect(steps.map(({ step, reference }) => [step, reference])).toEqual([
        ["pageAliases", "a.b\t/s?id=5&<*>\t/s?id=5&view=1"],
      ]);
    });
  });

  test("are refused if the text is not a file of aliases", () => {
    expect(() => create({ pageAliases: "a.b\t/x\t/y" })).toThrow("line 1 of the aliases");
    expect(() => create({ pageAliases: 1 as unknown as string })).toThrow(
      "option pageAliases cannot be 1: expected the text of a file of aliases",
    );
    expect(() => create({ sites: { "a.b": { pageAliases: "" } as object } })).toThrow(
      'pageAliases cannot be set for "a.b" alone',
    );
  });

  test("are named by explain", () => {
    const rules = withRules("a.b | * | drop sid");
    const { steps } = aliased(create, blog, { rules }).explain("http://a.b/?p=12&sid=1#f");
    expect(steps.map(({ step, reference }) => [step, reference])).toEqual([
      ["rules", "a.b\t*\tdrop sid"],
      ["pageAliases", "a.b\t/?p=12\t/2020/news/"],
    ]);
  });
});
