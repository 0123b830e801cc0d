// Ten million lines, file to file: two threads against one, dedupe against sort, awk and DuckDB, and
// one output for any number of threads and both engines. `npm run proof lines`
//
//   -- --lines N       lines of the list (10,000,000)
//   -- --corpus FILE   gzip of real URLs, one a line (test/fixtures/urls-50k.txt.gz)
//   -- --folder PATH   for about 5 GB of files (a new one in the system's temporary folder)
//   -- --rounds N      interleaved, the median counts (3)
//   -- --fast          no awk, no JavaScript engine: they take minutes
//
// DuckDB runs where `npm install --no-save @duckdb/node-api` was called.
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeList } from "./make-list.mjs";
import { time } from "./time.mjs";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "10000000" },
    corpus: { type: "string", default: "test/fixtures/urls-50k.txt.gz" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
    fast: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-lines-"));
const list = join(folder, "list.txt");
const out = (name) => join(folder, name);
const MAIN = "dist/cli/main.js";

const urlmill = (name, ...args) => [
  name,
  () => time(process.execPath, [MAIN, ...args, list, "-o", out(name)]),
];
const QUIET = ["--no-progress"];

const DUCK = `
  import { DuckDBInstance } from "@duckdb/node-api";
  const [file, out] = process.argv.slice(1);
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  await connection.run(\`COPY (SELECT DISTINCT u FROM read_csv('\${file}', header=false,
    columns={'u': 'VARCHAR'}, delim='\\x01', quote='', escape='', auto_detect=false))
    TO '\${out}' (FORMAT csv, header false, quote '', delimiter '\\x01')\`);`;

const hasDuck = await import("@duckdb/node-api").then(
  () => true,
  () => false,
);
const env = { ...process.env, LC_ALL: "C" };
const runs = [
  urlmill(
    "normalize crawl, 1 thread",
    "normalize",
    "--preset",
    "crawl",
    "--threads",
    "1",
    ...QUIET,
  ),
  urlmill(
    "normalize crawl, 2 threads",
    "normalize",
    "--preset",
    "crawl",
    "--threads",
    "2",
    ...QUIET,
  ),
  urlmill("dedupe, 1 thread", "dedupe", "--threads", "1", ...QUIET),
  urlmill("dedupe, 2 threads", "dedupe", "--threads", "2", ...QUIET),
  [
    "sort -u --parallel=2",
    () => time("sort", ["-u", "--parallel=2", list, "-o", out("sort")], { env }),
  ],
  ...(hasDuck
    ? [
        [
          "DuckDB, 2 threads",
          () => time(process.execPath, ["--input-type=module", "-e", DUCK, list, out("duck")]),
        ],
      ]
    : []),
  ...(values.fast
    ? []
    : [
        [
          "awk '!s[$0]++'",
          () =>
            time("awk", ["!s[$0]++", list], {
              env,
              stdio: ["ignore", openSync(out("awk"), "w"), "pipe"],
            }),
        ],
      ]),
];

async function hashOf(name) {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(out(name))) hash.update(bytes);
  return hash.digest("hex");
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

try {
  const lines = Number(values.lines);
  const bytes = await makeList(lines, list, values.corpus);
  console.log(`Node ${process.version}, ${lines} lines, ${bytes} bytes of ${values.corpus}`);
  const seconds = new Map(runs.map(([name]) => [name, []]));
  const peaks = new Map();
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, run] of runs) {
      const { seconds: took, peak } = await run();
      seconds.get(name).push(took);
      peaks.set(name, Math.max(peak, peaks.get(name) ?? 0));
    }
  }
  const of = (name) => median(seconds.get(name) ?? [Number.NaN]);
  for (const [name] of runs) {
    const nanoseconds = (of(name) * 1e9) / lines;
    console.log(
      `${name.padEnd(28)} ${of(name).toFixed(2).padStart(7)} s ${nanoseconds.toFixed(0).padStart(6)} ns a line ${peaks.get(name).toFixed(0).padStart(6)} MB`,
    );
  }
  const ratio = (a, b, wanted) =>
    console.log(`${`${a} / ${b}`.padEnd(54)} ${(of(a) / of(b)).toFixed(2)} (asked ${wanted})`);
  ratio("normalize crawl, 1 thread", "normalize crawl, 2 threads", 1.8);
  ratio("sort -u --parallel=2", "dedupe, 1 thread", 4);
  ratio("sort -u --parallel=2", "dedupe, 2 threads", 6);
  if (hasDuck) ratio("DuckDB, 2 threads", "dedupe, 2 threads", 2);
  if (!values.fast) ratio("awk '!s[$0]++'", "dedupe, 1 thread", 1);
  const more = [
    urlmill("dedupe, 4 threads", "dedupe", "--threads", "4", ...QUIET),
    urlmill(
      "normalize crawl, 4 threads",
      "normalize",
      "--preset",
      "crawl",
      "--threads",
      "4",
      ...QUIET,
    ),
    ...(values.fast
      ? []
      : [
          urlmill("dedupe, js", "dedupe", "--engine", "js", ...QUIET),
          urlmill(
            "normalize crawl, js",
            "normalize",
            "--engine",
            "js",
            "--preset",
            "crawl",
            ...QUIET,
          ),
        ]),
  ];
  for (const [, run] of more) await run();
  for (const command of ["normalize crawl", "dedupe"]) {
    const names = [...runs, ...more]
      .map(([name]) => name)
      .filter((name) => name.startsWith(command));
    const hashes = new Set(await Promise.all(names.map(hashOf)));
    console.log(
      `${command}: ${hashes.size === 1 ? "one output" : "DIFFERENT outputs"} for ${names.join("; ")}`,
    );
    if (hashes.size !== 1) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
