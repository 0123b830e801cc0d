// At full length only: it kills processes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { atLength } from "../shared/length.ts";
import { Writer } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = tempFolder();
const path = join(folder, "set");
beforeEach(() => rm(path, { recursive: true, force: true }));

test("a set is open in one process at a time, and the next one reads what it wrote", async () => {
  const writer = new Writer({ diskPath: path, first: 0, count: 1_000_000, size: 10 });
  await writer.opened();
  const open = (): Promise<SeenSet> => SeenSet.open(disk(path, { memory: 1 << 24 }));
  await expect(open()).rejects.toMatchObject({
    code: "SEEN_LOCKED",
    message: expect.stringContaining("is in use by another process"),
  });
  await writer.answeredBatches(1);
  await writer.kill();
  const seen = await open();
  const rows = 10 * writer.answered.size;
  const urls = Array.from({ length: rows }, (_, row) => `http://a.example/${row}`);
  expect((await seen.hasBatch(urls)).includes(0)).toBe(false);
  await expect(open()).rejects.toMatchObject({ code: "SEEN_LOCKED" });
  await seen.close();
});

test("all rows are answered as the seed says, in processes that are killed", async () => {
  const rows = atLength(100_000, 1_000_000);
  const args = ["--rows", String(rows), "--memory", String(1 << 24)];
  const proof = ["test/proofs/billion.mjs", ...args, "--kills", String(atLength(2, 5))];
  const child = spawn(process.execPath, proof, { cwd: ROOT });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  expect(code, said).toBe(0);
  expect(said).toContain(`all of ${rows} answers are right, of ${(rows * 55) / 100} URLs`);
}, 240_000);
