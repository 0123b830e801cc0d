// At full length only: it damages files.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { type CliResult, runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { fillSet, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();
const verify = (where: string): Promise<CliResult> => runCli(["seen", "verify", where]);

/** The bits of a small file that are looked at: about so many. */
const bitsOf = (bytes: Buffer): number[] => {
  const random = new Random(bytes.length);
  const all = Array.from({ length: 8 * bytes.length }, (_, bit) => bit);
  const odds = Math.ceil(all.length / atLength(6, 50, 150));
  return all.filter(() => random.chance(odds));
};

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
}

/** Flips bits of a file, and checks that the set is damaged, with a message that names it. */
async function expectFound(file: string, where: string): Promise<void> {
  const bytes = readFileSync(file);
  const bits = bitsOf(bytes);
  expect(bits.length).toBeGreaterThan(atLength(1, 10));
  for (const bit of bits) {
    writeFileSync(file, flipped(bytes, bit));
    const { code, stdout, stderr } = await verify(where);
    expect({ bit, code, stdout }).toEqual({ bit, code: 1, stdout: "" });
    expect(stderr).toContain(where);
  }
  writeFileSync(file, bytes);
  expect((await verify(where)).code).toBe(0);
}

describe("verify finds each changed bit", () => {
  test.each(["journal-1", "set.json"])("of %s", async (name) => {
    await fillSet("journal", path("set"), urlsOf(0, 40));
    await expectFound(path(`set/${name}`), path("set"));
  });

  test("of a set on disk: its log, and the files of its partitions", async () => {
    const set = await SeenSet.open(disk(path("set"), { memory: 1 << 24 }));
    await set.enqueueBatch(urlsOf(0, 40));
    for await (const piece of set.drain()) await piece.commit();
    await set.addBatch(urlsOf(40, 5));
    await set.close();
    const names = readdirSync(path("set"));
    const file = names.find((name) => /^p\d{3}\./.test(name)) as string;
    for (const name of [file, names.find((name) => name.startsWith("log.")) as string]) {
      await expectFound(path(`set/${name}`), path("set"));
    }
  });

  test("of an exported file", async () => {
    await fillSet("journal", path("set"), urlsOf(0, 40));
    await runCli(["seen", "export", path("set"), "-o", path("keys")]);
    await expectFound(path("keys"), path("keys"));
  });

  test("of the beginning of LMDB's file, as far as it is checked, and says what is not", async () => {
    await fillSet("lmdb", path("set"), urlsOf(0, 40));
    const { code, stdout } = await verify(path("set"));
    expect(code).toBe(0);
    expect(stdout).toContain("it has no checksums, so a bit that changed");
    const file = path("set/data.mdb");
    const bytes = readFileSync(file);
    // The magic number and the version of both meta pages.
    const page = bytes.readUInt32LE(48);
    for (const at of [24, page + 24]) {
      const bits = Array.from({ length: 8 * 6 }, (_, bit) => 8 * at + bit);
      for (const bit of sampleOf(bits, 13)) {
        writeFileSync(file, flipped(bytes, bit));
        expect((await verify(path("set"))).code).toBe(1);
      }
    }
    writeFileSync(file, bytes.subarray(0, bytes.length - page));
    expect((await verify(path("set"))).stderr).toMatch(/data\.mdb is damaged/);
  });
});

test("an exported file that was cut, or has more at its end, is damaged", async () => {
  await fillSet("journal", path("set"), urlsOf(0, 40));
  await runCli(["seen", "export", path("set"), "-o", path("keys")]);
  const bytes = readFileSync(path("keys"));
  for (let length = 0; length < bytes.length; length += atLength(199, 5, 2)) {
    writeFileSync(path("keys"), bytes.subarray(0, length));
    expect(await verify(path("keys"))).toMatchObject({ code: 1, stdout: "" });
  }
  writeFileSync(path("keys"), Buffer.concat([bytes, Buffer.of(0)]));
  expect(await verify(path("keys"))).toMatchObject({ code: 1, stdout: "" });
});

test("a file that is missing is named", async () => {
  await fillSet("journal", path("set"), urlsOf(0, 4));
  const set = path("set/set.json");
  writeFileSync(set, readFileSync(set, "utf8").replace('"journal": 1', '"journal": 2'));
  expect((await verify(path("set"))).stderr).toContain("set.json is damaged");
});

test("nothing is made of a damaged set, and it stays as it is", async () => {
  await fillSet("journal", path("set"), urlsOf(0, 4_000));
  const file = path("set/journal-1");
  const damaged = flipped(readFileSync(file), 8 * 30_000);
  writeFileSync(file, damaged);
  const calls = [
    ["info", path("set")],
    ["verify", path("set")],
    ["export", path("set"), "-o", path("keys")],
    ["convert", path("set"), "--store", "lmdb"],
    ["merge", path("all"), path("set")],
    ["import", path("more"), path("set")],
  ];
  for (const args of calls) {
    const { code, stdout, stderr } = await runCli(["seen", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/journal-1 is damaged at byte \d+ of \d+\n$/);
  }
  expect(readFileSync(file).equals(damaged)).toBe(true);
  expect(readdirSync(path("set")).toSorted()).toEqual(["journal-1", "lock", "set.json"]);
  expect(readdirSync(path("."))).not.toContain("keys");
  for (const name of ["all", "more"]) expect(readdirSync(path(name))).toEqual(["lock"]);
});
