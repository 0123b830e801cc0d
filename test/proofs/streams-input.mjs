// What streams.mjs feeds: blocks of lines that can follow each other for ever.
import { readFileSync } from "node:fs";
import * as zlib from "node:zlib";

/** 50,000 real URLs. */
export const corpus = zlib.gunzipSync(
  readFileSync(new URL("../fixtures/urls-50k.txt.gz", import.meta.url)),
);

const urls = corpus.toString("latin1").trim().split("\n");
const lines = (toLine) => Buffer.from(`${urls.map(toLine).join("\n")}\n`, "latin1");

/** Each block by its name; `bytes` is its length once it is decompressed. */
export const blocks = {
  lines: block(corpus),
  errors: block(lines((url) => `http://bad host/${url.slice(8, 60)}`)),
  jsonl: block(lines((url) => JSON.stringify({ id: 1, url }))),
  "one line": block(Buffer.alloc(1 << 20, "x")),
  gzip: block(corpus, zlib.gzipSync),
  ...("zstdCompressSync" in zlib ? { zstd: block(corpus, zlib.zstdCompressSync) } : {}),
};

function block(plain, compress = (bytes) => bytes) {
  return { data: compress(plain), bytes: plain.length };
}
