import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { createPool } from "urlmill/pool";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { readCorpus } from "../shared/fixtures.ts";

const lines = Buffer.concat(Array.from({ length: 8 }, readCorpus));
const expected = createNormalizer().normalizeLines(lines);

let workers: Worker[] = [];
const collect = (worker: Worker): void => {
  workers.push(worker);
};
beforeEach(() => {
  workers = [];
  process.on("worker", collect);
});
afterEach(() => {
  process.off("worker", collect);
});

test("a worker killed in the middle of a batch is replaced and its chunk redone", async () => {
  await using pool = createPool({ threads: 2 });
  const kills = [0.1, 0.7];
  const result = await pool.normalizeLines(lines, {
    onProgress: ({ bytes }) => {
      // Far apart: two deaths on one chunk would be one too many.
      if (kills[0] === undefined || bytes < lines.length * kills[0]) return;
      kills.shift();
      workers.at(-1)?.terminate();
    },
  });
  expect(kills).toEqual([]);
  expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
  expect(Buffer.compare(result.status, expected.status)).toBe(0);
  const again = await pool.normalizeLines(lines);
  expect(Buffer.compare(again.bytes, expected.bytes)).toBe(0);
  expect(workers.length).toBe(4);
});

test("an idle worker that dies is replaced", async () => {
  await using pool = createPool({ threads: 1 });
  await pool.normalizeLines(lines);
  await workers[0]?.terminate();
  const result = await pool.normalizeLines(lines);
  expect(result.lines).toBe(expected.lines);
});

test("a chunk whose workers die twice is an error that names it, and the pool goes on", async () => {
  await using pool = createPool({ threads: 1 });
  const kill = (worker: Worker): void => {
    worker.once("online", () => setTimeout(() => worker.terminate(), 1));
  };
  process.on("worker", kill);
  await expect(pool.normalizeLines(lines)).rejects.toMatchObject({
    name: "UrlmillError",
    code: "WORKER_DIED",
    message: expect.stringMatching(/^a worker died twice on chunk \d+ \(\d+ bytes\): /),
  });
  process.off("worker", kill);
  const result = await pool.normalizeLines(lines);
  expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
});

test("workers that run out of memory are an error, not a wait", async () => {
  await using pool = createPool({
    threads: 2,
    engine: "js",
    resourceLimits: { maxOldGenerationSizeMb: 4 },
  });
  const message = /a worker died twice on chunk 0 .*memory/;
  await expect(pool.normalizeLines(lines)).rejects.toThrow(message);
  await expect(pool.normalizeLines(lines)).rejects.toThrow(message);
});

test("a pool that is closed in the middle of a batch lets it end or says so", async () => {
  const pool = createPool({ threads: 2 });
  const batch = pool.normalizeLines(lines).then(
    (result) => result.lines,
    (error) => error.code,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  await pool.close();
  expect([expected.lines, "POOL_CLOSED"]).toContain(await batch);
});

// Node 20 ends the process where a thread is stopped while it requires an ES module, as piscina does first.
test("a thread loads CommonJS first, so that stopping it while it starts harms nobody else", () => {
  const load = createRequire(import.meta.url);
  for (const folder of ["pool", "cli"]) {
    const file = fileURLToPath(new URL(`../../dist/${folder}/thread.cjs`, import.meta.url));
    expect(readFileSync(file, "utf8")).toContain('import("./worker.js")');
    expect(load.resolve(file)).toBe(file);
  }
});
