// A set on disk of very many URLs, in a process that is killed again and again: `npm run proof billion`. Makes rows from a
// seed, 45 % of them known, and checks each answer. Prints what the last tenth before 1 %, 10 % and all of the rows took. Then
// the set is asked at once, with 1.9 GB.
//
//   -- --rows N       (1,000,000,000, which takes 9 GB of disk and some 20 minutes)
//   -- --memory N     bytes for the set (1,610,612,736)
//   -- --kills N      (10)
//   -- --skewed       half of the rows are one URL
//   -- --folder DIR   where the set is made (the folder for temporary files)
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Rows } from "./billion/rows.mjs";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000000" },
    memory: { type: "string", default: String(3 * 2 ** 29) },
    kills: { type: "string", default: "10" },
    skewed: { type: "boolean", default: false },
    folder: { type: "string", default: tmpdir() },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [rows, memory, kills, seed] = [values.rows, values.memory, values.kills, values.seed].map(
  Number,
);
if (rows % 1000 !== 0) throw new Error("--rows needs a multiple of 1000");
const folder = mkdtempSync(join(values.folder, "urlmill-billion-"));
// A small set is drained seldom, for that takes some seconds whatever its size is.
const parts = rows < 1e7 ? 4 : 10;
const marks = rows < 1e7 ? [rows] : [rows / 100, rows / 10, rows];
const task = {
  directory: join(folder, "set"),
  rows,
  seed,
  stride: values.skewed ? 2 : 1,
  memory,
  batch: Math.max(1000, Math.min(131_072, rows / 50)),
  drains: Array.from({ length: parts }, (_, part) => ((part + 1) * rows) / parts),
  marks,
};
const CONSUMER = fileURLToPath(new URL("billion/consumer.mjs", import.meta.url));
const IMMEDIATE = fileURLToPath(new URL("billion/immediate.mjs", import.meta.url));

const isMeasured = (row) => marks.some((mark) => row >= mark * 0.9 && row < mark);

/** Runs the consumer until it has come to a row and some milliseconds have passed, or to its end. */
async function run(killAt, wait) {
  const child = spawn(process.execPath, [CONSUMER, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("close", (...how) => resolve(how)));
  const said = [];
  let row = 0;
  let isKilling = false;
  const kill = async () => {
    await setTimeout(wait);
    while (isMeasured(row)) await setTimeout(10);
    child.kill("SIGKILL");
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const what = JSON.parse(line);
    said.push(what);
    if (what.mark !== undefined) print(what);
    row = what.row ?? row;
    if (isKilling || row < killAt) continue;
    isKilling = true;
    kill();
  }
  const [code, signal] = await ended;
  if (signal !== "SIGKILL" && code !== 0)
    throw new Error(`the consumer ended with ${code ?? signal}`);
  return said;
}

/** Returns the rows at which the consumer is killed; the last ones are those of which figures are taken. */
function killRows() {
  const places = Array.from({ length: kills }, () => Math.random() * rows * 0.85);
  return [...places.sort((a, b) => a - b), Number.POSITIVE_INFINITY];
}

/** Throws if a kill lost rows that were enqueued, or brought back rows that were committed. */
function checkOpened({ row, settled }, said) {
  const [last, drained] = ["row", "drained"].map(
    (name) => said.findLast((what) => name in what)?.[name],
  );
  if (row < (last ?? 0) || settled < (drained ?? 0)) {
    throw new Error(`opened at ${row} and ${settled} after ${last} and ${drained}`);
  }
}

function print(what) {
  const { mark, rowsPerSecond, cpuNs, read, written, bytes, rss } = what;
  const cells = [
    mark,
    Math.round(rowsPerSecond),
    cpuNs.toFixed(0),
    `${read.toFixed(0)} + ${written.toFixed(0)}`,
    bytes.toFixed(2),
    rss.toFixed(0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** Asks the set at once, in a process of its own. */
function askAtOnce(urls) {
  const { directory } = task;
  const asked = {
    directory,
    urls,
    memory: rows < 1e7 ? memory : 1.9e9,
    rows: Math.min(rows / 10, 4e6),
  };
  const { status } = spawnSync(process.execPath, [IMMEDIATE, JSON.stringify(asked)], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`asking at once ended with ${status}`);
}

console.log(`seed ${seed}, memory ${memory}, ${kills} kills`);
console.log(
  "| rows | rows/s | CPU ns a row | bytes read + written a row | bytes of disk a URL | peak RSS, MB |",
);
console.log("|--:|--:|--:|--:|--:|--:|");
try {
  const opened = [];
  let said = [];
  for (const killAt of killRows()) {
    const before = said;
    said = await run(killAt, Math.random() * (50 + rows / 50_000));

    checkOpened(said[0], before);
    opened.push(said[0].opened);
    if (said.at(-1).done !== undefined) break;
  }
  const last = said.at(-1);
  const urls = new Rows(seed, task.stride).urlsBefore(rows);
  if (last.done !== rows || last.size !== urls) {
    throw new Error(`${last.done} of ${rows} rows, ${last.size} of ${urls} URLs`);
  }
  const slowest = Math.max(...opened).toFixed(2);
  console.log(
    `all of ${rows} answers are right, of ${urls} URLs; ${opened.length - 1} kills, opened in ${slowest} seconds at most`,
  );
  askAtOnce(urls);
} finally {
  rmSync(folder, { recursive: true });
}
