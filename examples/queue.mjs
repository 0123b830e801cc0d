// Appends each new URL of a list to a queue, once and in the order of the list, however often it is killed: start it again
// with the same arguments. The set is far larger than memory; the list may grow between two runs.
//
//   npm install urlmill
//   node examples/queue.mjs links.txt links.disk queue.tsv
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { disk, SeenSet } from "urlmill/seen";

const [list, directory, name] = process.argv.slice(2);
/** URLs that are enqueued at a time. */
const BATCH = 1_000;
/** URLs between two drains. Each drain reads the set: take a million or more if it is large. */
const EVERY = 20_000;

const options = { preset: "crawl", directoryIndex: true };
const seen = await SeenSet.open(disk(directory, { immediate: false }), options);
const queue = await open(name, "a+");

/** Cuts what a kill left of a line at the end of the queue. Returns the first row that the queue does not have. */
async function firstMissing() {
  const { size } = await queue.stat();
  const end = Buffer.alloc(Math.min(size, 1 << 20));
  await queue.read(end, 0, end.length, size - end.length);
  const length = end.lastIndexOf("\n") + 1;
  await queue.truncate(size - end.length + length);
  if (length === 0) return 0;
  const line = end.toString("latin1", end.lastIndexOf("\n", length - 2) + 1, length);
  return Number.parseInt(line, 10) + 1;
}

const missing = await firstMissing();
let queued = 0;

/** Queues what is new. A piece that was queued and not committed comes again: the queue has its row numbers. */
async function drain() {
  for await (const { row, answers, payloads, commit } of seen.drain()) {
    const lines = [];
    for (const [at, url] of payloads.entries()) {
      if (answers[at] === 1 && row + at >= missing)
        lines.push(`${row + at}\t${Buffer.from(url)}\n`);
    }
    await queue.appendFile(lines.join(""));
    await queue.datasync();
    await commit();
    queued += lines.length;
  }
}

// The set has numbered the lines before `nextRow`, and keeps them.
const { nextRow } = await seen.stats();
let line = 0;
let batch = [];
for await (const url of createInterface({ input: createReadStream(list) })) {
  if (line++ < nextRow) continue;
  batch.push(url);
  if (batch.length < BATCH) continue;
  await seen.enqueueBatch(batch, { payload: "url" });
  batch = [];
  if (line % EVERY === 0) await drain();
}
await seen.enqueueBatch(batch, { payload: "url" });
await drain();

await seen.close();
await queue.close();
console.log(`${line} lines, ${queued} new URLs`);
