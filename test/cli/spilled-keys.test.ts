import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FingerprintSet } from "../../src/fingerprints/fingerprint-set.ts";
import type { FingerprintBits } from "../../src/fingerprints/table.ts";
import { urlField } from "../../src/formats/index.ts";
import { TemporaryFile } from "../../src/io/files/temporary-file.ts";
import { KeySet } from "../../src/runs/keys/key-set.ts";
import type { RowValues } from "../../src/runs/keys/row-decider.ts";
import type { RunKeys } from "../../src/runs/keys/run-keys.ts";
import { SpilledKeys } from "../../src/runs/keys/spilled/spilled-keys.ts";
import type { WinnerOptions } from "../../src/runs/keys/winners/key-winners.ts";
import { Winners } from "../../src/runs/keys/winners/winners.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const VALUE_FIELD = urlField("tsv", { field: "2" });
/** Room for blocks and a set of 3520 keys of 128 bits. */
const SMALL = 410_000;
const NEVER = new AbortController().signal;

/** Keys of a set in memory. */
function keysOf(bits: FingerprintBits): RunKeys {
  const makeSet = (maxBytes: number) =>
    new FingerprintSet({ bits, kernel: KERNEL, engine: "auto", maxBytes });
  const takeSet = () => makeSet(1 << 24);
  return {
    identity: { bits } as never,
    bits,
    store: null,
    perKey: 1,
    sizeAsked: 0,
    close: async () => {},
    sizeBefore: 0,
    earlier: null,
    eachEarlier: async () => {},
    takeSet,
    dropSet: () => {},
    makeSet,
    maxBytes: 1 << 24,
  };
}

const FIRST: WinnerOptions = { keep: { which: "first" }, count: false, repeated: false };

/** Returns the keys of all inputs, after those of `earlier`. */
async function spilledKeys(
  bits: FingerprintBits,
  maxBytes: number,
  options = FIRST,
  earlier?: Uint8Array,
) {
  const spilled = new SpilledKeys(keysOf(bits), { ...options, maxBytes, folder });
  if (earlier !== undefined) await spilled.add(earlier);
  spilled.beginInputs();
  return spilled;
}

/** Fingerprints of rows whose keys are numbers. `shift`: 0 puts them in one partition, 8 in all. */
function fingerprintsOf(
  keys: readonly number[],
  bits: FingerprintBits,
  shift: number,
): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array((keys.length * bits) / 32);
  for (const [at, key] of keys.entries()) {
    const spread = Math.imul(key + 1, 0x9e3779b1) >>> 0;
    words[(at * bits) / 32] = shift === 0 ? spread >>> 8 : spread;
    words[(at * bits) / 32 + 1] = Math.imul(key, 0x85ebca6b);
  }
  return new Uint8Array(words.buffer);
}

