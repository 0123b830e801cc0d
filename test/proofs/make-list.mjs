// Writes a list of N lines: real URLs again and again, queries varied. `node test/proofs/make-list.mjs N FILE [CORPUS.gz]`
import { createWriteStream, readFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { gunzipSync } from "node:zlib";

const BATCH = 50_000;

/** A URL of the corpus, as round `round` has it: some as they were, some with another query. */
function vary(url, index, round) {
  if (round === 0) return url;
  const query = url.indexOf("?");
  if (query >= 0) return `${url}${round}`;
  const fragment = url.indexOf("#");
  if (fragment >= 0 || (index + round) % 3 === 0) return url;
  return `${url}?page=${round}&ref=${index % 7}`;
}

/** Writes the list; returns its number of bytes. */
export async function makeList(lines, file, corpus) {
  const urls = gunzipSync(readFileSync(corpus)).toString("latin1").split("\n").filter(Boolean);
  const out = createWriteStream(file);
  let bytes = 0;
  for (let at = 0; at < lines; ) {
    const batch = [];
    for (const end = Math.min(at + BATCH, lines); at < end; at++) {
      // A stride that shares no factor with the length visits every URL, in no order, once a round.
      const index = (at * 7919) % urls.length;
      batch.push(vary(urls[index], index, Math.floor(at / urls.length)));
    }
    const text = Buffer.from(`${batch.join("\n")}\n`, "latin1");
    bytes += text.length;
    if (!out.write(text)) await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
  return bytes;
}

if (process.argv[1] === import.meta.filename) {
  const [, , lines, file, corpus = "test/fixtures/urls-50k.txt.gz"] = process.argv;
  console.log(`${await makeList(Number(lines), file, corpus)} bytes`);
}
