import { describe, expect, test } from "vitest";
import type { FingerprintBits } from "../../src/fingerprints/table.ts";
import { BestValues } from "../../src/runs/keys/winners/best-values.ts";
import { RowBits } from "../../src/runs/keys/winners/row-bits.ts";
import { Winners } from "../../src/runs/keys/winners/winners.ts";
import { compareValues, VALUES } from "../shared/kept.ts";
import { IS_LONG } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const winnersOf = (bits: FingerprintBits, maxBytes = 1 << 24, options = {}) =>
  new Winners({
    keep: { which: "last" },
    count: true,
    repeated: false,
    ...options,
    identity: { key: new Uint8Array(16), bits } as never,
    maxBytes,
    earlier: null,
  });

/** Fingerprints whose keys are numbers. */
function fingerprintsOf(keys: readonly number[], bits: FingerprintBits): Uint8Array {
  const words = new Uint32Array((keys.length * bits) / 32);
  const perKey = bits / 32;
  // The upper word chooses the home, so that some keys meet at the end of the table.
  for (const [at, key] of keys.entries()) {
    words[perKey * at] = key;
    words[perKey * at + 1] = key % 30 === 0 ? 0xffffffff : Math.imul(key, 0x9e3779b1);
  }
  return new Uint8Array(words.buffer);
}

describe.each([64, 128] as const)("Winners of keys of %d bits", (bits) => {
  test("answers for the same rows as a map does, however they are divided", async () => {
    const random = new Random(5);
    const keys = Array.from({ length: 60_000 }, () => random.below(20_000));
    const rows = fingerprintsOf(keys, bits);
    const winners = winnersOf(bits);
    for (let at = 0; at < rows.length; at += 8000) await winners.add(rows.subarray(at, at + 8000));
    const last = new Map(keys.map((key, row) => [key, row]));
    const counts = new Map<number, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const chosen = winners.chosen(null);
    expect(chosen.size).toBe(last.size);
    const answers = await chosen.add(rows);
    const isLast = Uint8Array.from(keys, (key, row) => (last.get(key) === row ? 1 : 0));
    expect(Buffer.compare(answers.rows, isLast)).toBe(0);
    const written = keys.filter((key, row) => last.get(key) === row);
    expect([...(answers.counts ?? [])]).toEqual(written.map((key) => counts.get(key)));
    expect(() => chosen.checkEnd()).not.toThrow();
  });

  test("notices that other rows are read the second time", async () => {
    const read = async (first: number[], second: number[]): Promise<void> => {
      const winners = winnersOf(bits);
      await winners.add(fingerprintsOf(first, bits));
      const chosen = winners.chosen(null);
      await chosen.add(fingerprintsOf(second, bits));
      chosen.checkEnd();
    };
    await read([1, 2, 3], [1, 2, 3]);
    for (const other of [
      [1, 2],
      [1, 2, 3, 3],
      [1, 3, 2],
      [1, 2, 4],
    ]) {
      await expect(read([1, 2, 3], other)).rejects.toThrow(
        "an input was changed between its two readings",
      );
    }
  });

  test("throws SET_FULL before it takes more memory than it may", async () => {
    const winners = winnersOf(bits, 1 << 20);
    // None of them has its home at the end of the table.
    const keys = Array.from({ length: 100_000 }, (_, key) => 3 * key + 1);
    await expect(winners.add(fingerprintsOf(keys, bits))).rejects.toThrow(
      /^memory has room for \d+ different keys/,
    );
  });

  test.runIf(IS_LONG || bits === 64)(
    "throws SET_FULL if the answers to many rows of few keys would take more",
    async () => {
      const keys = Array.from({ length: 100_000 }, (_, row) => row % 100);
      const rows = fingerprintsOf(keys, bits);
      const added = async (options: object) => {
        const winners = winnersOf(bits, 1 << 18, options);
        for (let times = 1; times <= 24; times++) {
          try {
            await winners.add(rows);
          } catch (error) {
            expect(String(error)).toContain("no room for the answers");
            return times - 1;
          }
        }
        return 24;
      };
      const plain = await added({ count: false });
      expect(plain).toBeLessThan(24);
      expect(await added({ count: false, repeated: true })).toBeLessThan(plain);
      expect(await added({ count: true })).toBeLessThan(plain);
    },
  );

  test.runIf(IS_LONG || bits === 128)(
    "have no old copies in memory, which wait to be freed",
    async () => {
      const maxBytes = 1 << 24;
      const rows = fingerprintsOf(
        Array.from({ length: 300_000 }, (_, key) => 3 * key + 1),
        bits,
      );
      const winners = winnersOf(bits, maxBytes);
      const step = (bits / 8) * 1000;
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      for (let at = 0; at < rows.length; at += step) {
        await winners.add(rows.subarray(at, at + step));
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      expect(winners.size).toBe(300_000);
      expect(most).toBeLessThan(maxBytes);
    },
  );
});

describe.each(["max", "min"] as const)("BestValues, %s", (which) => {
  test("keeps the best of values of all kinds and lengths", () => {
    const random = new Random(9);
    const values = new BestValues(which, 1 << 20);
    for (let key = 0; key < 50; key++) values.begin(key);
    const best = new Map<number, string>();
    for (let round = 0; round < 5000; round++) {
      const key = random.below(50);
      const text = `${random.pick(VALUES) ?? ""}${random.chance(3) ? "z".repeat(random.below(random.chance(20) ? 60_000 : 40)) : ""}`;
      const before = best.get(key);
      const order = before === undefined ? 1 : compareValues(text, before);
      const isBetter =
        text !== "" && (before === undefined || (which === "max" ? order > 0 : order < 0));
      expect(values.improve(key, Buffer.from(text)), `${before} ${text}`).toBe(isBetter);
      if (isBetter) best.set(key, text);
    }
  });

  test("throws SET_FULL for values that have no room", () => {
    const values = new BestValues(which, 1 << 13);
    values.begin(0);
    expect(() => values.improve(0, Buffer.alloc(1 << 13, "x"))).toThrow("no room for the values");
  });
});

test("RowBits counts the marked rows before a row", () => {
  const rows = [0, 1, 31, 32, 63, 64, 200, 231];
  const bits = new RowBits(232);
  for (const row of rows) bits.mark(row);
  const rankOf = bits.ranks();
  expect(rows.map(rankOf)).toEqual([...rows.keys()]);
  expect([2, 30, 65, 199].map((row) => bits.isMarked(row))).toEqual(Array(4).fill(false));
  expect([2, 33, 199].map(rankOf)).toEqual([2, 4, 6]);
});
