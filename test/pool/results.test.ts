import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createPool, type Pool } from "urlmill/pool";
import { afterAll, describe, expect, test } from "vitest";
import { createNormalizer, type Normalizer } from "../../src/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { expectEqual } from "../shared/equal.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const hostile = hostileUrls(11, atLength(1_000, 5_000));
const urls = [...sampleOf(linesOf(readCorpus()), 16), ...hostile];
const lines = Buffer.from(urls.map((url) => url.replaceAll("\n", "")).join("\n"));

function column(strings: readonly string[]): { data: Uint8Array; offsets: Int32Array } {
  const rows = strings.map((url) => Buffer.from(url));
  let at = 3; // a column may begin anywhere in its data
  const offsets = Int32Array.from([3, ...rows.map((row) => (at += row.length))]);
  return { data: Buffer.concat([Buffer.from("abc"), ...rows]), offsets };
}

describe.each(
  sampleOf(
    ENGINES.flatMap((engine) => [1, atLength(2, 3)].map((threads) => ({ engine, threads }))),
    3,
  ),
)("a pool gives what the normalizer gives ($engine, $threads threads)", ({ engine, threads }) => {
  const options = { preset: "crawl", engine } as const;
  const normalizer: Normalizer = createNormalizer(options);
  const pool: Pool = createPool({ minBatchBytes: 1 << 18, ...options, threads });
  afterAll(() => pool.close());

  test("for strings", async () => {
    const result = await pool.normalizeBatch(urls);
    const expected = normalizer.normalizeBatch(urls);
    expectEqual(result.urls, expected.urls);
    expect(Buffer.compare(result.status, expected.status)).toBe(0);
  });

  test("for lines", async () => {
    const result = await pool.normalizeLines(lines);
    const expected = normalizer.normalizeLines(lines);
    expect(Buffer.compare(result.bytes, expected.bytes)).toBe(0);
    expect(Buffer.compare(result.status, expected.status)).toBe(0);
    expect(result.lines).toBe(expected.lines);
  });

  test("for a column", async () => {
    const input = column(urls);
    const result = await pool.normalizeColumn(input);
    const expected = normalizer.normalizeColumn(input);
    expect(Buffer.compare(result.data, expected.data)).toBe(0);
    expect(result.offsets.join()).toBe(expected.offsets.join());
    expect(Buffer.compare(result.status, expected.status)).toBe(0);
  });

  test.each([128, 64] as const)("for fingerprints of %i bits", async (bits) => {
    const key = pool.fingerprintKey;
    const expected = normalizer.fingerprintBatch(urls, { key, bits });
    for (const input of [urls, column(urls)]) {
      const result = await pool.fingerprintBatch(input, { bits });
      expect(Buffer.compare(result.status, expected.status)).toBe(0);
      expect(result.fingerprints.length).toBe(expected.fingerprints.length);
      expect(Buffer.compare(result.fingerprints, expected.fingerprints)).toBe(0);
    }
  });

  test("for fingerprints of lines", async () => {
    const key = pool.fingerprintKey;
    const expected = normalizer.fingerprintBatch(lines, { key, bits: 64 });
    const result = await pool.fingerprintBatch(lines, { bits: 64 });
    expect(Buffer.compare(result.status, expected.status)).toBe(0);
    expect(Buffer.compare(result.fingerprints, expected.fingerprints)).toBe(0);
  });

  test("for references to a base", async () => {
    const references = urls.map((_, row) => `../${row}?b&a#c`);
    const base = "http://a.example/b/c/";
    expect((await pool.normalizeBatch(references, { base })).urls).toEqual(
      normalizer.normalizeBatch(references, { base }).urls,
    );
  });

  test("for an iterable and an async iterable", async () => {
    const some = sampleOf(urls, 3);
    async function* later(): AsyncGenerator<string> {
      yield* some;
    }
    const expected = normalizer.normalizeBatch(some);
    for (const source of [some, later()]) {
      let row = 0;
      for await (const { input, url, status } of pool.normalizeEach(source)) {
        if (input !== some[row] || url !== expected.urls[row] || status !== expected.status[row]) {
          expect({ row, input, url, status }).toBe("another");
        }
        row++;
      }
      expect(row).toBe(some.length);
    }
  });

  test("for streams of bytes, wherever chunks end", async () => {
    const expected = normalizer.normalizeLines(lines).bytes;
    for (const size of sampleOf([1 << 10, 100_003, 1 << 22], 2)) {
      const pieces = function* (): Generator<Uint8Array> {
        for (let at = 0; at < lines.length; at += size) yield lines.subarray(at, at + size);
      };
      const nodeOut: Uint8Array[] = [];
      await pipeline(
        Readable.from(pieces(), { objectMode: false }),
        pool.transform(),
        new Writable({
          write(chunk, _, done) {
            nodeOut.push(chunk);
            done();
          },
        }),
      );
      expect(Buffer.compare(Buffer.concat(nodeOut), expected)).toBe(0);
    }
    const webOut: Uint8Array[] = [];
    const web = new Blob([lines]).stream().pipeThrough(pool.webTransform());
    for await (const chunk of web as unknown as AsyncIterable<Uint8Array>) webOut.push(chunk);
    expect(Buffer.compare(Buffer.concat(webOut), expected)).toBe(0);
  });
});

test("a line in a stream that is longer than a URL may be comes out empty, however long", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1, maxLength: 1000 });
  const fits = `http://a/${"x".repeat(991)}`;
  const input = `${"y".repeat(3_000_000)}\nhttp://B/\n${fits}\r\n${fits}z\n${"z".repeat(5000)}`;
  const out = await Readable.from([Buffer.from(input)])
    .compose(pool.transform())
    .toArray();
  expect(Buffer.concat(out).toString()).toBe(`\nhttp://b/\n${fits}\n\n\n`);
});

test("a small batch needs no thread", async () => {
  const before = process.listenerCount("worker");
  let started = 0;
  const count = (): void => {
    started++;
  };
  process.on("worker", count);
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
  expect((await pool.normalizeBatch(["HTTP://A"])).urls).toEqual(["http://a/"]);
  expect(await pool.normalizeBatch([])).toEqual({ urls: [], status: new Uint8Array(0) });
  process.off("worker", count);
  expect({ started, listeners: process.listenerCount("worker") }).toEqual({
    started: 0,
    listeners: before,
  });
});
