// At full length only: it kills processes.

import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { openStored } from "../../src/seen/stored/open-stored.ts";
import { WRITER } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

const data = (): string => join(folder, "data.mdb");
const numbered = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, row) => `http://a.example/${first + row}`);

const addAndClose = async (urls: string[]): Promise<Buffer> => {
  const set = await SeenSet.open(lmdb(folder));
  await set.addBatch(urls);
  await set.close();
  return readFile(data());
};

test("a set whose last transaction never reached the disk goes back to the one before", async () => {
  const durable = await addAndClose(numbered(0, 3_000));
  const later = await addAndClose(numbered(3_000, 3_000));
  // A crash of the machine: the meta page of the later transaction is there, its other pages are not.
  const [meta, metaBytes] = [durable.readUInt32LE(48) / 2 + 24, 144];
  durable.copy(later, meta, meta, meta + metaBytes);
  await writeFile(data(), later.subarray(0, durable.length));
  const reader = await openStored(folder);
  expect(await reader.size()).toBe(3_000);
  await reader.close();
  const set = await SeenSet.open(lmdb(folder));
  expect(await set.size()).toBe(3_000);
  expect((await set.addBatch(numbered(0, 3_000))).includes(1)).toBe(false);
  expect((await set.addBatch(numbered(3_000, 3_000))).includes(0)).toBe(false);
  await set.close();
});

test.skipIf(process.platform === "win32")(
  "a batch that the disk has no room for is not answered, and the set opens again",
  async () => {
    const task = { lmdbPath: folder, first: 0, count: 100, size: 1_000 };
    // No file may be longer than 256 blocks; without the trap the process would end.
    const limited = `trap '' XFSZ; ulimit -f 256; exec "$0" "$@"`;
    const args = ["-c", limited, process.execPath, WRITER, JSON.stringify(task)];
    const { stdout, stderr, signal } = spawnSync("/bin/sh", args, { encoding: "utf8" });
    expect(signal).toBe(null);
    expect(stderr).toContain("SEEN_FAILED");
    expect(stderr).toContain("nothing of this call was added");
    const answered = stdout.split("\n").filter((line) => line.endsWith(" 1000")).length;
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(task.count);
    const set = await SeenSet.open(lmdb(folder));
    expect(await set.size()).toBe(answered * task.size);
    expect((await set.addBatch(numbered(0, answered * task.size))).includes(1)).toBe(false);
    expect((await set.addBatch(numbered(answered * task.size, 1_000))).includes(0)).toBe(false);
    await set.close();
  },
);
