// Writes the lists of `npm run bench formats`: real URLs again and again, half of them with a parameter that varies.
import { createWriteStream, readFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { gunzipSync, gzipSync } from "node:zlib";

const BATCH = 500;
/** Words of a page of a WARC file. */
const PAGE_WORDS = 7_000;

const words =
  "the quick brown fox jumps over lazy dog café über news home page products shop".split(" ");
const titleOf = (row) =>
  Array.from({ length: 5 }, (_, at) => words[(row * (at + 3)) % words.length]).join(" ");
const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns a function that returns numbers by chance from 0 to below 1, the same for the same seed. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const VOCABULARY = Array.from({ length: 4000 }, (_, at) => {
  const next = chance(at);
  return Array.from({ length: 2 + Math.floor(next() * 8) }, () => Math.floor(next() * 26))
    .map((letter) => String.fromCharCode(97 + letter))
    .join("");
});

/** A page of text and markup, which gzip makes about three times shorter. */
function pageOf(row) {
  const next = chance(row);
  const parts = Array.from({ length: PAGE_WORDS }, () => {
    const word = VOCABULARY[Math.floor(next() * VOCABULARY.length)];
    return next() < 0.12 ? `<p class="a">${word}</p>` : word;
  });
  return `<html>${parts.join(" ")}`;
}

function warcRecord(type, url, body) {
  const head = `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http; msgtype=${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return gzipSync(`${head}${body}\r\n\r\n`, { level: 6 });
}

/** A record of a URL, by format. */
const RECORDS = {
  jsonl: (url, row) =>
    `${JSON.stringify({
      id: row,
      url,
      status: 200,
      time: "2026-01-02T10:00:00Z",
      title: titleOf(row),
      links: [row % 7],
      meta: { a: null },
    })}\n`,
  csv: (url, row) =>
    `${row},${quoted(url)},200,${quoted(row % 3 === 0 ? `${titleOf(row)}, x` : titleOf(row))}\n`,
  tsv: (url, row) => `${row}\t${url}\t200\t${titleOf(row)}\n`,
  cdx: (url, row) =>
    `com,example)/${row} 20260102100000 ${url} text/html 200 ${"A".repeat(32)} - - 1234 ${row} list.warc.gz\n`,
  lines: (url) => `${url}\n`,
  // A page and the request for it.
  warc: (url, row) =>
    Buffer.concat([
      warcRecord("request", url, "GET / HTTP/1.1\r\n\r\n"),
      warcRecord(
        "response",
        url,
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${pageOf(row)}`,
      ),
    ]),
};

const HEADERS = { csv: "id,url,status,title\n", tsv: "id\turl\tstatus\ttitle\n" };

/** Writes a list of so many rows. `corpus`: gzip of real URLs, one per line. */
export async function writeRecords(format, rows, file, corpus) {
  const urls = gunzipSync(readFileSync(corpus))
    .toString()
    .split("\n")
    .filter((url) => /^https?:\/\/\S+$/.test(url));
  const out = createWriteStream(file);
  if (HEADERS[format] !== undefined) out.write(HEADERS[format]);
  for (let row = 0; row < rows; ) {
    const batch = [];
    for (const end = Math.min(row + BATCH, rows); row < end; row++) {
      const url = urls[(row * 7919) % urls.length];
      const varied = `${url}${url.includes("?") ? "&" : "?"}p=${(row * 31) % 900_000}`;
      batch.push(Buffer.from(RECORDS[format](row % 2 === 0 ? url : varied, row)));
    }
    if (!out.write(Buffer.concat(batch))) {
      await new Promise((resolve) => out.once("drain", resolve));
    }
  }
  out.end();
  await finished(out);
}
