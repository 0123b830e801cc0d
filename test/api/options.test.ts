import { afterEach, expect, test, vi } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { createNormalizer as createJsNormalizer } from "../../src/js.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each([
  [{ preset: "reckless" }, 'option preset cannot be "reckless": expected safe'],
  [{ preset: "crawlee" }, 'option preset cannot be "crawlee": Crawlee\'s keys are not normalized'],
  [{ preset: "crawlee" }, "urlmill/crawlee makes them, and --form crawlee"],
  [{ sites: { "a.b": { preset: "crawlee" } } }, 'option sites["a.b"].preset cannot be "crawlee"'],
  [{ engine: "java" }, 'option engine cannot be "java": expected auto, wasm, js'],
  [{ maxLength: 0 }, "option maxLength cannot be 0: expected a whole number from 1 to 67108864"],
  [{ maxLength: 1.5 }, "option maxLength cannot be 1.5"],
  [{ maxLength: "9" }, 'option maxLength cannot be "9"'],
  [{ defaultScheme: "gopher" }, 'option defaultScheme cannot be "gopher"'],
  [{ defaultScheme: "" }, 'option defaultScheme cannot be ""'],
  [{ trailing: true }, 'there is no option "trailing"'],
  [{ constructor: "x" }, 'there is no option "constructor"'],
  [{ maxLength: 9n }, "option maxLength cannot be 9"],
  [{ maxLength: Symbol("nine") }, "option maxLength cannot be Symbol(nine)"],
  [{ sites: [9n] }, "option sites cannot be this object: expected"],
  [{ www: "maybe" }, 'option www cannot be "maybe": expected keep, remove, add'],
  [{ trailingSlash: true }, "option trailingSlash cannot be true: expected keep, add, remove"],
  [{ keepParams: "id" }, 'option keepParams cannot be "id": expected a list of parameter names'],
  [
    { dropParams: ["*"], keepParams: [] },
    'option dropParams cannot be "*": expected no keepParams beside it',
  ],
  [
    { keepParams: ["id"], sites: { "a.b": { dropParams: ["x", "*"] } } },
    'option sites["a.b"].dropParams cannot be "*": expected no keepParams beside it',
  ],
  [
    { dropParams: [""] },
    'option dropParams cannot be "": expected parameter names that are not empty; * in dropParams removes all',
  ],
  [
    { dropParams: ["*a*"] },
    'option dropParams cannot be "*a*": expected names with * at their beginning or at their end',
  ],
  [{ keepParams: ["*"] }, 'option keepParams cannot be "*": expected parameter names that are not'],
  [{ defaultParams: { A: "1", a: "2" }, paramCase: "ignore" }, "expected one value, not 1 and 2"],
  [{ keepParams: ["a=b"] }, 'option keepParams cannot be "a=b": expected names without ='],
  [{ keepParams: ["a&b"] }, 'option keepParams cannot be "a&b": expected no &'],
  [{ defaultParams: { a: 1 } }, 'option defaultParams cannot be {"a":1}'],
  [{ defaultParams: { a: "b&c" } }, 'option defaultParams cannot be "b&c": expected no &'],
  [{ stripTracking: true }, 'there is no option "stripTracking"; did you mean trackingParams?'],
  [{ removeTrailingSlash: true }, "; did you mean trailingSlash?"],
  [{ stripWWW: true }, "; did you mean www?"],
  [{ removeFragments: true }, "; did you mean fragment?"],
  [{ tracking_params: "remove" }, "; did you mean trackingParams?"],
  [{ "sort-query": true }, "; did you mean sortQuery?"],
  [{ fragmnet: "keep" }, "; did you mean fragment?"],
  [{ preset: "crawler" }, "expected safe, crawl, c14n, aggressive; did you mean crawl?"],
  [{ engine: "wsam" }, "expected auto, wasm, js; did you mean wasm?"],
  [{ sites: { "a.b": { stripWWW: true } } }, '"stripWWW" ("a.b"); did you mean www?'],
  [{ sites: { "a.b": { fragment: "kep" } } }, "; did you mean keep?"],
  [{ schemes: ["http"] }, 'there is no option "schemes"; it is allowedSchemes now'],
  [{ aliases: "" }, 'there is no option "aliases"; it is pageAliases now'],
  [{ acceptRules: "E4" }, 'there is no option "acceptRules"; it is accept now'],
  [{ accept: "E4" }, 'option accept cannot be "E4": expected its new name, "size"'],
  [{ sites: { a: { schemes: [] } } }, "it is allowedSchemes now"],
  [{ dropParams: Array(1) }, "option dropParams cannot be [null]: expected a list of parameter"],
  [{ hostAliases: new Map([["a.b", "c.d"]]) }, "option hostAliases cannot be this Map: expected"],
  [{ defaultParams: new Map([["a", "1"]]) }, "option defaultParams cannot be this Map"],
  [{ sites: new Map([["a.b", {}]]) }, "option sites cannot be this Map"],
  [{ sites: { "a.b": new Map([["www", "add"]]) } }, 'option sites cannot be {"a.b":"this Map"}'],
  [{ directoryIndex: false }, "option directoryIndex cannot be false"],
  [{ directoryIndex: ["a/b"] }, 'option directoryIndex cannot be "a/b": expected file names'],
  [
    { allowedSchemes: ["http:"] },
    'option allowedSchemes cannot be "http:": expected schemes such as "http"',
  ],
  [
    { allowedSchemes: ["http"], scheme: "https" },
    'option scheme cannot be "https": expected one that the option allowedSchemes allows: http',
  ],
  [
    { hostAliases: { "a b": "c" } },
    'option hostAliases cannot be "a b": expected a host name or an IP address',
  ],
  [{ hostAliases: { a: "b:80" } }, 'option hostAliases cannot be "b:80"'],
  [{ hostAliases: { "A.b": "c.d", "a.b": "e.f" } }, "expected one target, not c.d and e.f"],
  [
    { hostAliases: { "a.b": "c.d", "c.d": "a.b" } },
    'cannot be "a.b > c.d > a.b": expected aliases, www and sites that move no host in a circle',
  ],
  [
    { hostAliases: { "a.b": "www.c.d", "c.d": "www.a.b" }, www: "remove" },
    "move no host in a circle",
  ],
  [{ www: "add", sites: { "www.a.b": { www: "remove" } } }, "move no host in a circle"],
  [
    { sites: { "A.b": {}, "a.B": {} } },
    'option sites cannot be "a.b": expected one set of options for each pattern',
  ],
  [{ defaultParams: { a: "1", "%61": "2" } }, "expected one value, not 1 and 2"],
  [{ sites: { "*": {} } }, 'option sites cannot be "*": expected a host'],
  [{ sites: { "*.a.*": {} } }, "it can never match"],
  [{ sites: { "http://a": {} } }, 'option sites cannot be "http://a": expected a host name'],
  [{ sites: { "a.b": { maxLength: 1 } } }, 'option sites: maxLength cannot be set for "a.b" alone'],
  [{ sites: { "a.b": { wow: 1 } } }, 'option sites: there is no option "wow" ("a.b")'],
  [{ sites: { "a.b": { www: "x" } } }, 'option sites["a.b"].www cannot be "x"'],
  [
    { www: "remove", sites: { "www.a.b": { fragment: "remove" } } },
    'cannot be "www.a.b": expected a host that keeps its name: it becomes a.b, so the pattern can never match',
  ],
  [{ wwwDigits: "yes" }, 'option wwwDigits cannot be "yes": expected false, true'],
  [{ hostAliases: { "*.1.2.3.4": "a" } }, "no host is below an IP address"],
  [{ hostAliases: { "*.*.a": "b" } }, 'option hostAliases cannot be "*.*.a": expected a host name'],
  [{ hostAliases: { a: "*.b" } }, 'option hostAliases cannot be "*.b": expected a host name'],
  [{ hostAliases: { "*.a.b": "a.b" }, www: "add" }, "move no host in a circle"],
  [
    { sites: { "a.b": { www: "add", fragment: "remove" } } },
    'option sites["a.b"].fragment cannot be "remove": expected a host that keeps its name: it becomes www.a.b',
  ],
  [
    { sites: { "www2.a.b": { www: "remove", wwwDigits: true, dropParams: ["x"] } } },
    'option sites["www2.a.b"].dropParams cannot be ["x"]',
  ],
  [
    { sites: { "a.b.": { trailingDot: "remove", emptyQuery: "remove" } } },
    'option sites["a.b."].emptyQuery cannot be "remove": expected a host that keeps its name: it becomes a.b,',
  ],
  [
    { hostAliases: { "a.b": "c.d" }, sites: { "a.b": { www: "add" } } },
    "it becomes c.d, so the pattern can never match",
  ],
  [
    { hostAliases: { "*.a.b": "c.d" }, sites: { "x.a.b": {} } },
    "it becomes c.d, so the pattern can never match",
  ],
  [
    { hostAliases: { "*.a.b": "c.d", "a.b": "c.d" }, sites: { "*.a.b": {} } },
    "it becomes c.d, so the pattern can never match",
  ],
  [
    { hostAliases: { "a.b": "c.d" }, sites: { "a.b": {} } },
    "it becomes c.d, so the pattern can never match",
  ],
])("refuses %o by name", (options, message) => {
  const attempt = () => createNormalizer(options as never);
  expect(attempt).toThrow(expect.objectContaining({ name: "UrlmillError", code: "BAD_OPTION" }));
  expect(attempt).toThrow(message);
});

