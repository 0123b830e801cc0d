/**
 * Proves that memory is bounded by a row group: files of 512, 1024 and 2048 MB (or those given) with equal row groups
 * take the same memory to read, normalize and write with a column of keys, on one thread and on two. Linux alone tells the peak.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetWriteFile } from "hyparquet-writer";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const ROWS = 200_000;
const THREADS = [1, 2];
const MB = 2 ** 20;
/** How much more memory the largest file may take than the smallest. */
const TOLERANCE = 1.25;

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(512, 1024, 2048);
const folder = mkdtempSync(join(tmpdir(), "urlmill-parquet-"));

/** Writes one row group of URLs in normal form, and a column that hardly compresses. */
function writeGroup() {
  const group = join(folder, "group.parquet");
  const url = Array.from({ length: ROWS }, (_, row) => `http://host${row % 999}.example/${row}`);
  const noise = url.map((_, row) => Math.imul(row + 1, 0x9e3779b1));
  const columnData = [
    { name: "url", data: url, type: "STRING" },
    { name: "noise", data: noise, type: "INT32" },
  ];
  parquetWriteFile({ filename: group, columnData, rowGroupSize: ROWS });
  return group;
}

/** Returns the peak of a run in MB, and its seconds. */
async function measure(args) {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peak = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
  }, 20);
  child.once("exit", () => clearInterval(timer));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`urlmill ${args.join(" ")} ended with ${code}`);
  return { peak: peak / 1024, seconds: (performance.now() - started) / 1000 };
}

try {
  const group = writeGroup();
  const out = join(folder, "out.parquet");
  const peaks = THREADS.map(() => []);
  for (const size of sizes) {
    const large = join(folder, "large.parquet");
    const copies = Math.ceil((size * MB) / statSync(group).size);
    const made = spawnSync(
      process.execPath,
      [MAIN, "normalize", ...Array(copies).fill(group), "-o", large],
      { stdio: "inherit" },
    );
    if (made.status !== 0) throw new Error(`a file of ${size} MB could not be made`);
    for (const [at, threads] of THREADS.entries()) {
      const flags = ["--emit", "both", "--threads", `${threads}`];
      const { peak, seconds } = await measure(["normalize", ...flags, large, "-o", out]);
      peaks[at].push(peak);
      console.log(
        `${size} MB, ${copies} row groups of ${ROWS} rows, --threads ${threads}: ${peak.toFixed(0)} MB at most, ${seconds.toFixed(1)} s`,
      );
    }
  }
  if (peaks.some((all) => Math.max(...all) > TOLERANCE * all[0])) {
    throw new Error("memory grows with the number of row groups");
  }
} finally {
  rmSync(folder, { recursive: true });
}
