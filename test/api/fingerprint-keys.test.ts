import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { toColumn } from "../shared/columns.ts";
import { describeEngines, ENGINES } from "../shared/engines.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);
const NO_KEYS: readonly unknown[] = [
  "0123456789abcdef",
  null,
  16,
  new Array(16).fill(1),
  new Uint8Array(15),
  new Uint8Array(17),
  new Uint16Array(16),
  new ArrayBuffer(16),
  new SharedArrayBuffer(16),
  new DataView(new ArrayBuffer(16)),
  new Uint8ClampedArray(16),
  { length: 16 },
];

describeEngines("a key", (create) => {
  const normalizer = create();

  test.each(NO_KEYS)("that is not a Uint8Array of 16 is BAD_OPTION: %s", async (wrong) => {
    const key = wrong as Uint8Array;
    const refusal = expect.objectContaining({ code: "BAD_OPTION" });
    const pieces = { key, bits: 128 } as const;
    expect(() => normalizer.fingerprintBatch(["http://a/"], { key })).toThrow(refusal);
    expect(() => normalizer.fingerprintPieces(["http://a/"], pieces, () => {})).toThrow(refusal);
    expect(() => normalizer.normalizeWindows(new Uint8Array(0), true, { key }, () => {})).toThrow(
      refusal,
    );
    expect(() => new SeenSet({ key })).toThrow(refusal);
    await expect(SeenSet.open("never-made", { key })).rejects.toThrow(refusal);
  });
});

test.each([
  ["shared memory", () => new Uint8Array(new SharedArrayBuffer(16))],
  ["a part of larger memory", () => new Uint8Array(33).subarray(17)],
  ["a Buffer", () => Buffer.alloc(16)],
  ["another realm", () => runInNewContext("new Uint8Array(16)")],
] as const)("a key in %s is its bytes, on both engines", (_, make) => {
  for (const engine of ENGINES) {
    const key = make();
    key.set(KEY);
    const normalizer = createNormalizer({ engine });
    const { fingerprints } = normalizer.fingerprintBatch(["http://a/"], { key });
    expect(fingerprints).toEqual(
      normalizer.fingerprintBatch(["http://a/"], { key: KEY }).fingerprints,
    );
    expect(new SeenSet({ engine, key }).key).toEqual(KEY);
  }
});

test.each([
  ["strings", (urls: string[]) => urls],
  ["lines", (urls: string[]) => Buffer.from(urls.join("\n"))],
  ["a column", toColumn],
] as const)("rows with an error of %s have zeros, on both engines", (_, toBatch) => {
  const long = `http://a/${"x".repeat(2_000)}`;
  const batch = toBatch(["http://a/", "", "http://[", long, "b", "http://c/"]);
  for (const bits of [128, 64] as const) {
    const [wasm, js] = (["wasm", "js"] as const).map((engine) =>
      createNormalizer({ engine, maxLength: 1_000 }).fingerprintBatch(batch, { key: KEY, bits }),
    );
    expect(js).toEqual(wasm);
    expect([...(wasm?.status ?? [])]).toEqual([0, 2, 8, 12, 3, 0]);
    const width = bits / 8;
    const isZero = Array.from({ length: 6 }, (_, row) =>
      wasm?.fingerprints.subarray(row * width, (row + 1) * width).every((byte) => byte === 0),
    );
    expect(isZero).toEqual([false, true, true, true, true, false]);
  }
});
