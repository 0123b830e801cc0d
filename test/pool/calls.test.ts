import { getEventListeners } from "node:events";
import { createPool, type Pool, type PoolProgress, type PoolRunOptions } from "urlmill/pool";
import { afterAll, expect, test } from "vitest";
import { Workers } from "../../src/threads/workers.ts";
import { toColumn } from "../shared/columns.ts";
import { readCorpus } from "../shared/fixtures.ts";

const lines = readCorpus();
const urls = Buffer.from(lines).toString("latin1").trim().split("\n");
const column = toColumn(urls);

/** A pool that all tests may use which do not close it. */
const pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
afterAll(() => pool.close());

test.each([
  [{ threads: 0 }, "threads"],
  [{ threads: 1.5 }, "threads"],
  [{ threads: Number.NaN }, "threads"],
  [{ preset: "none" }, "preset"],
  [{ thread: 2 }, "thread"],
])("createPool(%j) is an error that names it", (options, name) => {
  expect(() => createPool(options as object)).toThrow(
    expect.objectContaining({ code: "BAD_OPTION", message: expect.stringContaining(name) }),
  );
});

test("a bad base, column, key and number of bits are errors with their codes", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  await expect(pool.normalizeBatch(urls, { base: "x" })).rejects.toMatchObject({
    code: "BAD_BASE",
  });
  const bad = { data: lines, offsets: Int32Array.of(5, 1) };
  await expect(pool.normalizeColumn(bad)).rejects.toMatchObject({ code: "BAD_COLUMN" });
  await expect(pool.fingerprintBatch(bad)).rejects.toMatchObject({ code: "BAD_COLUMN" });
  const options = [{ key: new Uint8Array(3) }, { bits: 96 as 64 }];
  for (const option of options) {
    await expect(pool.fingerprintBatch(urls, option)).rejects.toMatchObject({ code: "BAD_OPTION" });
  }
});

test("progress goes up to the whole input", async () => {
  const seen: PoolProgress[] = [];
  await pool.normalizeLines(lines, { onProgress: (progress) => seen.push(progress) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toEqual({ rows: urls.length, bytes: lines.length });
  expect(seen.map(({ bytes }) => bytes)).toEqual(
    seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b),
  );
});

test.each([
  ["strings", (pool: Pool, options: PoolRunOptions) => pool.normalizeBatch(urls, options)],
  ["a column", (pool: Pool, options: PoolRunOptions) => pool.normalizeColumn(column, options)],
  ["fingerprints", (pool: Pool, options: PoolRunOptions) => pool.fingerprintBatch(urls, options)],
])("progress counts no more than the input has: %s", async (_, call) => {
  let last: PoolProgress | null = null;
  await call(pool, {
    onProgress: (progress) => {
      last = progress;
    },
  });
  expect(last).toEqual({ rows: urls.length, bytes: urls.join("").length });
});

test("threads that did not start are no error of close: their tasks have thrown it", async () => {
  const workers = new Workers<string, string>({ file: new URL("file:///missing.cjs"), threads: 1 });
  await expect(workers.run("", () => "a task")).rejects.toMatchObject({ code: "WORKER_DIED" });
  await expect(workers.close()).resolves.toBe(undefined);
});

test("an abort ends a call with its reason, and the pool goes on", async () => {
  const reason = new Error("enough");
  await expect(pool.normalizeLines(lines, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
  const controller = new AbortController();
  const stopped = pool.normalizeLines(lines, {
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  });
  await expect(stopped).rejects.toBe(reason);
  expect((await pool.normalizeLines(lines)).lines).toBe(urls.length);
});

test("a signal of many calls keeps no listener of a call that has ended", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const { signal } = new AbortController();
  for (let call = 0; call < 3; call++) await pool.normalizeLines(lines, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("calls with one signal share a listener, and an abort ends them all", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  // From the eleventh listener on, Node 20 warns of a leak.
  const calls = Array.from({ length: 12 }, () => pool.normalizeLines(lines, { signal }));
  const outcomes = Promise.allSettled(calls);
  await new Promise((next) => setImmediate(next));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  controller.abort("enough");
  expect(await outcomes).toEqual(calls.map(() => ({ status: "rejected", reason: "enough" })));
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect((await pool.normalizeLines(lines)).lines).toBe(urls.length);
});

test("an abort is heard while the source is silent", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<string> {
    yield "http://a/";
    await new Promise(() => {});
  }
  const got: unknown[] = [];
  const all = (async () => {
    for await (const item of pool.normalizeEach(silent(), { signal: controller.signal })) {
      got.push(item);
      controller.abort("enough");
    }
  })();
  await expect(all).rejects.toBe("enough");
  expect(got).toHaveLength(1);
});

test("URLs that trickle in are answered before the source ends", async () => {
  const got: unknown[] = [];
  let goOn = (): void => {};
  async function* trickle(): AsyncGenerator<string> {
    for (let row = 0; row < 3; row++) {
      const answered = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      yield `HTTP://A/${row}`;
      await answered;
    }
  }
  for await (const { url } of pool.normalizeEach(trickle())) {
    got.push(url);
    goOn();
  }
  expect(got).toEqual(["http://a/0", "http://a/1", "http://a/2"]);
});

test("a slow consumer stops the reader, and one that leaves closes the source", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  let read = 0;
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        read++;
        yield `http://example.com/${"x".repeat(100)}${read}`;
      }
    } finally {
      close();
    }
  }
  const reads: number[] = [];
  for await (const _ of pool.normalizeEach(endless())) {
    // The thread does what the stream has sent before it does a batch.
    for (let batch = 0; batch < 3; batch++) {
      await pool.normalizeLines(lines);
      reads.push(read);
    }
    break;
  }
  await closed;
  expect(reads).toEqual(Array(3).fill(read));
  expect(read).toBeLessThan(50_000);
});

