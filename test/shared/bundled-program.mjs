// What bundlers bundle in tests: runs a normalizer, a pool and a set, and prints what came of them as a digest.
import { createHash } from "node:crypto";
import { createNormalizer } from "urlmill";
import { createPool } from "urlmill/pool";
import { SeenSet } from "urlmill/seen";

const urls = Array.from(
  { length: 2_000 },
  (_, row) =>
    `HTTP://B\u00fccher${row % 7}.Example:80/a/../%7e${row % 900}?utm_source=x&b&a=${row % 3}#f`,
);
const options = { preset: "crawl", hostAliases: { "m.example": "www.example" } };
const normalizer = createNormalizer(options);
const alone = normalizer.normalizeBatch(urls, { base: "http://base.example/" });
const pool = createPool({ ...options, threads: 2, minBatchBytes: 0 });
const pooled = await pool.normalizeBatch(urls);
const lines = await pool.normalizeLines(new TextEncoder().encode(urls.join("\n")));
await pool.close();
const set = new SeenSet(options);
const answers = await set.addBatch(urls);
await set.close();
const steps = normalizer.explain(urls[0]).steps.map(({ step }) => step);
const digest = createHash("sha256")
  .update(JSON.stringify([alone.urls, pooled.urls, [...lines.bytes], [...answers], steps]))
  .digest("hex");
console.log(normalizer.engine, pool.engine, digest);
