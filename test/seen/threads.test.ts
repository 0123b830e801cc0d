import { SeenSet } from "urlmill/seen";
import { expect, test } from "vitest";
import { toColumn } from "../shared/columns.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, shareOf } from "../shared/length.ts";

/** The length from which strings go to the threads (src/pool/worth-threads.ts). */
const WORTH_THREADS = { wasm: 1 << 24, js: 1 << 22 };
const PADDING = `${"x".repeat(4_000)}/`;

test.each(["wasm", "js"] as const)(
  "the first of equal URLs is the new one on many threads too (%s)",
  async (engine) => {
    const half = linesOf(readCorpus())
      .slice(0, WORTH_THREADS[engine] / PADDING.length / 2)
      .map((url) => url.replace(/[^/]*$/, `${PADDING}$&`));
    const urls = [...half, ...half, "nothing", "http://last/"];
    const lines = Buffer.from(urls.join("\n"));
    expect(lines.length).toBeGreaterThan(WORTH_THREADS[engine]);
    const key = new Uint8Array(16);
    const expected = await new SeenSet({ preset: "crawl", engine, key }).addBatch(urls);
    expect(expected.subarray(0, half.length).includes(1)).toBe(true);
    expect(expected.subarray(half.length, 2 * half.length).includes(1)).toBe(false);
    let started = 0;
    const count = (): void => {
      started++;
    };
    process.on("worker", count);
    const column = toColumn(urls.map((url) => Buffer.from(url).toString("latin1")));
    for (const batch of shareOf([urls, lines, column], engine)) {
      const set = new SeenSet({ preset: "crawl", engine, key, threads: atLength(2, 3) });
      expect(Buffer.compare(await set.addBatch(batch), expected)).toBe(0);
      await set.close();
    }
    process.off("worker", count);
    expect(started).toBeGreaterThan(1);
  },
);
