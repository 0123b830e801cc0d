import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TemporaryFile } from "../../src/io/files/temporary-file.ts";
import type { RunKeys } from "../../src/runs/keys/run-keys.ts";
import { SpilledKeys } from "../../src/runs/spill/spilled-keys.ts";
import { FingerprintSet } from "../../src/seen/memory/fingerprint-set.ts";
import type { FingerprintBits } from "../../src/seen/memory/table.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { Random } from "../shared/random.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-spilled-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Room for blocks and a set of 3520 keys of 128 bits. */
const SMALL = 410_000;
const NEVER = new AbortController().signal;

/** Keys of a set in memory. */
function keysOf(bits: FingerprintBits): RunKeys {
  const makeSet = (maxBytes = 1 << 24) =>
    new FingerprintSet({ bits, kernel: KERNEL, engine: "auto", maxBytes });
  return { identity: { bits } as never, journal: null, sizeBefore: 0, makeSet };
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
    const keys = Array.from({ length: 60_000 }, () => random.below(25_000));
    const rows = fingerprintsOf(keys, bits, shift);
    const spilled = new SpilledKeys(keysOf(bits), { maxBytes, folder });
    for (let at = 0; at < rows.length; at += 8000) spilled.add(rows.subarray(at, at + 8000));
    expect(readdirSync(folder)).toEqual([]);
    const chosen = await spilled.chosen(NEVER);
    spilled.close();
    const expected = keysOf(bits).makeSet().add(rows);
    const answers = chosen.add(rows);
    expect(Buffer.compare(answers.rows, expected)).toBe(0);
    expect(chosen.size).toBe(new Set(keys).size);
    expect(answers.merged).toBe(keys.length - chosen.size);
    expect(() => chosen.checkEnd()).not.toThrow();
  });

  test("throws SET_FULL if even the marks have no room", async () => {
    const spilled = new SpilledKeys(keysOf(bits), { maxBytes: 250_000, folder });
    spilled.add(fingerprintsOf([1], bits, 8));
    await expect(spilled.chosen(NEVER)).rejects.toMatchObject({
      code: "SET_FULL",
      message: expect.stringContaining("of memory at least"),
    });
    spilled.close();
  });

  test("ends with the reason of a stop", async () => {
    const spilled = new SpilledKeys(keysOf(bits), { maxBytes: SMALL, folder });
    await expect(spilled.chosen(AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
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
