// A table of many aliases: that every look-up finds its own, in both engines, and what loading and look-ups cost.
// `npm run proof aliases`
//
//   -- --aliases N   aliases of the table, on 50 sites (100,000)
//   -- --urls N      URLs to normalize of each kind (1,000,000)
//   -- --rounds N    interleaved, the median counts (5)
import { parseArgs } from "node:util";
import { createNormalizer } from "../../dist/index.js";
import { parseAliases } from "../../dist/learn/index.js";

const { values } = parseArgs({
  options: {
    aliases: { type: "string", default: "100000" },
    urls: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
  },
});
const [aliases, urls, rounds] = [values.aliases, values.urls, values.rounds].map(Number);

const site = (n) => `blog${n % 50}.example`;
const slug = (n) =>
  `/20${10 + (n % 15)}/${1 + (n % 12)}/a-slug-of-some-words-${(n * 7919) % 1_000_003}/`;
const lines = Array.from(
  { length: aliases },
  (_, n) => `${site(n)}\t/?p=${n}\t${slug(n)}\tfingerprint`,
);
const text = `#urlmill-aliases 1\n${lines.join("\n")}\n`;

function timed(name, run) {
  const started = performance.now();
  const result = run();
  console.log(`${name.padEnd(36)} ${(performance.now() - started).toFixed(0).padStart(6)} ms`);
  return result;
}

console.log(`${aliases} aliases, a file of ${(text.length / 1e6).toFixed(1)} MB`);
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

const from = Array.from({ length: aliases }, (_, n) => `http://${site(n)}/?p=${n}`);
for (const normalizer of [wasm, js]) {
  const { urls: written } = normalizer.normalizeBatch(from);
  const wrong = written.findIndex((url, n) => url !== `http://${site(n)}${slug(n)}`);
  if (wrong >= 0) throw new Error(`${normalizer.engine}: ${from[wrong]} became ${written[wrong]}`);
}
console.log("both engines find every alias");

const list = (make) =>
  Buffer.from(`${Array.from({ length: urls }, (_, n) => make(n)).join("\n")}\n`);
const path = (n) => `/2020/path-${n}/page.html?id=${n % 1000}`;
const kinds = {
  "of other sites": list((n) => `http://site${n % 997}.example.org${path(n)}`),
  "of these sites, not aliases": list((n) => `http://${site(n)}${path(n)}`),
  aliases: list((n) => from[(n * 7919) % aliases]),
};
const plain = createNormalizer({ engine: "wasm" });
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(1);
for (const [kind, bytes] of Object.entries(kinds)) {
  const times = { "no table": [], table: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, normalizer] of [
      ["no table", plain],
      ["table", wasm],
    ]) {
      const started = performance.now();
      normalizer.normalizeWindows(bytes, true, {}, () => {});
      times[name].push(((performance.now() - started) / urls) * 1e6);
    }
  }
  const figures = Object.entries(times).map(([name, all]) => `${name} ${median(all)} ns`);
  console.log(`a URL ${kind}: ${figures.join(", ")}`);
}
