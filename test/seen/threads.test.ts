import { SeenSet } from "urlmill/seen";
import { expect, test } from "vitest";
import { toColumn } from "../shared/columns.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { sampleOf } from "../shared/length.ts";

const corpus = sampleOf(linesOf(readCorpus()), 2);
const urls = [...corpus, ...corpus, "nothing", "http://last/"];
const lines = Buffer.from(urls.join("\n"));

test.each(ENGINES)(
  "the first of equal URLs is the new one on many threads too (%s)",
  async (engine) => {
    const key = new Uint8Array(16);
    const expected = await new SeenSet({ preset: "crawl", engine, key }).addBatch(urls);
    expect(expected.subarray(0, corpus.length).includes(1)).toBe(true);
    for (const batch of [
      urls,
      lines,
      toColumn(urls.map((url) => Buffer.from(url).toString("latin1"))),
    ]) {
      const set = new SeenSet({ preset: "crawl", engine, key, threads: 3 });
      expect(Buffer.compare(await set.addBatch(batch), expected)).toBe(0);
      await set.close();
    }
  },
);
