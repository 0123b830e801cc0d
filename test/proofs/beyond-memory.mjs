// Dedupes a list whose keys do not fit in memory, beside `sort -u` and DuckDB, and compares the output with that of a
// run in memory. Fails if it takes more memory or time than promised. `npm run proof memory`
//
//   -- --lines N       lines of the list (100,000,000: 7 GB)
//   -- --memory SIZE   of urlmill (256M)
//   -- --folder PATH   for four times the size of the list (a new one in the system's temporary folder)
//   -- --fast          no peers
//
// DuckDB runs where `${PYTHON:-python3} -c 'import duckdb'` does.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { makeList } from "./make-list.mjs";
import { check, sayTime, time } from "./time.mjs";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "100000000" },
    memory: { type: "string", default: "256M" },
    folder: { type: "string" },
    fast: { type: "boolean", default: false },
  },
});
/** What is promised of a list of 100 million lines with 256 MB. */
const MOST_MB = 400;
const MOST_NS = 300;
const LEAST_RATIO = 4;
/** The bytes of a line, about, and how many times the list is on the disk. */
const LINE = 75;
const COPIES = 4;

const lines = Number(values.lines);
const PYTHON = process.env.PYTHON ?? "python3";
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-beyond-"));
const path = (name) => join(folder, name);
const env = { ...process.env, LC_ALL: "C" };

const DUCK = `
import duckdb, sys
list, out, folder = sys.argv[1:]
duckdb.execute("SET memory_limit='1GB'; SET threads=2; SET preserve_insertion_order=false")
duckdb.execute(f"SET temp_directory='{folder}'")
duckdb.execute(f"""COPY (SELECT DISTINCT u FROM read_csv('{list}', header=false, columns={{'u': 'VARCHAR'}},
  delim='\\x01', quote='', escape='', auto_detect=false)) TO '{out}' (FORMAT csv, header false, quote '', delimiter '\\x01')""")`;

function checkDisk() {
  const { bavail, bsize } = statfsSync(folder);
  const needed = COPIES * LINE * lines;
  if (bavail * bsize >= needed) return;
  throw new Error(`${needed / 1e9} GB of disk are needed in ${folder}: name another with --folder`);
}

async function hashOf(file) {
  const hash = createHash("sha1");
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}

const dedupe = (out, ...flags) =>
  time(process.execPath, ["dist/cli/main.js", "dedupe", "-q", ...flags, path("list"), "-o", out]);

try {
  checkDisk();
  await makeList(lines, path("list"), "test/fixtures/urls-50k.txt.gz");
  console.log(`${lines} lines, ${(statSync(path("list")).size / 1e9).toFixed(1)} GB`);
  mkdirSync(path("tmp"));
  const spilled = await dedupe(path("out"), "--memory", values.memory, "--tmp", path("tmp"));
  const ns = sayTime(`dedupe --memory ${values.memory}`, spilled, lines);
  const written = await hashOf(path("out"));
  rmSync(path("out"));
  sayTime("dedupe, keys in memory", await dedupe(path("out")), lines);
  check(written === (await hashOf(path("out"))), "the bytes of a run in memory");
  rmSync(path("out"));
  check(spilled.peak <= MOST_MB, `at most ${MOST_MB} MB`);
  check(ns <= MOST_NS, `at most ${MOST_NS} ns CPU a line`);
  if (!values.fast) {
    const args = [
      "-u",
      "-S",
      "1G",
      "--parallel=2",
      "-T",
      path("tmp"),
      path("list"),
      "-o",
      path("out"),
    ];
    const sorted = await time("sort", args, { env });
    const ratio = sayTime("LC_ALL=C sort -u -S 1G --parallel=2", sorted, lines) / ns;
    console.log(`sort takes ${ratio.toFixed(1)} times the CPU time`);
    check(ratio >= LEAST_RATIO, `${LEAST_RATIO} times less CPU time than sort`);
    rmSync(path("out"));
    if (spawnSync(PYTHON, ["-c", "import duckdb"]).status === 0) {
      await time(PYTHON, ["-c", DUCK, path("list"), path("out"), path("tmp")]).then(
        (taken) => sayTime("DuckDB, SELECT DISTINCT with memory_limit 1GB", taken, lines),
        (error) =>
          console.log(
            `DuckDB, memory_limit 1GB: ${error.message.split("\n").find((line) => line.includes("Error"))}`,
          ),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
