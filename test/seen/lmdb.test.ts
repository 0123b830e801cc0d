import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

const open = (): Promise<SeenSet> => SeenSet.open(lmdb(folder));
const data = (): string => join(folder, "data.mdb");

test("a file of something else in the place of LMDB's is refused", async () => {
  for (const other of ["x", "http://a.example/\n".repeat(10_000), "\0".repeat(100_000)]) {
    await writeFile(data(), other);
    await expect(open()).rejects.toMatchObject({
      code: "SEEN_CORRUPT",
      message: expect.stringContaining("is not an LMDB environment"),
    });
    expect(await readFile(data(), "utf8")).toBe(other);
  }
});

test("a file that was cut is refused", async () => {
  const set = await open();
  await set.addBatch(Array.from({ length: 5_000 }, (_, row) => `http://a.example/${row}`));
  await set.close();
  const bytes = await readFile(data());
  for (const length of [bytes.length - 1, bytes.length >> 1, 9_000, 8_192, 4_096, 100]) {
    await writeFile(data(), bytes);
    await truncate(data(), length);
    await expect(open()).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
  }
  await writeFile(data(), bytes);
  const again = await open();
  expect(await again.size()).toBe(5_000);
  await again.close();
});

test("a path that cannot be a folder is an error of the system", async () => {
  await writeFile(join(folder, "file"), "x");
  await expect(SeenSet.open(lmdb(join(folder, "file")))).rejects.toMatchObject({
    code: "SEEN_FAILED",
  });
});
