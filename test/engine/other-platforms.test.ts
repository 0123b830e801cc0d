import { readFileSync } from "node:fs";
import { createPool } from "urlmill/pool";
import { afterEach, expect, test, vi } from "vitest";
import { JsEngine } from "../../src/engine/js/engine.ts";
import { createNormalizer, type NormalizedLines, UrlmillError } from "../../src/index.ts";
import { createNormalizer as createJs } from "../../src/js.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const kernel = new WebAssembly.Module(
  readFileSync(new URL("../../build/kernel.wasm", import.meta.url)),
);
/** Bytes by themselves, which no Buffer is. */
const plain = ({ bytes, status }: NormalizedLines) => ({
  bytes: new Uint8Array(bytes),
  status: new Uint8Array(status),
});
const urls = [
  ...linesOf(readCorpus()).slice(0, 3_000),
  ...hostileUrls(8, 3_000),
  "http://a/\r",
  "\n",
];

test("without Buffer the kernel gives the same, strings joined or not", () => {
  const expected = createNormalizer({ engine: "js", maxLength: 5_000 }).normalizeBatch(urls);
  vi.stubGlobal("Buffer", undefined);
  // A plan of its own: kernels of equal plans are shared, and hold a Buffer.
  const n = createNormalizer({ engine: "wasm", maxLength: 5_000, module: kernel });
  const done = n.normalizeBatch(urls);
  const one = n.tryNormalize("http://a/\u00e9");
  vi.unstubAllGlobals();
  expect(done.urls).toEqual(expected.urls);
  expect(done.status).toEqual(expected.status);
  expect(one.url).toBe("http://a/%C3%A9");
});

test("without Buffer lines in shared memory give the same, where a TextDecoder refuses such memory", () => {
  const list = Buffer.from("HTTP://A/%7e\nhttp://b/\nno URL\nhttp://c/\u00e9\n");
  const shared = new Uint8Array(new SharedArrayBuffer(list.length));
  shared.set(list);
  const expected = createNormalizer({ engine: "js" }).normalizeLines(list);
  const { decode } = TextDecoder.prototype;
  vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(function (this: TextDecoder, bytes) {
    const { buffer } = bytes as Uint8Array;
    if (buffer instanceof SharedArrayBuffer) throw new TypeError("it must not be shared");
    return decode.call(this, bytes);
  });
  vi.stubGlobal("Buffer", undefined);
  const engines = [createJs(), createNormalizer({ module: kernel, maxLength: 4_998 })];
  const results = engines.map((n) => n.normalizeLines(shared));
  const columns = engines.map((n) =>
    n.normalizeColumn({ data: shared, offsets: Int32Array.of(0, 11) }),
  );
  vi.unstubAllGlobals();
  for (const { bytes, status } of results) expect({ bytes, status }).toEqual(plain(expected));
  for (const { status } of columns) expect([...status]).toEqual([1]);
});

test("where strings are slow to write, single URLs go through JavaScript, with the same results", () => {
  const usual = createNormalizer({ engine: "wasm", maxLength: 4_999 });
  const base = "http://b/c/";
  const expected = urls.slice(-3_000).map((url) => usual.tryNormalize(url, base));
  vi.stubGlobal("Deno", { permissions: { querySync: () => ({ state: "granted" }) } });
  const n = createNormalizer({ maxLength: 4_999 });
  const calls = vi.spyOn(JsEngine.prototype, "normalizeOne");
  expect(urls.slice(-3_000).map((url) => n.tryNormalize(url, base))).toEqual(expected);
  expect(calls).toHaveBeenCalledTimes(3_000);
  expect(n.normalizeBatch(["HTTP://A"]).urls).toEqual(["http://a/"]);
  expect([n.engine, n.engineReason]).toEqual(["wasm", null]);
});

test("a Buffer whose writer must be told a length works", () => {
  const { utf8Write } = Buffer.prototype as unknown as Record<
    string,
    (...args: unknown[]) => number
  >;
  const strict = (write: (...args: unknown[]) => number) =>
    function (this: unknown, ...args: unknown[]): number {
      if (typeof args[2] !== "number") throw new RangeError("the length is missing");
      return write.apply(this, args);
    };
  Object.assign(Buffer.prototype, { utf8Write: strict(utf8Write as never) });
  try {
    const n = createNormalizer({ engine: "wasm", maxLength: 6_000 });
    expect(n.normalizeBatch(["HTTP://A", "http://b/\u20ac"]).urls).toEqual([
      "http://a/",
      "http://b/%E2%82%AC",
    ]);
    expect(n.normalize("HTTP://A")).toBe("http://a/");
  } finally {
    Object.assign(Buffer.prototype, { utf8Write });
  }
});

