// Keys of strings, one core: urlmill with preset crawl against the keys that crawlers use, rounds interleaved.
// `npm run bench keys`
//
//   -- --rounds N   the median counts (9)
//   -- --save       write bench/results/keys.json and draw the charts
//
// w3lib runs where it is installed: pip install w3lib (PYTHON names another python3 than the first).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { normalizeUrl as apifyKey } from "@apify/utilities";
import normalizeUrl from "normalize-url";
import { createNormalizer } from "urlmill";
import { saveResults } from "../charts/charts.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    save: { type: "boolean", default: false },
  },
});
const CORPUS = "test/fixtures/urls-50k.txt.gz";
const text = gunzipSync(readFileSync(CORPUS)).toString("latin1").trimEnd();
const folder = mkdtempSync(join(tmpdir(), "urlmill-keys-"));
const list = join(folder, "list.txt");
writeFileSync(list, text, "latin1");

/** Strings that no engine has read before, as a crawler gets them from a page. */
const freshUrls = () => Buffer.from(text, "latin1").toString("latin1").split("\n");

/**
 * Returns a run that makes the key of one URL after the other and gives nanoseconds per URL. A URL that the
 * key refuses counts too.
 */
const each = (key) => () => {
  const urls = freshUrls();
  const begin = process.hrtime.bigint();
  for (const url of urls) {
    try {
      key(url);
    } catch {
      // The time of a refusal is part of the time of the list.
    }
  }
  return Number(process.hrtime.bigint() - begin) / urls.length;
};

function sortedHref(text) {
  const url = new URL(text);
  url.searchParams.sort();
  url.hash = "";
  return url.href;
}

const n = createNormalizer({ preset: "crawl" });
const python = process.env.PYTHON ?? "python3";
const script = join(import.meta.dirname, "w3lib-key.py");
const w3lib = spawnSync(python, [script], { encoding: "utf8" });

const peers = [
  {
    name: "urlmill, a batch",
    run: () => {
      const urls = freshUrls();
      const begin = process.hrtime.bigint();
      n.normalizeBatch(urls);
      return Number(process.hrtime.bigint() - begin) / urls.length;
    },
  },
  { name: "urlmill, one by one", run: each((url) => n.tryNormalize(url)) },
  { name: "new URL(), sorted", run: each(sortedHref) },
  { name: "Crawlee's key", run: each((url) => apifyKey(url, false)) },
  { name: "normalize-url", run: each((url) => normalizeUrl(url, { stripHash: true })) },
  ...(w3lib.status === 0
    ? [
        {
          name: "w3lib (Scrapy), Python",
          run: () => Number(spawnSync(python, [script, list], { encoding: "utf8" }).stdout),
        },
      ]
    : []),
];
if (w3lib.status !== 0) console.log("w3lib: not installed");

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

try {
  const times = peers.map(() => []);
  for (let round = -2; round < Number(values.rounds); round++) {
    for (const [at, { run }] of peers.entries()) {
      const nanoseconds = run();
      if (round >= 0) times[at].push(nanoseconds);
    }
  }
  const rows = peers.map(({ name }, at) => ({ name, nanoseconds: Math.round(median(times[at])) }));
  console.log(`Node ${process.version}, ${cpus()[0].model}, ${CORPUS}, ${values.rounds} rounds`);
  for (const { name, nanoseconds } of rows) {
    const ratio = nanoseconds / rows[0].nanoseconds;
    console.log(
      `${name.padEnd(24)}${String(nanoseconds).padStart(7)} ns ${ratio.toFixed(1).padStart(6)} x`,
    );
  }
  if (values.save) {
    const date = new Date().toISOString().slice(0, 10);
    saveResults("keys", {
      date,
      node: process.version,
      cpu: cpus()[0].model,
      corpus: CORPUS,
      rows,
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}
