// At full length only: it kills processes.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { createPool } from "urlmill/pool";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { hasBegun } from "../shared/pool-output.ts";

const lines = Buffer.concat(Array.from({ length: atLength(4, 8) }, readCorpus));
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

test("a worker killed in the middle of a batch is replaced, and the batch goes on where it was", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
  const kills = [0.1, 0.7];
  const ended: unknown[] = [];
  const result = await pool.normalizeLines(lines, {
    onProgress: ({ bytes }) => {
      // Far apart: two deaths at one place would be one too many.
      if (kills[0] === undefined || bytes < lines.length * kills[0]) return;
      kills.shift();
      // Another worker each time: the second kill may come before the first is noticed.
      ended.push(workers[kills.length]?.terminate());
    },
  });
  await Promise.all(ended);
  expect(kills).toEqual([]);
  expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
  expect(Buffer.compare(result.status, expected.status)).toBe(0);
  const again = await pool.normalizeLines(lines);
  expect(Buffer.compare(again.bytes, expected.bytes)).toBe(0);
  expect(workers.length).toBe(4);
});

test("an idle worker that dies is replaced", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  await pool.normalizeLines(lines);
  await workers[0]?.terminate();
  const result = await pool.normalizeLines(lines);
  expect(result.lines).toBe(expected.lines);
});

test("a batch whose workers die twice is an error that says where, and the pool goes on", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const kill = (worker: Worker): void => {
    worker.once("online", () => setTimeout(() => worker.terminate(), 1));
  };
  process.on("worker", kill);
  await expect(pool.normalizeLines(lines)).rejects.toMatchObject({
    name: "UrlmillError",
    code: "WORKER_DIED",
    message: expect.stringMatching(/^a worker died twice on a batch after \d+ URLs were done: /),
  });
  process.off("worker", kill);
  const result = await pool.normalizeLines(lines);
  expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
});

test("workers that run out of memory are an error, not a wait", async () => {
  await using pool = createPool({
    minBatchBytes: 1 << 20,
    threads: 2,
    engine: "js",
    resourceLimits: { maxOldGenerationSizeMb: 4 },
  });
  const message = /a worker died twice on a batch after 0 URLs were done: .*memory/;
  for (let call = 0; call < atLength(1, 2); call++) {
    await expect(pool.normalizeLines(lines)).rejects.toThrow(message);
  }
});

test("a pool that is closed in the middle of a batch lets it end or says so", async () => {
  const pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
  const into = new Uint8Array(new SharedArrayBuffer(2 * lines.length));
  const batch = pool.normalizeLines(lines, { into }).then(
    (result) => result.lines,
    (error) => error.code,
  );
  await hasBegun(into);
  await pool.close();
  expect([expected.lines, "POOL_CLOSED"]).toContain(await batch);
});

// Node 20 ends the process where a thread is stopped while it requires an ES module, as piscina does first.
test("pools that close while their threads start leave the process alone", () => {
  const stops = atLength(8, 60, 200);
  const script = `
    import { createPool } from "urlmill/pool";
    const lines = Buffer.alloc(2_000_000, "http://a.example/\\n");
    for (let stop = 0; stop < ${stops}; stop++) {
      const pool = createPool({ minBatchBytes: 1 << 20, threads: 2, engine: "js" });
      const signal = AbortSignal.timeout((stop * 7) % 80);
      await pool.normalizeLines(lines, { signal }).catch(() => {});
      await pool.close();
    }`;
  const args = ["--input-type=module", "-e", script];
  const { status, signal, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
}, 120_000);

test("a thread begins with CommonJS", () => {
  for (const folder of ["pool", "shared"]) {
    const dist = new URL(`../../dist/${folder}/`, import.meta.url);
    const texts = readdirSync(dist).map((name) => [
      name,
      readFileSync(new URL(name, dist), "utf8"),
    ]);
    // The file that starts threads finds theirs beside it.
    const starters = texts.filter(([, text]) =>
      // The build breaks lines anywhere, in strings after a backslash.
      text?.replaceAll(/\\?\n/g, "").includes('new URL("./thread.cjs",import.meta.url)'),
    );
    expect(starters).toHaveLength(1);
    expect(texts.map(([name]) => name)).toContain("thread.cjs");
  }
});
