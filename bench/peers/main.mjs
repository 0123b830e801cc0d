// dedupe against what else makes the lines of a file distinct, file to file, rounds interleaved, on two threads where
// a tool has them. `npm run bench peers`
//
//   -- --lines N       lines of the list (10,000,000)
//   -- --corpus FILE   gzip of real URLs, one a line (test/fixtures/urls-50k.txt.gz)
//   -- --folder PATH   for about 6 GB of files (a new one in the system's temporary folder)
//   -- --rounds N      the median counts (5)
//   -- --save          write bench/results/dedupe.json and draw the charts
//
// A peer runs where it is installed: pip install chdb polars duckdb (PYTHON names another python3 than the first), and
// cargo install huniq runiq. All but dedupe compare lines as they are.
import { spawnSync } from "node:child_process";
import { createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeList } from "../../test/proofs/make-list.mjs";
import { time } from "../../test/proofs/time.mjs";
import { saveResults } from "../charts/charts.mjs";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "10000000" },
    corpus: { type: "string", default: "test/fixtures/urls-50k.txt.gz" },
    folder: { type: "string" },
    rounds: { type: "string", default: "5" },
    save: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-peers-"));
const list = join(folder, "list.txt");
const out = join(folder, "out.txt");
const python = process.env.PYTHON ?? "python3";
const script = join(import.meta.dirname, "distinct.py");
const env = { ...process.env, LC_ALL: "C" };
const ours = "dist/cli/main.js";

/** Returns the first line that a command prints, or null if there is no such command. */
function version(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n", 1)[0] : null;
}

/** Runs a command whose standard output is the result; it may read the list from standard input. */
const toOut = (command, ...args) =>
  time(command, args, { env, stdio: [openSync(list, "r"), openSync(out, "w"), "pipe"] });
const dedupe = (threads) =>
  time(process.execPath, [ours, "dedupe", "--no-progress", "--threads", threads, list, "-o", out]);
const database = (name, module) => ({
  name,
  version: version(python, script, module),
  run: () => time(python, [script, module, list, out], { env }),
});

const peers = [
  {
    name: "urlmill, 2 threads",
    version: version(process.execPath, ours, "--version"),
    run: () => dedupe("2"),
  },
  {
    name: "urlmill, 1 thread",
    version: version(process.execPath, ours, "--version"),
    run: () => dedupe("1"),
  },
  database("ClickHouse (chdb)", "chdb"),
  database("Polars", "polars"),
  database("DuckDB", "duckdb"),
  {
    name: "huniq",
    version: version("huniq", "--version"),
    run: () => toOut("huniq"),
  },
  { name: "runiq", version: version("runiq", "--version"), run: () => toOut("runiq", list) },
  {
    name: "sort -u --parallel=2",
    version: version("sort", "--version"),
    run: () => time("sort", ["-u", "--parallel=2", list, "-o", out], { env }),
  },
  {
    name: "awk '!s[$0]++'",
    version: version("awk", "-W", "version"),
    run: () => toOut("awk", "!s[$0]++", list),
  },
];

async function countLines(file) {
  let count = 0;
  for await (const bytes of createReadStream(file)) {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  }
  return count;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

try {
  const lines = Number(values.lines);
  const bytes = await makeList(lines, list, values.corpus);
  console.log(
    `Node ${process.version}, ${cpus()[0].model}, ${availableParallelism()} cores, ${lines} lines, ${bytes} bytes of ${values.corpus}`,
  );
  const here = peers.filter((peer) => peer.version !== null);
  for (const { name } of peers.filter((peer) => peer.version === null))
    console.log(`${name}: not installed`);
  const results = here.map(({ name, version }) => ({
    name,
    version,
    seconds: [],
    peak: 0,
    distinct: 0,
  }));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, peer] of here.entries()) {
      const { seconds, peak } = await peer.run();
      const result = results[index];
      result.seconds.push(seconds);
      result.peak = Math.max(result.peak, peak);
      if (round === 0) result.distinct = await countLines(out);
    }
  }
  const first = median(results[0].seconds);
  console.log(
    `${"".padEnd(22)}${"seconds".padStart(8)}${"/ ours".padStart(8)}${"MB".padStart(7)}${"distinct".padStart(11)}  version`,
  );
  const rows = results.map((result) => ({ ...result, seconds: median(result.seconds) }));
  for (const { name, version, seconds, peak, distinct } of rows) {
    const columns = [
      seconds.toFixed(2).padStart(8),
      (seconds / first).toFixed(2).padStart(8),
      peak.toFixed(0).padStart(7),
      String(distinct).padStart(11),
    ];
    console.log(`${name.padEnd(22)}${columns.join("")}  ${version}`);
  }
  if (values.save) {
    saveResults("dedupe", {
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      cpu: cpus()[0].model,
      lines,
      rows: rows.map(({ name, version, seconds, peak }) => ({
        name,
        version,
        seconds: Number(seconds.toFixed(2)),
        megabytes: Math.round(peak),
      })),
    });
  }
} finally {
  rmSync(folder, { recursive: true });
}
