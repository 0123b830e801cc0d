// Normalizes URLs in Node or Bun: url.mjs PEER WAY LIST ROUNDS [OUT]. PEER is `URL`, or an engine of urlmill, `wasm` or `js`.
// bench/peers/parsers.mjs says what it prints and writes.
import { readFileSync, writeFileSync } from "node:fs";

const [peer, way, list, rounds, out] = process.argv.slice(2);
const bytes = readFileSync(list);
// Each string on its own, as a crawler has them, not a slice of the text.
const urls = JSON.parse(JSON.stringify(linesOf(bytes)));

/** Returns the lines as strings. Each has an end. */
function linesOf(text) {
  return text.toString().slice(0, -1).split("\n");
}

function href(url) {
  try {
    return new URL(url).href;
  } catch {
    return "";
  }
}

async function waysOf(engine) {
  if (engine === "URL") {
    return {
      strings: () => urls.map(href),
      lines: () =>
        Buffer.from(
          linesOf(bytes)
            .map((line) => `${href(line)}\n`)
            .join(""),
        ),
    };
  }
  const { createNormalizer } = await import("urlmill");
  const normalizer = createNormalizer({ preset: "safe", engine });
  // The others reuse the memory of their output, too.
  const into = new Uint8Array(2 * bytes.length);
  return {
    strings: () => normalizer.normalizeBatch(urls).urls,
    lines: () => normalizer.normalizeLines(bytes, { into }).bytes,
  };
}

const run = (await waysOf(peer))[way];

function time() {
  const begin = performance.now();
  run();
  return ((performance.now() - begin) * 1e6) / urls.length;
}

const warm = performance.now() + 500;
while (performance.now() < warm) time();
const times = Array.from({ length: Number(rounds) }, time).sort((a, b) => a - b);
console.log(`${times[0]} ${times[times.length >> 1]}`);
if (out !== undefined) {
  const result = run();
  writeFileSync(out, way === "lines" ? result : result.map((url) => `${url ?? ""}\n`).join(""));
}