test.each([null, 5, "crawl", ["crawl"], new Map([["preset", "crawl"]]), () => "crawl"])(
  "refuses as options what has no names, in each function that takes them: %s",
  async (wrong) => {
    const options = wrong as object;
    const refusal = expect.objectContaining({ code: "BAD_OPTION" });
    const { createPool } = await import("../../src/pool/index.ts");
    const { SeenSet } = await import("../../src/seen/index.ts");
    const { createUniqueKey, startRequest, transformRequest } = await import(
      "../../src/crawlee/index.ts"
    );
    expect(() => createNormalizer(options)).toThrow(refusal);
    expect(() => createJsNormalizer(options)).toThrow(refusal);
    expect(() => createPool(options)).toThrow(refusal);
    for (const create of [createUniqueKey, startRequest, transformRequest]) {
      expect(() => create(options)).toThrow(refusal);
    }
    expect(() => new SeenSet(options)).toThrow(refusal);
    await expect(SeenSet.open("never-made", options)).rejects.toThrow(refusal);
  },
);

test.each([
  { sites: { "a.b": { www: "add" }, "www.a.b": { fragment: "remove" } } },
  { sites: { "a.b.": { trailingDot: "remove" }, "a.b": { fragment: "remove" } } },
  { sites: { "*.a.b": { www: "add", fragment: "remove" } } },
  { hostAliases: { "*.a.b": "a.b" }, sites: { "*.a.b": { fragment: "remove" } } },
  { hostAliases: { "*.a.b": "c.d", "x.a.b": "x.a.b" }, sites: { "*.a.b": { fragment: "remove" } } },
  { fragment: "remove", sites: { "a.b": { www: "add", fragment: "remove" } } },
] as const)("takes %o, of which each part can match", (options) => {
  expect(createNormalizer(options).profileId).toMatch(/^[0-9a-f]{16}$/);
});

