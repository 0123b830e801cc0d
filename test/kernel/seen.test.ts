import { describe, expect, test } from "vitest";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { compileRules } from "../../src/options/compile.ts";
import { resolveOptions } from "../../src/options/options.ts";
import { encodePlan } from "../../src/plan/encode.ts";
import { Random } from "../shared/random.ts";

const plan = encodePlan(compileRules(resolveOptions()));
const ROWS = 10_000;

/** Fingerprints from a small range come again; `first` and `second` give both halves. */
function rowsOf(
  random: Random,
  first: () => bigint,
  second: () => bigint,
): { rows: Uint8Array; status: Uint8Array } {
  const words = new BigUint64Array(2 * ROWS);
  for (let at = 0; at < words.length; at += 2) {
    words[at] = first();
    words[at + 1] = second();
  }
  const status = Uint8Array.from({ length: ROWS }, () => (random.chance(20) ? 5 : random.below(2)));
  return { rows: new Uint8Array(words.buffer), status };
}

const spread = (random: Random, range: number) => () =>
  BigInt.asUintN(64, BigInt(random.below(range)) * 0x9e3779b97f4a7c15n);

describe.each([
  ["spread", (random: Random) => spread(random, 300_000)],
  ["in long runs", (random: Random) => () => BigInt(random.below(40)) << 59n],
  ["at both ends", (random: Random) => () => (random.chance(2) ? 0n : 0xffffffffffffffffn)],
])("the kernel's set, first halves %s", (_, firstOf) => {
  test("says of each fingerprint whether it is new, as a Set does", () => {
    const random = new Random(5);
    const kernel = new Kernel(plan, 1 << 16);
    const seen = new Set<string>();
    const first = firstOf(random);
    const second = (): bigint => BigInt(random.below(25));
    for (let batch = 0; batch < 40; batch++) {
      const { rows, status } = rowsOf(random, first, second);
      const isNew = kernel.insertFingerprints(rows, status);
      const expected = Array.from(status, (code, row) => {
        if (code > 1) return 0;
        const words = new BigUint64Array(rows.buffer, 16 * row, 2);
        // 0 in the first half is taken for 1.
        const key = `${words[0] || 1n} ${words[1]}`;
        if (seen.has(key)) return 0;
        seen.add(key);
        return 1;
      });
      expect(Buffer.compare(isNew, Uint8Array.from(expected))).toBe(0);
      expect(kernel.seenCount).toBe(seen.size);
      // A window that grows moves the set.
      if (batch % 10 === 9) kernel.reserve(kernel.capacity * 2);
    }
  });
});

test("the set takes at most 24 bytes a fingerprint from a hundred thousand on", () => {
  const random = new Random(9);
  const kernel = new Kernel(plan, 1 << 10);
  const before = kernel.bytes.length;
  for (let count = 0; count < 1_000_000; count += ROWS) {
    const word = (): bigint =>
      (BigInt(random.below(2 ** 31)) << 33n) | BigInt(random.below(2 ** 31));
    const { rows } = rowsOf(random, word, word);
    kernel.insertFingerprints(rows, new Uint8Array(ROWS));
    if (count >= 300_000) {
      expect((kernel.bytes.length - before) / kernel.seenCount).toBeLessThan(24);
    }
  }
  expect(kernel.seenCount).toBe(1_000_000);
});
