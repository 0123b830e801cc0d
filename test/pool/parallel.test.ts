import type { Worker } from "node:worker_threads";
import { createPool, type PoolProgress } from "urlmill/pool";
import { afterAll, describe, expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { expectEqual } from "../shared/equal.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { hasBegun } from "../shared/pool-output.ts";

/** Bytes of a part, and of a batch that threads divide. */
const PART = 1 << 18;
const LARGE = atLength(1 << 19, 1 << 20);

function inShared(bytes: Uint8Array, at = 0): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(at + bytes.length), at);
  shared.set(bytes);
  return shared;
}

function columnOf(urls: readonly string[]): { data: Uint8Array; offsets: Int32Array } {
  const rows = urls.map((url) => Buffer.from(url));
  let at = 5;
  const offsets = Int32Array.from([5, ...rows.map((row) => (at += row.length))]);
  return { data: Buffer.concat([Buffer.alloc(5), ...rows]), offsets };
}

const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const isShared = ({ buffer }: { buffer: ArrayBufferLike }) => buffer instanceof SharedArrayBuffer;

const real = linesOf(readCorpus()).slice(0, atLength(10_000, 20_000));
const text = `${real.join("\n")}\n`;
/** So many times the text takes threads long enough to be disturbed, however short it is. */
const LONG = 160_000 / real.length;

describe.each(sampleOf(ENGINES, 2))("a batch that threads divide (%s)", (engine) => {
  const options = { preset: "crawl", engine } as const;
  const normalizer = createNormalizer(options);
  const pool = createPool({ minBatchBytes: LARGE, ...options, threads: 2 });
  afterAll(() => pool.close());

  test.each<[string, string]>([
    ["ends without LF", text.slice(0, -1)],
    ["has CR LF", text.replaceAll("\n", "\r\n")],
    ["is one line", `http://a/${"x".repeat(LARGE)}`],
    ...atLength([], [["is empty lines", "\n".repeat(LARGE + 1)] as [string, string]]),
    ["has lines over many parts", `${text}http://b/${"y".repeat(3 * PART)}\n${text}\n\nhttp://c`],
    [
      "has a line end on each border",
      `http://a/${"z".repeat(PART - 10)}\n`.repeat(LARGE / PART + 2),
    ],
    [
      "has a line end after each border",
      `http://a/${"z".repeat(PART - 9)}\n`.repeat(LARGE / PART + 2),
    ],
    ["grows beyond its room", `http://a/?${"\u00e9".repeat(5_000)}\n`.repeat(150)],
    [
      "has hostile lines",
      Array.from({ length: 4 }, () => hostileUrls(3, 5_000))
        .flat()
        .join("\n") + text,
    ],
  ])("gives the normalizer's results where it %s", async (_, content) => {
    const bytes = Buffer.from(content);
    expect(bytes.length).toBeGreaterThanOrEqual(LARGE);
    const expected = normalizer.normalizeLines(bytes);
    const key = pool.fingerprintKey;
    const fingerprints = normalizer.fingerprintBatch(bytes, { key });
    for (const input of [bytes, inShared(bytes, 3)]) {
      const done = await pool.normalizeLines(input);
      expect(bytesEqual(done.bytes, expected.bytes)).toBe(true);
      expect(bytesEqual(done.status, expected.status)).toBe(true);
      expect(done.lines).toBe(expected.lines);
      expect([isShared(done.bytes), isShared(done.status)]).toEqual(Array(2).fill(isShared(input)));
      const keyed = await pool.fingerprintBatch(input);
      expect(bytesEqual(keyed.fingerprints, fingerprints.fingerprints)).toBe(true);
      expect(bytesEqual(keyed.status, fingerprints.status)).toBe(true);
    }
  });

  test.each<[string, string[]]>([
    ["real URLs", real],
    [
      "empty rows at its ends and between",
      [...Array(9).fill(""), ...real, ...Array(9).fill(""), ...real, "", ""],
    ],
    ["one long row", [...real, `http://a/${"x".repeat(3 * PART)}`, ...real]],
    ["hostile rows", [...hostileUrls(5, 5_000), ...real]],
  ])("gives the normalizer's results for a column of %s", async (_, urls) => {
    const column = columnOf(urls);
    const expected = normalizer.normalizeColumn(column);
    const key = pool.fingerprintKey;
    const fingerprints = normalizer.fingerprintBatch(column, { key, bits: 64 });
    for (const data of [column.data, inShared(column.data)]) {
      const done = await pool.normalizeColumn({ ...column, data });
      expect(bytesEqual(done.data, expected.data)).toBe(true);
      expect(done.offsets.join()).toBe(expected.offsets.join());
      expect(bytesEqual(done.status, expected.status)).toBe(true);
      const shared = [isShared(done.data), isShared(done.offsets), isShared(done.status)];
      expect(shared).toEqual(Array(3).fill(isShared(data)));
      const keyed = await pool.fingerprintBatch({ ...column, data }, { bits: 64 });
      expect(bytesEqual(keyed.fingerprints, fingerprints.fingerprints)).toBe(true);
    }
  });

  test.each<[string, readonly string[]]>([
    ["beyond Latin-1", ["http://a/\u20ac", "http://\u4f8b.jp/", "\u{1f600}"]],
    ["with lone surrogates", ["http://a/\ud800", "http://a/?\udfff#x"]],
    ["with line ends", ["http://a/\nb", "http://c/\r\n", "\n", "\r"]],
    ["that are empty or too long", ["", `http://a/${"x".repeat(1 << 21)}`]],
  ])("gives the normalizer's results for strings %s", async (_, some) => {
    const urls = [...real, ...some, ...real, ...some];
    const expected = normalizer.normalizeBatch(urls);
    const done = await pool.normalizeBatch(urls);
    expectEqual(done.urls, expected.urls);
    expect(bytesEqual(done.status, expected.status)).toBe(true);
    const keyed = await pool.fingerprintBatch(urls);
    const { fingerprints } = normalizer.fingerprintBatch(urls, { key: pool.fingerprintKey });
    expect(bytesEqual(keyed.fingerprints, fingerprints)).toBe(true);
  });
});