/** A platform that runs compiled kernels, and refuses to compile one. */
function refuseCompiling(): void {
  class Refusing {
    constructor() {
      throw new WebAssembly.CompileError("compiling is refused");
    }
    static [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === "[object WebAssembly.Module]";
    }
  }
  const { Instance, Memory, CompileError } = WebAssembly;
  vi.stubGlobal("WebAssembly", { Instance, Memory, CompileError, Module: Refusing });
}

test("a compiled kernel is taken where compiling is refused", async () => {
  vi.resetModules(); // a kernel that was compiled before would be taken
  const fresh = await import("../../src/index.ts");
  refuseCompiling();
  const without = fresh.createNormalizer({ engine: "auto" });
  expect(without.engine).toBe("js");
  expect(without.engineReason).toContain("compiling is refused");
  expect(() => fresh.createNormalizer({ engine: "wasm" })).toThrow("compiling is refused");
  const n = fresh.createNormalizer({ engine: "wasm", module: kernel });
  expect([n.engine, n.normalize("HTTP://A")]).toEqual(["wasm", "http://a/"]);
});

test("whatever makes a normalizer takes a compiled kernel where compiling is refused", async () => {
  vi.resetModules();
  const { dedupe, normalize } = await import("../../src/index.ts");
  const { SeenSet } = await import("../../src/seen/index.ts");
  const { createUniqueKey } = await import("../../src/crawlee/index.ts");
  refuseCompiling();
  const options = { engine: "wasm", module: kernel } as const;
  expect(normalize("HTTP://A", options)).toBe("http://a/");
  expect(dedupe(["http://a", "HTTP://A/"], options)).toEqual(["http://a"]);
  expect(createUniqueKey(options)("HTTP://A")).toBe("http://a/");
  const seen = new SeenSet(options);
  expect(await seen.addBatch(["http://a", "HTTP://A/"])).toEqual(Uint8Array.of(1, 0));
  expect(seen.engine).toBe("wasm");
});

test("Deno without the permission to read the environment runs with the default engine", () => {
  vi.stubEnv("URLMILL_ENGINE", "js");
  const permissions = (state: string) => ({ permissions: { querySync: () => ({ state }) } });
  vi.stubGlobal("Deno", permissions("prompt"));
  expect(createNormalizer().engine).toBe("wasm");
  vi.stubGlobal("Deno", permissions("granted"));
  expect(createNormalizer().engine).toBe("js");
  vi.unstubAllEnvs();
});

test("a platform without WeakRef runs WebAssembly", () => {
  vi.stubGlobal("WeakRef", undefined);
  const n = createNormalizer({ engine: "wasm", maxLength: 7_000 });
  expect([n.engine, n.normalize("HTTP://A")]).toEqual(["wasm", "http://a/"]);
});

test("what is not a compiled kernel is refused", () => {
  const call = () =>
    createNormalizer({ module: new Uint8Array(8) as unknown as WebAssembly.Module });
  expect(call).toThrow(UrlmillError);
  expect(call).toThrow("option module cannot be");
});

test("a pool takes a compiled kernel", async () => {
  await using pool = createPool({ module: kernel, threads: 1, minBatchBytes: 0 });
  const { bytes } = await pool.normalizeLines(Buffer.from("HTTP://A\n"));
  expect([pool.engine, Buffer.from(bytes).toString()]).toEqual(["wasm", "http://a/\n"]);
});

test("a normalizer says why it runs JavaScript", () => {
  expect(createNormalizer({ engine: "wasm" }).engineReason).toBeNull();
  expect(createNormalizer({ engine: "js" }).engineReason).toBe('engine "js" was asked for');
  expect(createJs().engineReason).toBe("urlmill/js has no other engine");
  vi.stubGlobal("WebAssembly", undefined);
  const n = createNormalizer({ engine: "auto", maxLength: 8_000 });
  expect([n.engine, n.engineReason]).toEqual([
    "js",
    "WebAssembly does not run here: the platform does not have it",
  ]);
});
