import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { shareOf } from "../shared/length.ts";
import { ruled } from "../shared/ruled.ts";

describeEngines("rules", (create, engine) => {
  test("are applied as far as their evidence goes", () => {
    const levels = ["standard", "declared", "fingerprint", "fetched", "size", "pattern"];
    const lines = levels.map((level) => `a.b | * | drop ${level} | ${level} n=9 ok=9 lb=.9`);
    const url = `http://a.b/?${levels.join("&")}&x`;
    const accepted = (options: NormalizerOptions) =>
      ruled(create, [...lines, "a.b | * | drop x"], options).normalize(url);
    expect(accepted({})).toBe("http://a.b/?size&pattern");
    expect(accepted({ accept: "fetched" })).toBe("http://a.b/?size&pattern");
    expect(accepted({ accept: "size" })).toBe("http://a.b/?pattern");
    expect(accepted({ accept: "pattern" })).toBe("http://a.b/");
    expect(ruled(create, lines.slice(4)).profileId).toBe(create().profileId);
  });

  test("work on what the options left, and the options on what they left", () => {
    const apply = (lines: string[], options: NormalizerOptions, url: string) => {
      const normalizer = ruled(create, lines, options);
      const result = normalizer.normalize(url);
      expect(normalizer.normalize(result)).toBe(result);
      expect(normalizer.explain(url).url).toBe(result);
      expect(normalizer.explain(url).steps.at(-1)?.after ?? url).toBe(result);
      return result;
    };
    const set = ["a.b | * | sub z= => a="];
    expect(apply(set, { sortQuery: "name" }, "http://a.b/?z=1&b")).toBe("http://a.b/?a=1&b");
    expect(apply(["a.b | * | dropif x="], { valuelessParams: "add-equals" }, "http://a.b/?x")).toBe(
      "http://a.b/",
    );
    expect(apply(["a.b | * | sub ?x => ?"], { emptyQuery: "remove" }, "http://a.b/?x")).toBe(
      "http://a.b/",
    );
    expect(apply(["a.b | * | sub ?x => ?"], {}, "http://a.b/?x")).toBe("http://a.b/?");
    expect(
      apply(["a.b | * | sub xxx= => id="], { keepParams: ["xxx", "y"] }, "http://a.b/?xxx=1&y"),
    ).toBe("http://a.b/?y");
    expect(
      apply(["www.a.b | * | drop x", "a.b | * | drop y"], { www: "remove" }, "http://www.a.b/?x&y"),
    ).toBe("http://a.b/?x");
    expect(
      apply(
        ["a.b | * | host a.b => www.a.b", "a.b | * | drop y"],
        { www: "remove" },
        "http://a.b/?y",
      ),
    ).toBe("http://a.b/?y");
    expect(
      apply(["a.b | * | host a.b => c.d"], { hostAliases: { "c.d": "e.f" } }, "http://a.b/x"),
    ).toBe("http://e.f/x");
    expect(apply(["a.b | * | scheme https"], { allowedSchemes: ["http"] }, "http://a.b/x")).toBe(
      "http://a.b/x",
    );
    expect(apply(["a.b | * | scheme https"], { scheme: "http" }, "http://a.b/x")).toBe(
      "http://a.b/x",
    );
    expect(apply(["a.b | * | cut p"], { trailingSlash: "remove" }, "http://a.b/x/p/")).toBe(
      "http://a.b/x",
    );
    expect(
      apply(["a.b | * | drop x"], { sites: { "a.b": { fragment: "remove" } } }, "http://a.b/?x#f"),
    ).toBe("http://a.b/");
  });

  test("keep userinfo and fragment, whatever looks like a path there", () => {
    const normalizer = ruled(create, [
      "a.b | * | sub x => ",
      "a.b | * | drop q",
      "a.b | * | lower path",
    ]);
    expect(normalizer.normalize("http://X-x:x@a.b/x/Y?q&x=1#x/X?q")).toBe(
      "http://X-x:x@a.b//y?=1#x/X?q",
    );
    expect(normalizer.normalize("http://a.b#/x?q")).toBe("http://a.b/#/x?q");
  });

  test("do not lengthen a URL beyond maxLength, nor beyond 65,536 bytes", () => {
    const lines = [
      "a.b | * | set l=1234567890",
      "a.b | * | drop x",
      "c.d | * | host c.d => long.example",
    ];
    const short = ruled(create, lines, { maxLength: 26 });
    expect(short.normalize("http://a.b/?l=1&x")).toBe("http://a.b/?l=1234567890");
    expect(short.normalize("http://a.b/pq?l=1&x")).toBe("http://a.b/pq?l=1&x");
    expect(short.normalize("http://c.d/?abcdef")).toBe("http://c.d/?abcdef");
    expect(short.tryNormalize("http://a.b/?l=1234567890123456")).toMatchObject({
      url: null,
      status: 12,
    });
    const normalizer = ruled(create, lines);
    const filled = (length: number) => `http://a.b/?x&${"y".repeat(length - 14)}`;
    expect(normalizer.normalize(filled(65_536))).toBe(filled(65_536).replace("x&", ""));
    expect(normalizer.normalize(filled(65_537))).toBe(filled(65_537));
    const grows = `http://a.b/?x&${"l&".repeat(6_000)}`;
    expect(normalizer.normalize(grows)).toBe(grows);
  });

  test("set a value wherever the URL stays as short as it must be", () => {
    const n = ruled(create, ["a.b | * | set l=1234567890"], { maxLength: 100 });
    const urls = Array.from({ length: 80 }, (_, more) => `http://a.b/?l=1&${"y".repeat(more)}`);
    const expected = urls.map((url) => (url.length <= 91 ? url.replace("=1", "=1234567890") : url));
    expect(n.normalizeBatch(urls).urls).toEqual(expected);
  });

  test.each([40_000, 50_000, 60_000, 65_400])("set values of %i bytes in many lines", (length) => {
    const value = "v".repeat(length);
    const n = ruled(create, [`a.b | * | set l=${value}`]);
    const { bytes } = n.normalizeLines(Buffer.from("http://a.b/?l=1\n".repeat(40)));
    const expected = Buffer.from(`http://a.b/?l=${value}\n`.repeat(40));
    expect(Buffer.compare(Buffer.from(bytes), expected)).toBe(0);
  });

  test("work on URLs of almost 65,536 bytes, again and again", () => {
    const lines = [
      "a.b | * | sub /p => /o",
      "a.b | * | sub /o => /n",
      "a.b | * | cut n",
      "a.b | * | drop x",
    ];
    const n = ruled(create, lines);
    const urls = Array.from({ length: 80 }, (_, less) => {
      const length = 65_536 - less;
      return `http://a.b/p/?x&${"y".repeat(length - 16)}`;
    });
    const expected = urls.map((url) => url.replace("/p/?x&", "/?"));
    expect(n.normalizeBatch(urls).urls).toEqual(expected);
  });

  test("tell values apart in URLs that come after each other", () => {
    const values = Array.from({ length: 100 }, (_, at) => `${at}`);
    const lines = values.flatMap((value) => [
      `s${value}.b | * | drop z`,
      `s${value}.b | ?x=${value} | drop y`,
    ]);
    const n = ruled(create, lines);
    for (const value of values) {
      // The first bytes of the target are the same.
      const url = (x: string) => `http://s${value}.b/a/path?x=${x}&y`;
      const own = `http://s${value}.b/a/path?x=${value}`;
      for (const other of ["a", "b", "c"]) {
        expect(n.normalize(url(other))).toBe(url(other));
        expect(n.normalize(url(value))).toBe(own);
        expect(n.normalize(`${url(value)}&z`)).toBe(own);
      }
    }
  });

  test.each(
    shareOf(
      [
        "drop a",
        "keep b",
        "dropif a=1",
        "set a=12345678",
        "sort",
        "sub a= => ",
        "sub a=<N> => =<1>",
        "sub %C3 => ",
        "path /a... => /<1>",
        "cut a",
        "lower path",
        "slash path",
        "host a.b => c.d",
        "scheme https",
        "sink /",
      ],
      engine,
      5,
    ),
  )("finish %s on hostile URLs of 1 MiB and 64 KiB", (action) => {
    const normalizer = ruled(create, [`a.b | * | ${action}`]);
    const parts = ["a=1&", "b&a=1;", "/a", "A%C3", "a=", "=1", "aaaaaaaa", "?&;", "/../a", "%2e/"];
    const urls = parts.flatMap((part) => {
      const rest = part.repeat(Math.floor(65_000 / part.length));
      return [`http://a.b/${rest}`, `http://a.b/?${rest}`];
    });
    urls.push(`http://a.b/?${"a=1&".repeat(250_000)}`);
    const { urls: results } = normalizer.normalizeBatch(urls);
    expect(normalizer.normalizeBatch(results as string[]).urls).toEqual(results);
  });

  test("that are not rules are refused, by their line", () => {
    const attempt = (rules: string) => () => create({ rules });
    expect(attempt("")).toThrow(expect.objectContaining({ code: "BAD_RULES" }));
    expect(attempt("#urlmill-rules 1\na.b\t*\tjump")).toThrow("line 2");
    expect(attempt("#urlmill-rules 1")).not.toThrow();
    expect(() => create({ rules: 1 as unknown as string })).toThrow("option rules cannot be 1");
    expect(() => create({ accept: "fingerprint" as "fetched" })).toThrow(
      "expected fetched, list, size, pattern",
    );
    const inSites = { sites: { "a.b": { rules: "" } } } as NormalizerOptions;
    expect(() => create(inSites)).toThrow('rules cannot be set for "a.b" alone');
  });

  test("are named by the profile, in their order", () => {
    const id = (...lines: string[]) => ruled(create, lines).profileId;
    expect(id()).toBe(create().profileId);
    expect(id("a.b | * | drop x")).not.toBe(id());
    expect(id("a.b | * | drop x", "a.b | * | sort")).not.toBe(
      id("a.b | * | sort", "a.b | * | drop x"),
    );
    expect(id("a.b | * | drop x", "c.d | * | sort")).toBe(id("c.d | * | sort", "a.b | * | drop x"));
  });

  test("are steps of an explanation, each with its line", () => {
    const normalizer = ruled(create, [
      "a.b | /x ?y | drop y | declared n=3 ok=3 lb=.4",
      "* | * | sub xx => .",
      "a.b | * | sort",
    ]);
    expect(
      normalizer
        .explain("HTTP://a.b/x?y&b&a")
        .steps.map(({ step, after, reference }) => [step, after, reference]),
    ).toEqual([
      ["schemeCase", "http://a.b/x?y&b&a", "urlmill help schemeCase (RFC 3986 6.2.2.1)"],
      ["rules", "http://a.b/x?b&a", "a.b\t/x ?y\tdrop y"],
      ["rules", "http://a.b/x?a&b", "a.b\t*\tsort"],
    ]);
    expect(
      normalizer.explain("http://a.b/p/xx/q").steps.map(({ step, after }) => [step, after]),
    ).toEqual([
      ["rules", "http://a.b/p/./q"],
      ["reading", "http://a.b/p/q"],
    ]);
    const undone = ruled(create, [
      "a.b | * | drop z",
      "a.b | ?l=1 | set l=2",
      "a.b | ?l=2 | set l=1",
    ]);
    expect(undone.explain("http://a.b/?l=1&z").steps).toEqual([]);
  });

  test("leave the meaning of a base alone", () => {
    const normalizer = ruled(create, ["a.b | * | cut q"]);
    expect(normalizer.normalize("r", "http://a.b/p/q/")).toBe("http://a.b/p/r");
    expect(normalizer.normalize("../r", "http://a.b/p/q/")).toBe("http://a.b/p/r");
  });

  test("read a run once, although many matches begin before it", () => {
    const apply = (text: string) =>
      ruled(create, ["a.b | * | sub /t/<N>-<T>/x => /t/<1>/"]).normalize(`http://a.b${text}`);
    expect(apply("/t/5-red-green/x")).toBe("http://a.b/t/5/");
    const long = `${"/t/1-".repeat(6_000)}${"y-".repeat(15_000)}`;
    expect(apply(long)).toBe(`http://a.b${long}`);
  });
});