/** With it, a short run needs fewer rows for as many bytes. */
const LONG_VALUE = "x".repeat(atLength(2_500, 0));

test("a batch of several parts has the normalizer's results, and tells of all its progress", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const normalizer = createNormalizer();
  const url = (row: number) =>
    `HTTP://example.com/a/${row}?${"q=%7e&".repeat(60)}${LONG_VALUE}${row % 97}`;
  const urls = Array.from({ length: atLength(6_000, 48_000) }, (_, row) => url(row));
  const column = columnOf(urls);
  expect(column.data.length).toBeGreaterThan(1 << 24);
  let last: PoolProgress | null = null;
  const onProgress = (progress: PoolProgress): void => {
    last = progress;
  };
  const whole = { rows: urls.length, bytes: column.data.length - 5 };
  const expected = normalizer.normalizeColumn(column);
  const pooled = await pool.normalizeColumn(column, { onProgress });
  expect(bytesEqual(pooled.data, expected.data)).toBe(true);
  expect(pooled.offsets.join()).toBe(expected.offsets.join());
  expect(last).toEqual(whole);
  expectEqual(
    (await pool.normalizeBatch(urls, { onProgress })).urls,
    normalizer.normalizeBatch(urls).urls,
  );
  expect(last).toEqual(whole);
  const key = pool.fingerprintKey;
  const { fingerprints } = normalizer.fingerprintBatch(urls, { key });
  for (const batch of [urls, column, Buffer.from(urls.join("\n"))]) {
    expect(bytesEqual((await pool.fingerprintBatch(batch)).fingerprints, fingerprints)).toBe(true);
  }
});

test("small batches in shared memory, and batches that tell of progress, stay in shared memory", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const small = await pool.normalizeLines(inShared(Buffer.from("HTTP://A\n")));
  expect([Buffer.from(small.bytes).toString(), isShared(small.bytes)]).toEqual([
    "http://a/\n",
    true,
  ]);
  expect(small.lines).toBe(1);
  const large = await pool.normalizeLines(inShared(Buffer.from(text)), { onProgress: () => {} });
  expect([isShared(large.bytes), isShared(large.status)]).toEqual([true, true]);
});

test("calls side by side, and after one another, do not share memory", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const normalizer = createNormalizer();
  const texts = ["a", "b", "c"].map((name) =>
    Buffer.from(text.replaceAll("http", `HTTP://${name}/?`)),
  );
  const kept = await pool.normalizeLines(texts[0] as Buffer);
  for (let round = 0; round < atLength(2, 5); round++) {
    const results = await Promise.all(texts.map((bytes) => pool.normalizeLines(bytes)));
    for (const [index, { bytes }] of results.entries()) {
      expect(bytesEqual(bytes, normalizer.normalizeLines(texts[index] as Buffer).bytes)).toBe(true);
    }
  }
  expect(bytesEqual(kept.bytes, normalizer.normalizeLines(texts[0] as Buffer).bytes)).toBe(true);
});

test("an abort ends a call at once, and those after it are right", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2, engine: "js" });
  const bytes = Buffer.concat(Array.from({ length: LONG }, () => Buffer.from(text)));
  const expected = createNormalizer().normalizeLines(bytes).bytes;
  for (let round = 0; round < atLength(1, 3); round++) {
    const controller = new AbortController();
    const into = new Uint8Array(new SharedArrayBuffer(expected.length));
    const call = pool.normalizeLines(bytes, { signal: controller.signal, into });
    await hasBegun(into);
    controller.abort("enough");
    // A failure that shows a result of megabytes takes a minute.
    const ended = call.then(
      () => "a result",
      (error: unknown) => error,
    );
    expect(await ended).toBe("enough");
    // The threads begin this batch after they have left the one before it.
    expect(bytesEqual((await pool.normalizeLines(bytes)).bytes, expected)).toBe(true);
    expect(into.at(-1)).toBe(0);
  }
});

