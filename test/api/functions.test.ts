import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import * as main from "../../src/index.ts";
import * as javascript from "../../src/js.ts";
import { Normalizer } from "../../src/normalizer/normalizer.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { Random } from "../shared/random.ts";

type Functions = Pick<typeof main, "dedupe" | "normalize" | "sameUrl" | "tryNormalize">;
type Options = main.NormalizerOptions;

const withEngine = (engine: (typeof ENGINES)[number]): Functions => {
  const of = (options: Options = {}): Options => ({ engine, ...options });
  return {
    normalize: (url, options) => main.normalize(url, of(options)),
    tryNormalize: (url, options) => main.tryNormalize(url, of(options)),
    sameUrl: (a, b, options) => main.sameUrl(a, b, of(options)),
    dedupe: ((items: never, options?: Options) =>
      main.dedupe(items, of(options))) as unknown as Functions["dedupe"],
  };
};

const FUNCTIONS: readonly (readonly [string, Functions])[] = [
  ...ENGINES.map((engine) => [`urlmill, ${engine}`, withEngine(engine)] as const),
  ["urlmill/js", javascript as Functions],
];

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Calls of each function with these options. */
const callsOf = ({ dedupe, normalize, sameUrl, tryNormalize }: Functions) => [
  (options: Options) => normalize("http://a/", options),
  (options: Options) => tryNormalize("http://a/", options),
  (options: Options) => sameUrl("http://a/", "http://a/", options),
  (options: Options) => dedupe(["http://a/"], options),
  (options: Options) => dedupe(later(["http://a/"]), options),
];

const coded = (code: string) => expect.objectContaining({ name: "UrlmillError", code });

describe.each(FUNCTIONS)("functions of %s", (_, { dedupe, normalize, sameUrl, tryNormalize }) => {
  const crawl: Options = { preset: "crawl" };

  test("normalize by options, or by preset safe", () => {
    expect(normalize("HTTP://A/?b&a#c")).toBe("http://a/?b&a#c");
    expect(normalize("HTTP://A/?b&a#c", crawl)).toBe("http://a/?a&b");
    expect(normalize(new URL("http://A"), crawl)).toBe("http://a/");
  });

  test("throw for what is not a URL, with its code and offset", () => {
    const error = expect.objectContaining({ code: "BAD_IPV4", offset: 7 });
    expect(() => normalize("http://1.2.3.256/")).toThrow(error);
    expect(() => sameUrl("http://a/", "http://1.2.3.256/")).toThrow(error);
    expect(() => sameUrl("http://1.2.3.256/", "http://a/")).toThrow(error);
  });

  test("try", () => {
    expect(tryNormalize("http://A", crawl)).toEqual({ ok: true, url: "http://a/", status: 1 });
    expect(tryNormalize("a")).toEqual({
      ok: false,
      url: null,
      status: 3,
      code: "NO_SCHEME",
      message: "no scheme, and no base or default scheme to read it by: a",
    });
  });

  test("compare two URLs", () => {
    expect(sameUrl("http://a/?x&y", "HTTP://A/?y&x", crawl)).toBe(true);
    expect(sameUrl("http://a/?x&y", "HTTP://A/?y&x")).toBe(false);
  });

  test("refuse options that are wrong", () => {
    for (const wrong of [{ presets: "crawl" }, { preset: "crawler" }] as object[]) {
      for (const call of callsOf({ dedupe, normalize, sameUrl, tryNormalize })) {
        expect(() => call(wrong)).toThrow(coded("BAD_OPTION"));
      }
    }
  });
});

