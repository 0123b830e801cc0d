import { afterEach, expect, test, vi } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { createNormalizer as createJsNormalizer } from "../../src/js.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each([
  [{ preset: "reckless" }, 'option preset cannot be "reckless": expected safe'],
  [{ engine: "java" }, 'option engine cannot be "java": expected auto, wasm, js'],
  [{ maxLength: 0 }, "option maxLength cannot be 0: expected a whole number from 1 to 67108864"],
  [{ maxLength: 1.5 }, "option maxLength cannot be 1.5"],
  [{ maxLength: "9" }, 'option maxLength cannot be "9"'],
  [{ defaultScheme: "gopher" }, 'option defaultScheme cannot be "gopher"'],
  [{ defaultScheme: "" }, 'option defaultScheme cannot be ""'],
  [{ trailing: true }, 'there is no option "trailing"'],
])("refuses %o by name", (options, message) => {
  const attempt = () => createNormalizer(options as never);
  expect(attempt).toThrow(expect.objectContaining({ name: "UrlmillError", code: "BAD_OPTION" }));
  expect(attempt).toThrow(message);
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