test("a worker that dies in the middle of a batch costs time and nothing else", async () => {
  const workers: Worker[] = [];
  const collect = (worker: Worker): void => {
    workers.push(worker);
  };
  process.on("worker", collect);
  const bytes = Buffer.concat(Array.from({ length: 2 * LONG }, () => Buffer.from(text)));
  const expected = createNormalizer().normalizeLines(bytes).bytes;
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  for (let round = 0; round < atLength(2, 60); round++) {
    const call = pool.normalizeLines(bytes);
    setTimeout(() => workers.at(-1 - (round % 2))?.terminate(), round % 12);
    expect(bytesEqual((await call).bytes, expected)).toBe(true);
  }
  process.off("worker", collect);
  expect(workers.length).toBeGreaterThan(2);
});

test("errors of rows keep their place among the parts", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const urls = real.map((url, row) => (row % 1000 === 7 ? "http://a b/" : url));
  const { status, urls: done } = await pool.normalizeBatch(urls);
  for (let row = 7; row < urls.length; row += 1000) {
    expect([status[row], done[row]]).toEqual([Status.BAD_HOST, null]);
  }
});

test("an array of strings that is emptied after the call has its results all the same", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  // Of several parts.
  const urls = Array.from({ length: 6_000 }, (_, row) => `HTTP://a/${"x".repeat(4_000)}${row}`);
  const given = [...urls];
  const [strings, keys] = [pool.normalizeBatch(given), pool.fingerprintBatch(given)];
  given.length = 0;
  expect((await strings).urls.at(-1)).toBe(urls.at(-1)?.toLowerCase());
  expect((await keys).status.length).toBe(urls.length);
});

test("memory that is transferred between the parts of a batch is BAD_INPUT", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const lines = new Uint8Array(40_000_000).fill(10);
  const column = { data: new Uint8Array(40_000_000), offsets: Int32Array.of(0, 2e7, 4e7) };
  const calls = Promise.allSettled([pool.normalizeLines(lines), pool.fingerprintBatch(column)]);
  structuredClone(null, { transfer: [lines.buffer, column.data.buffer] });
  const rejected = { status: "rejected", reason: { code: "BAD_INPUT" } };
  expect(await calls).toMatchObject([rejected, rejected]);
});

test("threads that come too late for a batch do not end it", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 5 });
  const into = new Uint8Array(new SharedArrayBuffer(2 * text.length));
  for (let round = 0; round < atLength(4, 30); round++) {
    const { bytes } = await pool.normalizeLines(Buffer.from(text), { into });
    expect(bytes.buffer).toBe(into.buffer);
  }
});

test("a result is in the memory that its call gives, if it fits", async () => {
  await using pool = createPool({ minBatchBytes: LARGE, threads: 2 });
  const bytes = Buffer.from(text);
  const expected = createNormalizer().normalizeLines(bytes).bytes;
  const column = columnOf(real);
  const key = Buffer.alloc(16, 7);
  const fingerprints = createNormalizer().fingerprintBatch(bytes, { key }).fingerprints;
  const size = 2 * bytes.length;
  for (const memory of [new SharedArrayBuffer(size + 8), new ArrayBuffer(size + 8)]) {
    const into = new Uint8Array(memory, 3, size);
    for (const input of [bytes, inShared(bytes), inShared(bytes, 1)]) {
      const done = await pool.normalizeLines(input, { into });
      expect([done.bytes.buffer, done.bytes.byteOffset]).toEqual([memory, 3]);
      expect(bytesEqual(done.bytes, expected)).toBe(true);
      expect(isShared(done.status)).toBe(isShared(input));
      const small = await pool.normalizeLines(input, { into: into.subarray(0, 1000) });
      expect(small.bytes.buffer).not.toBe(memory);
      expect(bytesEqual(small.bytes, expected)).toBe(true);
      const hashes = await pool.fingerprintBatch(input, { key, into });
      expect(hashes.fingerprints.buffer).toBe(memory);
      expect(bytesEqual(hashes.fingerprints, fingerprints)).toBe(true);
    }
    expect((await pool.normalizeColumn(column, { into })).data.buffer).toBe(memory);
    expect((await pool.fingerprintBatch(real, { into })).fingerprints.buffer).toBe(memory);
  }
  for (const into of [new ArrayBuffer(8), bytes.subarray(9)] as Uint8Array[]) {
    await expect(pool.normalizeLines(bytes, { into })).rejects.toMatchObject({
      code: "BAD_OPTION",
    });
  }
});
