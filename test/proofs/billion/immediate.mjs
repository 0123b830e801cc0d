// Asks a set on disk at once, in batches, and checks all answers: with few old URLs and with many, and with many while the
// system has none of its files in memory. Its argument is { directory, urls, memory, rows }: `urls` are in the set, and `rows`
// are asked about each time. It prints a line of Markdown for each.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { disk, SeenSet } from "urlmill/seen";
import { linesOf, mix } from "./rows.mjs";

const { directory, urls, memory, rows } = JSON.parse(process.argv[2]);
const BATCH = 65_536;
const open = () => SeenSet.open(disk(directory, { memory }));

/** Lets the system forget the files. Returns whether this process may ask for it. */
function forgetFiles() {
  spawnSync("sync");
  try {
    writeFileSync("/proc/sys/vm/drop_caches", "1");
    return true;
  } catch {
    return false;
  }
}

let made = urls;
/** Asks about batches. Returns rows a second, without making them. */
async function rate(set, old) {
  let seconds = 0;
  for (let row = 0; row < rows; row += BATCH) {
    const expected = new Uint8Array(BATCH).map((_, at) => Number(mix(made + at) % 100 >= old));
    const random = () => Math.floor(Math.random() * urls);
    const lines = linesOf(BATCH, (at) => (expected[at] === 1 ? made++ : random()));
    const began = performance.now();
    const answers = await set.addBatch(lines);
    seconds += (performance.now() - began) / 1000;
    if (Buffer.compare(expected, answers) !== 0) throw new Error("an answer is wrong");
  }
  return Math.round(rows / seconds);
}

const began = performance.now();
let set = await open();
await set.addBatch(["http://first.example/"]);
await set.hasBatch(linesOf(BATCH, (at) => at * 97));
const filters = ((performance.now() - began) / 1000).toFixed(1);
console.log(`opened to answer at once, with filters made or read, in ${filters} seconds`);
console.log("| asked at once | rows/s |");
console.log("|:--|--:|");
console.log(`| 5 % old | ${await rate(set, 5)} |`);
await rate(set, 45);
console.log(`| 45 % old | ${await rate(set, 45)} |`);
await set.close();
set = await open();
await set.hasBatch(linesOf(BATCH, (at) => at * 97));
const isCold = forgetFiles();
console.log(
  `| 45 % old, no file in memory | ${isCold ? await rate(set, 45) : "not measured: only root may"} |`,
);
const { memoryBytes } = await set.stats();
const { rss } = process.memoryUsage();
console.log(`the set takes ${memoryBytes >>> 20} MB, the process ${rss >>> 20} MB`);
await set.close();