test("an error of the source comes after what it gave", async () => {
  async function* failing(): AsyncGenerator<string> {
    yield* urls;
    throw new Error("the source failed");
  }
  let rows = 0;
  const all = (async () => {
    for await (const _ of pool.normalizeEach(failing())) rows++;
  })();
  await expect(all).rejects.toThrow("the source failed");
  expect(rows).toBe(urls.length);
});

test("calls side by side keep their results apart", async () => {
  const [first, second] = await Promise.all([
    pool.normalizeBatch(urls),
    pool.normalizeBatch(urls.toReversed()),
  ]);
  expect(second.urls).toEqual(first.urls.toReversed());
});

test("a closed pool says so", async () => {
  const pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  await pool.normalizeLines(lines);
  await pool.close();
  await pool.close();
  await expect(pool.normalizeLines(lines)).rejects.toMatchObject({ code: "POOL_CLOSED" });
  await expect(pool.normalizeBatch(["http://a/"])).rejects.toMatchObject({ code: "POOL_CLOSED" });
  expect(() => pool.transform()).toThrow(expect.objectContaining({ code: "POOL_CLOSED" }));
});

test("a batch goes to the threads where these are faster, or where the call is to be answered", async () => {
  let started = 0;
  const count = (): void => {
    started++;
  };
  process.on("worker", count);
  const lines = Buffer.alloc(1 << 21, "http://a.example/path/of/some/length\n");
  await using pool = createPool({ threads: 1 });
  await pool.normalizeLines(lines);
  expect(started).toBe(0);
  await pool.normalizeLines(lines, { signal: new AbortController().signal });
  expect(started).toBe(1);
  await using always = createPool({ threads: 1, minBatchBytes: 0 });
  await always.normalizeLines(Buffer.from("HTTP://A\n"));
  expect(started).toBe(2);
  process.off("worker", count);
  for (const minBatchBytes of [-1, 0.5, Number.NaN]) {
    expect(() => createPool({ minBatchBytes })).toThrow("option minBatchBytes cannot be");
  }
});
