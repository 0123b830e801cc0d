import { createPool } from "urlmill/pool";
import { SeenSet } from "urlmill/seen";
import { afterAll, describe, expect, test } from "vitest";
import { type Column, createNormalizer, Status } from "../../src/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, shareOf } from "../shared/length.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);
const code = (name: string) => expect.objectContaining({ code: name });
const as = <T>(value: unknown): T => value as T;
/** Bytes from which a batch goes to the workers, and URLs that are more. */
const LEAST = atLength(1 << 19, 1 << 20);
const URLS = Array.from(
  { length: LEAST >> 7 },
  (_, row) => `HTTP://Example.com/${"path/".repeat(40)}${row}/`,
);
/** The same with rows that are not strings. */
const MIXED: unknown[] = URLS.map((url, row) => {
  if (row % 2_000 === 7) return null;
  return row % 2_000 === 8 ? new URL(url) : url;
});

/** A result with its bytes as text, which is compared a hundred times as fast. */
function plain(result: object): unknown {
  const parts = Object.entries(result).map(([name, part]: [string, unknown]) => [
    name,
    part instanceof Uint8Array ? Buffer.from(part).toString("latin1") : part,
  ]);
  return Object.fromEntries(parts);
}

describe.each(ENGINES)("a pool (%s)", (engine) => {
  const pool = createPool({ engine, threads: 2, minBatchBytes: LEAST });
  const normalizer = createNormalizer({ engine });
  afterAll(() => pool.close());

  test("gives URL objects and what is not a URL the results of the normalizer", async () => {
    const rows = as<string[]>(MIXED);
    const options = { base: "http://h/" };
    expect(plain(await pool.normalizeBatch(rows, options))).toEqual(
      plain(normalizer.normalizeBatch(rows, options)),
    );
    for (const bits of shareOf([128, 64] as const, engine)) {
      const keyed = { ...options, key: KEY, bits };
      expect(plain(await pool.fingerprintBatch(rows, keyed))).toEqual(
        plain(normalizer.fingerprintBatch(rows, keyed)),
      );
    }
    expect(plain(await pool.normalizeBatch(new Set(URLS)))).toEqual(
      plain(normalizer.normalizeBatch(URLS)),
    );
  });

  test.each(shareOf(["without progress", "with progress"], engine))(
    "gives rows with an error fingerprints of zeros, %s and for batches of every kind",
    async (way) => {
      const rows = ["http://a/", "x", null, "HTTP://B", "http://[", "", "http://c/"] as string[];
      const urls = Array.from({ length: 700 }, (_, row) => rows[row % rows.length] as string);
      const texts = urls.map((url) => url ?? "");
      const data = Buffer.from(texts.join(""));
      const offsets = new Int32Array(texts.length + 1);
      for (const [row, text] of texts.entries()) {
        offsets[row + 1] = (offsets[row] as number) + text.length;
      }
      const lines = Buffer.from(`${texts.join("\n")}\n`);
      const eager = createPool({ engine, threads: 2, minBatchBytes: 0 });
      const run = way === "with progress" ? { onProgress: () => {} } : {};
      for (const batch of [urls, new Set(urls), { data, offsets }, lines]) {
        for (const bits of [128, 64] as const) {
          const keyed = { key: KEY, bits };
          const pooled = await eager.fingerprintBatch(batch, { ...keyed, ...run });
          for (const other of ENGINES) {
            const alone = createNormalizer({ engine: other }).fingerprintBatch(batch, keyed);
            expect(plain(pooled)).toEqual(plain(alone));
          }
          const width = bits / 8;
          const failed = pooled.status.findIndex((code) => code > Status.CHANGED);
          const zeros = pooled.fingerprints.subarray(failed * width, (failed + 1) * width);
          expect([...zeros]).toEqual(new Array(width).fill(0));
        }
      }
      await eager.close();
    },
  );

  test("ends a batch of nothing that goes to the threads", { timeout: 10_000 }, async () => {
    await using eager = createPool({ engine, threads: 2, minBatchBytes: 0 });
    const key = eager.fingerprintKey;
    const calls = [{}, { onProgress: () => {} }];
    expect(await eager.normalizeBatch([])).toEqual(normalizer.normalizeBatch([]));
    expect(await eager.normalizeBatch(["", ""])).toEqual(normalizer.normalizeBatch(["", ""]));
    for (const memory of [new ArrayBuffer(0), new SharedArrayBuffer(0)]) {
      const data = new Uint8Array(memory);
      const columns = [0, 2].map((rows) => ({ data, offsets: new Int32Array(rows + 1) }));
      for (const options of calls) {
        expect(await eager.normalizeLines(data, options)).toEqual(normalizer.normalizeLines(data));
        for (const column of columns) {
          expect(await eager.normalizeColumn(column, options)).toEqual(
            normalizer.normalizeColumn(column),
          );
        }
        for (const batch of [[], ["", ""], data, ...columns]) {
          expect(await eager.fingerprintBatch(batch, options)).toEqual(
            normalizer.fingerprintBatch(batch, { key }),
          );
        }
      }
    }
  });

  test("gives them so where they come one by one", async () => {
    const misfits = as<string[]>(["HTTP://A", null, new URL("http://b/"), 7]);
    const results = [];
    for await (const result of pool.normalizeEach(misfits)) results.push(result);
    const none = { ok: false, url: null, status: Status.NOT_A_STRING, code: "NOT_A_STRING" };
    const message = "neither a string nor a URL object";
    expect(results).toEqual([
      { input: "HTTP://A", ok: true, url: "http://a/", status: Status.CHANGED },
      { input: null, ...none, message: `${message}: null` },
      { input: new URL("http://b/"), ok: true, url: "http://b/", status: Status.UNCHANGED },
      { input: 7, ...none, message: `${message}: number` },
    ]);
  });

  test("resolves a stream of links against the base as it was when the stream began", async () => {
    const base = new URL("http://h/");
    let goOn = (): void => {};
    const answered = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* links(): AsyncGenerator<string> {
      yield "x";
      await answered;
      base.href = "http://other/";
      yield "y";
    }
    const urls = [];
    for await (const { url } of pool.normalizeEach(links(), { base })) {
      urls.push(url);
      goOn();
    }
    expect(urls).toEqual(["http://h/x", "http://h/y"]);
  });

  test("uses the key it was called with, whatever becomes of the caller's", async () => {
    const key = new Uint8Array(KEY);
    const call = pool.fingerprintBatch(URLS, { key });
    key.fill(0);
    expect(plain(await call)).toEqual(plain(normalizer.fingerprintBatch(URLS, { key: KEY })));
  });

  test("refuses what is not a batch, base, key or options", async () => {
    for (const batch of [null, 7, "http://a/", {}, new Float64Array(2)]) {
      await expect(pool.normalizeBatch(as(batch))).rejects.toThrow(code("BAD_INPUT"));
      await expect(pool.fingerprintBatch(as(batch))).rejects.toThrow(code("BAD_INPUT"));
      await expect(pool.normalizeLines(as<Uint8Array>(batch))).rejects.toThrow(code("BAD_INPUT"));
      await expect(pool.normalizeEach(as<string[]>(batch)).next()).rejects.toThrow(
        code("BAD_INPUT"),
      );
      await expect(pool.normalizeColumn(as<Column>(batch))).rejects.toThrow(code("BAD_COLUMN"));
    }
    const nan = { data: Buffer.from("http://a/"), offsets: Float64Array.of(0, Number.NaN, 9) };
    await expect(pool.fingerprintBatch(as(nan))).rejects.toThrow(code("BAD_COLUMN"));
    for (const key of ["0123456789abcdef", null, new Uint8Array(15)]) {
      await expect(pool.fingerprintBatch([], { key: as(key) })).rejects.toThrow(code("BAD_OPTION"));
    }
    await expect(pool.normalizeBatch([], as(null))).rejects.toThrow(code("BAD_OPTION"));
    await expect(pool.normalizeBatch([], as("http://a/"))).rejects.toThrow(code("BAD_OPTION"));
    await expect(pool.normalizeBatch([], { base: as(null) })).rejects.toThrow(code("BAD_BASE"));
  });

  test.each([1, 2])(
    "a set on %i threads answers NOT_A_STRING, and the rows around it",
    async (threads) => {
      const seen = new SeenSet({ engine, threads });
      // Only a batch of so many UTF-16 units and more goes to the threads of a set.
      const least = engine === "wasm" ? 1 << 24 : 1 << 22;
      const length = MIXED.reduce((sum: number, url) => sum + String(url).length, 0);
      const copies = threads === 1 ? 1 : 1 + Math.ceil(least / length);
      const rows: unknown[] = Array(copies).fill(MIXED).flat();
      const answers = await seen.addBatch(as<string[]>(rows));
      expect([...answers.subarray(5, 10)]).toEqual([1, 1, Status.NOT_A_STRING, 1, 1]);
      expect([...(await seen.addBatch(new Set(["http://new/", URLS[8] as string])))]).toEqual([
        1, 0,
      ]);
      await expect(seen.addBatch(as(null))).rejects.toThrow(code("BAD_INPUT"));
      await expect(seen.hasBatch(as("http://a/"))).rejects.toThrow(code("BAD_INPUT"));
      await expect(seen.addBatch([], as(null))).rejects.toThrow(code("BAD_OPTION"));
      await expect(seen.hasBatch([], as("http://a/"))).rejects.toThrow(code("BAD_OPTION"));
      await expect(seen.addBatch(["x"], { base: as(7) })).rejects.toThrow(code("BAD_BASE"));
      await seen.close();
    },
  );
});