describe.each(FUNCTIONS)("dedupe of %s", (_, { dedupe, normalize, tryNormalize }) => {
  const crawl: Options = { preset: "crawl" };
  const URLS = ["http://a/?x&y", "b", "HTTP://A/?y&x#z", "http://a/?x", "b", "b ", ""];
  const UNIQUE = ["http://a/?x&y", "b", "http://a/?x", "b ", ""];

  test.each<[string, Iterable<string> & object]>([
    ["an array", URLS],
    ["a set", new Set(URLS)],
    [
      "a generator",
      (function* () {
        yield* URLS;
      })(),
    ],
  ])("keeps the first of %s, as it was given, and each text that is not a URL once", (_, urls) => {
    expect(dedupe(urls, crawl)).toEqual(UNIQUE);
  });

  test("leaves the list as it is", () => {
    const urls = Object.freeze([...URLS]);
    expect(dedupe(urls, crawl)).not.toBe(urls);
    expect(urls).toEqual(URLS);
    expect(dedupe([])).toEqual([]);
  });

  test("compares texts that are not URLs exactly, also those of a scheme that is not allowed", () => {
    const options: Options = { allowedSchemes: ["http"] };
    const urls = ["mailto:a@b", "MAILTO:a@b", "mailto:a@b", "http://a"];
    expect(dedupe(urls, options)).toEqual(["mailto:a@b", "MAILTO:a@b", "http://a"]);
  });

  test("takes URL objects", () => {
    const [a, b] = [new URL("http://a/"), new URL("http://b/")];
    expect(dedupe([a, b, new URL("http://a/")])).toEqual([a, b]);
    expect(dedupe([a, "HTTP://A"])).toEqual([a]);
  });

  test("takes objects with a function that returns their URL, and keeps all that have none", () => {
    const items = URLS.map((link, at) => ({ link, at }));
    const kept = dedupe(items, { ...crawl, url: ({ link }) => link });
    expect(kept.map(({ at }) => at)).toEqual([0, 1, 3, 4, 5, 6]);
    expect(kept[0]).toBe(items[0]);
    expect(
      dedupe(
        new Map([
          ["http://a", 1],
          ["http://A/", 2],
        ]),
        { url: ([link]) => link },
      ),
    ).toEqual([["http://a", 1]]);
  });

  test("of an async iterable is an async iterable", async () => {
    expect(await collect(dedupe(later(URLS), crawl))).toEqual(UNIQUE);
    expect(await collect(dedupe(Readable.from(URLS), crawl))).toEqual(UNIQUE);
    const items = URLS.map((link, at) => ({ link, at }));
    const kept = await collect(dedupe(later(items), { ...crawl, url: ({ link }) => link }));
    expect(kept.map(({ at }) => at)).toEqual([0, 1, 3, 4, 5, 6]);
  });

  test("gives a URL of an async iterable before the next one comes, and closes it when its reader leaves", async () => {
    const closed = vi.fn();
    async function* slow(): AsyncGenerator<string> {
      try {
        yield "http://a";
        await new Promise(() => {});
      } finally {
        closed();
      }
    }
    const source = slow();
    const left = vi.spyOn(source, "return");
    for await (const url of dedupe(source)) {
      expect(url).toBe("http://a");
      break;
    }
    expect(left).toHaveBeenCalledOnce();
    expect(closed).not.toHaveBeenCalled(); // it still waits, and nobody waits for it
  });

  test("passes on the error of an async iterable, after the items before it", async () => {
    async function* failing(): AsyncGenerator<string> {
      yield "http://a";
      throw new Error("broken");
    }
    const got: string[] = [];
    await expect(async () => {
      for await (const url of dedupe(failing())) got.push(url);
    }).rejects.toThrow("broken");
    expect(got).toEqual(["http://a"]);
  });

  test.each<[unknown, RegExp]>([
    ["http://a/", /put it into an array/],
    [5, /urls is Number/],
    [null, /urls is Null/],
    [Buffer.from("http://a/"), /urls is Uint8Array/],
    [["http://a/", {}], /item 1 is Object, .*option url/],
    [["http://a/", undefined], /item 1 is Undefined/],
  ])("refuses %j", (urls, message) => {
    const attempt = () => dedupe(urls as string[]);
    expect(attempt).toThrow(coded("BAD_INPUT"));
    expect(attempt).toThrow(message);
  });

  test("refuses an item of an async iterable that is not a URL, with its number", async () => {
    const chunks = Array.from({ length: 5_000 }, (_, at) => (at === 4_500 ? 5 : `http://a/${at}`));
    const reading = collect(dedupe(later(chunks as string[])));
    await expect(reading).rejects.toThrow(/item 4500 is Number/);
    const bytes = collect(dedupe(Readable.from([Buffer.from("http://a/\n")])));
    await expect(bytes).rejects.toThrow(coded("BAD_INPUT"));
  });

  test("gives the items of an async iterable that come before one that is not a URL, and closes it", async () => {
    const fail = (): string => {
      throw new Error("no link");
    };
    for (const [wrong, message] of [
      [{ link: () => 5 as unknown as string }, "the URL of item 2 is Number"],
      [{ link: fail }, "no link"],
    ] as const) {
      const items = [{ link: () => "http://a" }, { link: () => "http://b" }, wrong];
      const source = later(items);
      const left = vi.spyOn(source, "return");
      const got: unknown[] = [];
      await expect(async () => {
        for await (const item of dedupe(source, { url: ({ link }) => link() })) got.push(item);
      }).rejects.toThrow(message);
      expect(got).toEqual(items.slice(0, 2));
      expect(left).toHaveBeenCalledOnce();
    }
  });

  test("reads the text of a URL object when it comes", async () => {
    async function* pages(): AsyncGenerator<URL> {
      const url = new URL("http://a/");
      for (const page of ["1", "2", "1"]) {
        url.search = page;
        yield url;
      }
    }
    expect(await collect(dedupe(pages()))).toHaveLength(2);
  });

  test("takes an array of a class with a constructor of its own", () => {
    class Links extends Array<string> {
      constructor(links: readonly string[]) {
        super();
        this.push(...links);
      }
    }
    expect(dedupe(new Links(URLS), crawl)).toEqual(UNIQUE);
    const kept = dedupe(new Links(["http://a", "http://A/"]), { url: (link) => link });
    expect(kept).toEqual(["http://a"]);
  });

  test("keeps items whose URL is null, as it keeps those whose text is not a URL", () => {
    const items = [{ h: null }, { h: "http://a" }, { h: "HTTP://A/" }, { h: null }, { h: "x" }];
    const kept = dedupe(items, { url: ({ h }) => h });
    expect(kept.map((item) => items.indexOf(item))).toEqual([0, 1, 3, 4]);
  });

  test("refuses a url that is not a function, or returns none", () => {
    const items = [{ link: "http://a/" }];
    const wrong = { url: "link" } as unknown as { url: () => string };
    expect(() => dedupe(items, wrong)).toThrow(coded("BAD_OPTION"));
    const none = () => undefined as unknown as string;
    expect(() => dedupe(items, { url: none })).toThrow(/the URL of item 0 is Undefined/);
  });

  test("keeps those of real and of made-up URLs that a set of their normal forms would", () => {
    const random = new Random(36);
    const real = linesOf(readCorpus()).slice(0, 8_000);
    const urls = Array.from({ length: 30_000 }, () =>
      random.chance(70)
        ? random.pick(real)
        : `http://H${random.below(50)}/?b&a=${random.below(50)}#x`,
    );
    const keys = urls.map((url) => tryNormalize(url, crawl).url ?? `text ${url}`);
    const first = new Map([...keys.entries()].reverse().map(([at, key]) => [key, at]));
    const expected = urls.filter((_, at) => first.get(keys[at] as string) === at);
    expect(dedupe(urls, crawl)).toEqual(expected);
    expect(normalize(expected[0] as string, crawl)).toBe(keys[0]);
  });
});