test("runs WebAssembly unless told otherwise", () => {
  vi.stubEnv("URLMILL_ENGINE", "");
  expect(createNormalizer().engine).toBe("wasm");
  expect(createNormalizer({ engine: "js" }).engine).toBe("js");
});

test("takes the engine from URLMILL_ENGINE, an option wins", () => {
  vi.stubEnv("URLMILL_ENGINE", "js");
  expect(createNormalizer().engine).toBe("js");
  expect(createNormalizer({ engine: "wasm" }).engine).toBe("wasm");
  vi.stubEnv("URLMILL_ENGINE", "asm");
  expect(() => createNormalizer()).toThrow('option URLMILL_ENGINE cannot be "asm"');
});

test("falls back to JavaScript without WebAssembly, and says so when WebAssembly was asked for", () => {
  vi.stubGlobal("WebAssembly", undefined);
  expect(createNormalizer({ engine: "auto" }).engine).toBe("js");
  expect(() => createNormalizer({ engine: "wasm" })).toThrow(
    expect.objectContaining({ code: "ENGINE_UNAVAILABLE" }),
  );
});

test("falls back where compiling is refused", async () => {
  vi.resetModules();
  class Refused {
    constructor() {
      throw new EvalError("unsafe-eval is not allowed");
    }
  }
  vi.stubGlobal("WebAssembly", { Module: Refused });
  const fresh = await import("../../src/index.ts");
  expect(fresh.createNormalizer({ engine: "auto" }).engine).toBe("js");
  expect(() => fresh.createNormalizer({ engine: "wasm" })).toThrow(/unsafe-eval is not allowed/);
});

test("urlmill/js runs without WebAssembly", () => {
  vi.stubGlobal("WebAssembly", undefined);
  vi.stubEnv("URLMILL_ENGINE", "wasm");
  const normalizer = createJsNormalizer();
  expect(normalizer.engine).toBe("js");
  expect(normalizer.normalize("HTTP://A")).toBe("http://a/");
});

test("profileId names what a result depends on, whatever the order it was given in", () => {
  const id = (options: object): string => createNormalizer(options).profileId;
  expect(id({})).toMatch(/^[0-9a-f]{16}$/);
  expect(id({ engine: "js" })).toBe(id({ engine: "wasm" }));
  expect(id({ dropParams: ["a", "b"] })).toBe(id({ dropParams: ["b", "a", "a"] }));
  const sites = { "a.b": { www: "add" }, "*.a.b": { fragment: "remove" } } as const;
  expect(id({ sites })).toBe(id({ sites: { "*.a.b": sites["*.a.b"], "a.b": sites["a.b"] } }));
  const others = [
    {},
    { preset: "crawl" },
    { maxLength: 9 },
    { dropParams: ["a"] },
    { keepParams: ["a"] },
    { sites },
  ];
  expect(new Set(others.map(id)).size).toBe(others.length);
});
