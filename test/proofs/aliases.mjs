// Tables of many aliases, of one URL each, of ranges of numbers and for any other parameters: that every look-up finds its
// own, in both engines, and what loading and look-ups cost. `npm run proof aliases`
//
//   -- --aliases N   aliases of a table (100,000)
//   -- --sites N     sites that they are on (50)
//   -- --urls N      URLs to normalize of each kind (1,000,000)
//   -- --rounds N    interleaved, the median counts (5)
import { parseArgs } from "node:util";
import { createNormalizer } from "../../dist/index.js";
import { parseAliases } from "../../dist/learn/index.js";

const { values } = parseArgs({
  options: {
    aliases: { type: "string", default: "100000" },
    sites: { type: "string", default: "50" },
    urls: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
  },
});
const [aliases, sites, urls, rounds] = [
  values.aliases,
  values.sites,
  values.urls,
  values.rounds,
].map(Number);

const site = (n) => `blog${n % sites}.example`;
const slug = (n) =>
  `/20${10 + (n % 15)}/${1 + (n % 12)}/a-slug-of-some-words-${(n * 7919) % 1_000_003}/`;

/** What the tables hold: the URL of each alias, and one that is looked up. */
const TABLES = {
  "of one URL each": { from: (n) => `/?p=${n}`, asked: (n) => `/?p=${n}` },
  "with ranges of numbers": {
    from: (n) => `/viewtopic.php?p=<${20 * n}..${20 * n + 18}>`,
    asked: (n) => `/viewtopic.php?p=${20 * n + (n % 19)}`,
  },
  "for any other parameters": {
    from: (n) => `/show?id=${n}&<*>`,
    asked: (n) => `/show?view=print&id=${n}`,
  },
};

function timed(name, run) {
  const started = performance.now();
  const result = run();
  console.log(`${name.padEnd(36)} ${(performance.now() - started).toFixed(0).padStart(6)} ms`);
  return result;
}

const list = (make) =>
  Buffer.from(`${Array.from({ length: urls }, (_, n) => make(n)).join("\n")}\n`);
const path = (n) => `/2020/path-${n}/page.html?id=${n % 1000}`;
const plain = createNormalizer({ engine: "wasm" });
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(1);

for (const [name, { from, asked }] of Object.entries(TABLES)) {
  const lines = Array.from(
    { length: aliases },
    (_, n) => `${site(n)}\t${from(n)}\t${slug(n)}\tfingerprint`,
  );
  const text = `#urlmill-aliases 1\n${lines.join("\n")}\n`;
  console.log(`${aliases} aliases ${name}, a file of ${(text.length / 1e6).toFixed(1)} MB`);
  timed("read the file", () => parseAliases(text));
  const wasm = timed("make a normalizer, wasm", () =>
    createNormalizer({ engine: "wasm", pageAliases: text }),
  );
  timed("the first URL, wasm", () => wasm.normalize("http://a/"));
  const js = timed("make a normalizer, js", () =>
    createNormalizer({ engine: "js", pageAliases: text }),
  );
  timed("profileId", () => wasm.profileId);
  console.log(`the plan has ${(wasm.plan.length / 1e6).toFixed(1)} MB`);

  const all = Array.from({ length: aliases }, (_, n) => `http://${site(n)}${asked(n)}`);
  for (const normalizer of [wasm, js]) {
    const { urls: written } = normalizer.normalizeBatch(all);
    const wrong = written.findIndex((url, n) => url !== `http://${site(n)}${slug(n)}`);
    if (wrong >= 0) throw new Error(`${normalizer.engine}: ${all[wrong]} became ${written[wrong]}`);
  }
  console.log("both engines find every alias");

  const kinds = {
    "of other sites": list((n) => `http://site${n % 997}.example.org${path(n)}`),
    "of these sites, not aliases": list((n) => `http://${site(n)}${path(n)}`),
    aliases: list((n) => all[(n * 7919) % aliases]),
  };
  for (const [kind, bytes] of Object.entries(kinds)) {
    const times = { "no table": [], table: [] };
    for (let round = 0; round < rounds; round++) {
      for (const [which, normalizer] of [
        ["no table", plain],
        ["table", wasm],
      ]) {
        const started = performance.now();
        normalizer.normalizeWindows(bytes, true, {}, () => {});
        times[which].push(((performance.now() - started) / urls) * 1e6);
      }
    }
    const figures = Object.entries(times).map(([which, own]) => `${which} ${median(own)} ns`);
    console.log(`a URL ${kind}: ${figures.join(", ")}`);
  }
}