describe("options of functions", () => {
  const compiled = (calls: () => void): number => {
    const plan = vi.spyOn(Normalizer.prototype, "normalize");
    calls();
    const normalizers = new Set(plan.mock.contexts);
    plan.mockRestore();
    return normalizers.size;
  };

  test.each<[string, Functions["normalize"]]>([
    ["urlmill", main.normalize],
    ["urlmill/js", javascript.normalize],
  ])("that are equal are compiled once (%s)", (_, normalize) => {
    const equal: Options[] = [
      { preset: "crawl", dropParams: ["a", "b"], defaultParams: { p: "1" } },
      { dropParams: ["a", "b"], defaultParams: { p: "1" }, preset: "crawl" },
      { preset: "crawl", dropParams: ["a", "b"], defaultParams: { p: "1" }, keepParams: undefined },
    ] as Options[];
    const run = () => {
      for (const options of [...equal, ...equal]) normalize("http://a/", options);
    };
    expect(compiled(run)).toBe(1);
    const others: Options[] = [
      {},
      { preset: "crawl" },
      { preset: "crawl", dropParams: ["b", "a"], defaultParams: { p: "1" } },
      { preset: "crawl", dropParams: ["a", "b"], defaultParams: { p: "2" } },
      { preset: "crawl", dropParams: ["a", "b", "c"], defaultParams: { p: "1" } },
    ];
    expect(compiled(() => others.map((options) => normalize("http://a/", options)))).toBe(5);
  });

  test("may be changed after a call, at any depth", () => {
    const options = {
      dropParams: ["a"],
      sites: { "b.c": { dropParams: ["x"] } },
    };
    expect(main.normalize("http://b.c/?a&x&y", options)).toBe("http://b.c/?a&y");
    options.sites["b.c"].dropParams.push("a");
    expect(main.normalize("http://b.c/?a&x&y", options)).toBe("http://b.c/?y");
    options.dropParams[0] = "q";
    expect(main.normalize("http://d/?a&q", options)).toBe("http://d/?a");
  });

  test.each<[string, Functions]>([
    ["urlmill", main],
    ["urlmill/js", javascript as Functions],
  ])("are an object, also after others were (%s)", (_, functions) => {
    for (const call of callsOf(functions)) {
      call({});
      for (const wrong of [[], "crawl", null, new Map()]) {
        expect(() => call(wrong as Options)).toThrow(coded("BAD_OPTION"));
      }
    }
  });

  test.each<[string, Functions["normalize"]]>([
    ["urlmill", main.normalize],
    ["urlmill/js", javascript.normalize],
  ])(
    "that an object inherits do not count, also after equal ones were given (%s)",
    (_, normalize) => {
      const inherited: Options = Object.create({ preset: "crawl" });
      normalize("http://a/#b", { preset: "crawl" });
      expect(normalize("http://a/#b", inherited)).toBe("http://a/#b");
      expect(normalize("http://a/#b", { preset: "crawl" })).toBe("http://a/");
    },
  );

  test("that are wrong are refused after right ones, also with names that each object inherits", () => {
    main.normalize("http://a/", {});
    for (const wrong of ['{"__proto__":{}}', '{"constructor":null}', '{"toString":1}']) {
      const attempt = () => main.normalize("http://a/", JSON.parse(wrong));
      expect(attempt).toThrow(coded("BAD_OPTION"));
    }
    const circle: Record<string, unknown> = {};
    circle["sites"] = { a: circle };
    expect(() => main.normalize("http://a/", circle)).toThrow(coded("BAD_OPTION"));
  });

  test("are told apart by a compiled kernel", () => {
    const bytes = readFileSync(new URL("../../dist/kernel.wasm", import.meta.url));
    const [a, b] = [new WebAssembly.Module(bytes), new WebAssembly.Module(bytes)];
    const run = () => {
      for (const module of [a, b, a]) main.normalize("http://a/", { module });
    };
    expect(compiled(run)).toBe(2);
  });

  test("of many kinds do not stay in memory", () => {
    const first = { dropParams: ["first"] };
    const run = () => {
      main.normalize("http://a/", first);
      for (let at = 0; at < 20; at++) main.normalize("http://a/", { dropParams: [`p${at}`] });
      main.normalize("http://a/", first);
    };
    expect(compiled(run)).toBe(22);
  });

  test("compile anew after the kernel was loaded, so that it runs", async () => {
    const run = async () => {
      main.normalize("http://a/", { preset: "c14n" });
      await main.loadKernel();
      main.normalize("http://a/", { preset: "c14n" });
    };
    const plan = vi.spyOn(Normalizer.prototype, "normalize");
    await run();
    expect(new Set(plan.mock.contexts).size).toBe(2);
    plan.mockRestore();
  });
});

test("a scheme that is not allowed is named", () => {
  const options = { preset: "crawl" } as const;
  const message = "scheme mailto is not allowed (option allowedSchemes): mailto:x@y";
  expect(main.tryNormalize("mailto:x@y", options)).toMatchObject({
    code: "SCHEME_NOT_ALLOWED",
    message,
  });
});
