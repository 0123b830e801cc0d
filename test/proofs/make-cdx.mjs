// Writes an index of N captures as CDX lines with 11 fields, in no order: real URLs again and again, with times, digests and
// places of their own. A page has four versions, and each eighth capture is a revisit. `node test/proofs/make-cdx.mjs N FILE [CORPUS.gz]`. It takes the built package.
import { createWriteStream, readFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { gunzipSync } from "node:zlib";

const BATCH = 20_000;
/** The letters of digests. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGEST = 32;
/** Digests are parts of a text of so many letters. */
const DIGESTS = 1 << 20;
const VERSIONS = 4;
const HEADER = " CDX N b a m s k r M S V g\n";

let seed = 1;
/** Returns the next number of xorshift, from 0 to `below` - 1. */
function random(below) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % below;
}

const two = (number) => String(number).padStart(2, "0");

/** Returns a time as 14 digits, of the years 2016 to 2026. */
function timestamp() {
  const day = two(1 + random(12)) + two(1 + random(28));
  return `${2016 + random(11)}${day}${two(random(24))}${two(random(60))}${two(random(60))}`;
}

/** Writes the index. */
export async function makeCdx(lines, file, corpus = "test/fixtures/urls-50k.txt.gz") {
  const { createNormalizer } = await import("urlmill");
  const normalizer = createNormalizer();
  seed = 1;
  const urls = gunzipSync(readFileSync(corpus)).toString("latin1").split("\n");
  const places = urls
    .filter((url) => /^https?:/.test(url) && !url.includes(" "))
    .map((url) => [normalizer.urlkey(url), url]);
  let digests = "";
  for (let left = DIGESTS; left > 0; left--) digests += LETTERS[random(LETTERS.length)];
  const out = createWriteStream(file);
  out.write(HEADER);
  for (let at = 0; at < lines; ) {
    let text = "";
    for (const end = Math.min(at + BATCH, lines); at < end; at++) {
      const page = random(places.length);
      const [key, url] = places[page];
      const from = (page * 37 + random(VERSIONS)) % (DIGESTS - DIGEST);
      const mime = random(8) === 0 ? "warc/revisit" : "text/html";
      const digest = digests.slice(from, from + DIGEST);
      const where = `${500 + random(90_000)} ${random(1e9)} crawl-${10_000 + random(4000)}.warc.gz`;
      text += `${key} ${timestamp()} ${url} ${mime} 200 ${digest} - - ${where}\n`;
    }
    if (!out.write(text, "latin1")) await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
}

if (process.argv[1] === import.meta.filename) {
  const [, , lines, file, corpus] = process.argv;
  await makeCdx(Number(lines), file, corpus);
}
