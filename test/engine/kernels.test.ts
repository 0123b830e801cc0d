import { afterEach, expect, test, vi } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { collectGarbage } from "../shared/collect-garbage.ts";

afterEach(() => vi.restoreAllMocks());

const RealInstance = WebAssembly.Instance;
type Exports = Record<string, unknown>;

/** Makes the instances that follow by `change`, which gets the exports of each and its number. */
function changeInstances(change: (exports: Exports, number: number) => Exports): { made: number } {
  const counter = { made: 0 };
  vi.spyOn(WebAssembly, "Instance").mockImplementation(
    class {
      readonly exports: Exports;
      constructor(module: WebAssembly.Module) {
        this.exports = change({ ...new RealInstance(module, {}).exports }, counter.made++);
      }
    } as never,
  );
  return counter;
}

/** Exports whose function `name` traps from its call number `first` on. */
function trapping(exports: Exports, name: string, first = 0): Exports {
  let calls = 0;
  const real = exports[name] as (...given: number[]) => number;
  const trap = (...given: number[]): number => {
    if (calls++ < first) return real(...given);
    throw new WebAssembly.RuntimeError("unreachable");
  };
  return { ...exports, [name]: trap };
}

/** Options that no other test has, so that no kernel is shared with one. */
let lengths = 5_000;
function ownOptions(): { engine: "wasm"; maxLength: number } {
  return { engine: "wasm", maxLength: lengths++ };
}

const failed = expect.objectContaining({ code: "ENGINE_FAILED" });

test.each(["normalizeColumn", "normalizeLines", "fingerprintRows"])(
  "a trap in %s ends its call alone: a fresh kernel serves the next",
  (name) => {
    const counter = changeInstances((exports, number) =>
      number === 0 ? trapping(exports, name) : exports,
    );
    const normalizer = createNormalizer(ownOptions());
    const lines = Buffer.from("HTTP://B/%7e\n");
    const key = new Uint8Array(16);
    const call = (): string => {
      const keys = normalizer.fingerprintBatch(lines, { key }).fingerprints;
      expect(keys.some((byte) => byte !== 0)).toBe(true);
      return normalizer.normalize("HTTP://B/%7e");
    };
    expect(call).toThrow(failed);
    expect(counter.made).toBeLessThanOrEqual(2);
    expect(call()).toBe("http://b/~");
    expect(counter.made).toBe(2);
  },
);

test("WebAssembly that is not a kernel is an error with a code, whatever engine was asked for", () => {
  const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  for (const engine of ["wasm", "auto"] as const) {
    const create = () => createNormalizer({ ...ownOptions(), engine, module });
    expect(create).toThrow(failed);
    expect(create).toThrow("is not a kernel of urlmill");
  }
});

test("a stack that is full in the kernel counts as a trap", () => {
  changeInstances((exports, number) => {
    const overflow = (): never => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    return number === 0 ? { ...exports, normalizeColumn: overflow } : exports;
  });
  const normalizer = createNormalizer(ownOptions());
  expect(() => normalizer.normalize("HTTP://B/%7e")).toThrow(/Maximum call stack/);
  expect(normalizer.normalize("HTTP://B/%7e")).toBe("http://b/~");
});

test("a row that memory has no room for is TOO_LONG, as are not the rows around it", () => {
  changeInstances((exports) => {
    const reserve = exports["reserve"] as (...sizes: number[]) => number;
    const small = (...sizes: number[]): number =>
      (sizes[2] as number) > 1 << 18 ? 0 : reserve(...sizes);
    return { ...exports, reserve: small };
  });
  const normalizer = createNormalizer({ engine: "wasm", maxLength: 1 << 21 });
  const long = `HTTP://A/${"x".repeat(300_000)}`;
  const rows = ["HTTP://B", long, "HTTP://C"];
  expect([...normalizer.normalizeBatch(rows).status]).toEqual([1, 12, 1]);
  expect([...normalizer.normalizeLines(Buffer.from(rows.join("\n"))).status]).toEqual([1, 12, 1]);
  expect(() => normalizer.normalize(long)).toThrow(expect.objectContaining({ code: "TOO_LONG" }));
});

test("normalizers with equal options share one kernel", () => {
  const counter = changeInstances((exports) => exports);
  const options = ownOptions();
  const normalizers = Array.from({ length: 50 }, () => createNormalizer(options));
  for (const normalizer of normalizers) {
    expect(normalizer.normalize("x", "http://h/")).toBe("http://h/x");
  }
  expect(counter.made).toBe(1);
  createNormalizer(ownOptions());
  expect(counter.made).toBe(2);
});

test("a normalizer asks for the kernels of its own plan, and only now and then for all", () => {
  const asked = vi.spyOn(WeakRef.prototype, "deref");
  for (let made = 0; made < 200; made++) createNormalizer(ownOptions());
  // 40,000 and more, if each asked for those of all before it.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2000);
});

test("kernels that no normalizer uses are freed, and those that follow are shared", async () => {
  const counter = changeInstances((exports) => exports);
  const options = ownOptions();
  createNormalizer(options);
  await collectGarbage();
  const later = createNormalizer(options);
  expect(counter.made).toBe(2);
  await collectGarbage();
  expect(createNormalizer(options).profileId).toBe(later.profileId);
  expect(counter.made).toBe(2);
});

test("a set whose kernel trapped says so, at this call and all later ones", async () => {
  changeInstances((exports) => trapping(exports, "insertFingerprints", 1));
  const seen = new SeenSet({ ...ownOptions(), maxBytes: 1 << 26 });
  expect([...(await seen.addBatch(["http://a/"]))]).toEqual([1]);
  await expect(seen.addBatch(["http://b/"])).rejects.toThrow(failed);
  await expect(seen.addBatch(["http://c/"])).rejects.toThrow(failed);
  await expect(seen.hasBatch(["http://a/"])).rejects.toThrow(failed);
});

test("auto takes JavaScript where no memory is left for a kernel, wasm says why it cannot", () => {
  changeInstances(() => {
    throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory");
  });
  const { engine: _, ...options } = ownOptions();
  expect(createNormalizer({ ...options, engine: "auto" }).engine).toBe("js");
  const refusal = expect.objectContaining({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringMatching(/Out of memory.*address space.*ulimit/),
  });
  expect(() => createNormalizer({ ...options, engine: "wasm" })).toThrow(refusal);
});