describe.each([64, 128] as const)("SpilledKeys of %d bits", (bits) => {
  test.each([
    ["one partition that needs several passes", 0, SMALL],
    ["all partitions", 8, SMALL],
    ["all partitions, with kernels", 8, 1 << 25],
  ])("answers as a set in memory does: %s", async (_, shift, maxBytes) => {
    const random = new Random(7);
    const keys = Array.from({ length: atLength(30_000, 60_000) }, () => random.below(25_000));
    const rows = fingerprintsOf(keys, bits, shift);
    const spilled = await spilledKeys(bits, maxBytes);
    for (let at = 0; at < rows.length; at += 8000) await spilled.add(rows.subarray(at, at + 8000));
    expect(readdirSync(folder)).toEqual([]);
    const chosen = await spilled.chosen(null, NEVER);
    spilled.close();
    const expected = keysOf(bits).takeSet().add(rows);
    const answers = await chosen.add(rows);
    expect(Buffer.compare(answers.rows, expected)).toBe(0);
    expect(chosen.size).toBe(new Set(keys).size);
    expect(answers.merged).toBe(keys.length - chosen.size);
    expect(() => chosen.checkEnd()).not.toThrow();
  });

  const choices = [
    ["the last", { ...FIRST, keep: { which: "last" } }],
    ["the first, counted", { ...FIRST, count: true }],
    ["repeated ones, counted", { ...FIRST, count: true, repeated: true }],
    ["repeated ones, the last", { ...FIRST, repeated: true, keep: { which: "last" } }],
    ["the greatest", { ...FIRST, keep: { which: "max", field: VALUE_FIELD } }],
    ["the least, counted", { ...FIRST, count: true, keep: { which: "min", field: VALUE_FIELD } }],
  ] as const;
  test.each(shareOf(choices, bits === 64 ? "js" : "wasm"))(
    "chooses what is chosen in memory: %s",
    async (_, options) => {
      const random = new Random(11);
      const keys = Array.from({ length: atLength(15_000, 30_000) }, () => random.below(9000));
      const texts = keys.map((_, row) =>
        Buffer.from(String((row * 7919) % 30_011).repeat(row % 3)),
      );
      const earlier = fingerprintsOf([...Array(400).keys()], bits, 8);
      const cases = [
        [8, 1 << 25, earlier],
        [8, 1 << 25, undefined],
        [0, 1 << 20, undefined], // one partition, in several passes
        [0, 1 << 20, fingerprintsOf([...Array(400).keys()], bits, 0)],
      ] as const;
      for (const [shift, maxBytes, before] of sampleOf(cases, 2)) {
        const rows = fingerprintsOf(keys, bits, shift);
        const spilled = await spilledKeys(bits, maxBytes, options, before);
        const excluded = before === undefined ? null : new KeySet(keysOf(bits));
        await excluded?.add(before as Uint8Array);
        const setup = { ...options, identity: { bits } as never, maxBytes: 1 << 26 };
        const winners = new Winners({ ...setup, earlier: excluded });
        for (let from = 0; from < keys.length; from += 1000) {
          const part = rows.subarray((from * bits) / 8, ((from + 1000) * bits) / 8);
          const values = { textOf: (row: number) => texts[from + row] } as RowValues;
          for (const asked of [spilled, winners])
            await asked.add(part, "field" in options.keep ? values : undefined);
        }
        const [found, expected] = [await spilled.chosen(null, NEVER), winners.chosen(null)];
        expect(found.size).toBe(expected.size);
        const [answers, wanted] = [await found.add(rows), await expected.add(rows)];
        // As elements of an array they would be compared one by one.
        expect(Buffer.compare(answers.rows, wanted.rows)).toBe(0);
        expect({ ...answers, rows: null }).toEqual({ ...wanted, rows: null });
        spilled.close();
      }
    },
  );

  test("throws SET_FULL if even the marks have no room", async () => {
    const spilled = await spilledKeys(bits, 250_000);
    await spilled.add(fingerprintsOf([1], bits, 8));
    await expect(spilled.chosen(null, NEVER)).rejects.toMatchObject({
      code: "SET_FULL",
      message: expect.stringContaining("of memory at least"),
    });
    spilled.close();
  });

  test("ends with the reason of a stop", async () => {
    const spilled = await spilledKeys(bits, SMALL);
    await expect(spilled.chosen(null, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
      "stopped",
    );
    spilled.close();
  });
});

describe("a temporary file", () => {
  test("has no name, and gives what was written at any place", () => {
    const file = new TemporaryFile(folder);
    expect(readdirSync(folder)).toEqual([]);
    file.append(Buffer.from("one"), () => "");
    file.append(Buffer.from("two"), () => "");
    const bytes = Buffer.alloc(4);
    file.read(1, bytes);
    expect([bytes.toString(), file.size]).toEqual(["netw", 6]);
    expect(() => file.read(3, bytes)).toThrow(`cannot read a temporary file in ${folder}`);
    file.close();
    file.close();
  });

  test("names its folder, and what is needed, in errors", () => {
    const missing = join(folder, "missing");
    expect(() => new TemporaryFile(missing)).toThrow(
      `cannot make a temporary file in ${missing}: there is no such file; name another folder`,
    );
  });
});
