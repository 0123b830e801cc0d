// dedupe of records by their URL, and of lines by other ways than from a file to a file, against peers. Rounds are
// interleaved. `npm run bench formats`
//
//   -- --rows N        rows of each list (2,000,000); a WARC file has a 75th as many pages
//   -- --corpus FILE   gzip of real URLs, one a line (test/fixtures/urls-50k.txt.gz)
//   -- --folder PATH   for about 2 GB of files (a new one in the system's temporary folder)
//   -- --rounds N      the median counts (3)
//   -- --only NAME     one table: jsonl, jsonl.gz, csv, tsv, cdx, snappy.parquet, zstd.parquet, warc, lines
//
// Peers run where they are installed: pip install duckdb chdb polars fastwarc (PYTHON names another python3 than the
// first), on two threads if they have threads; for CSV also cargo install xan, and brew install zsv. They compare URLs as
// they are, and keep any row of each; dedupe normalizes them, and keeps the first. DuckDB writes the Parquet files.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { time } from "../../test/proofs/time.mjs";
import { writeRecords } from "./record-lists.mjs";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "2000000" },
    corpus: { type: "string", default: "test/fixtures/urls-50k.txt.gz" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const rows = Number(values.rows);
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-formats-"));
const fileOf = (name) => join(folder, name);
const out = fileOf("out");
const python = process.env.PYTHON ?? "python3";
const script = join(import.meta.dirname, "distinct-records.py");

/** Returns the first line that a command prints, or null if there is no such command. */
function version(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n", 1)[0] : null;
}

const PEERS = [
  { name: "DuckDB", module: "duckdb" },
  { name: "ClickHouse (chdb)", module: "chdb" },
  { name: "Polars", module: "polars" },
  { name: "FastWARC", module: "fastwarc" },
].map(({ name, module }) => ({
  name,
  id: module,
  version: version(python, script, module),
  commandFor: (format, list, output) => [python, [script, module, format, list, output]],
}));
PEERS.push(
  {
    name: "xan",
    id: "xan",
    version: version("xan", "--version"),
    commandFor: (_format, list, output) => ["xan", ["dedup", "-s", "url", list, "-o", output]],
  },
  {
    name: "zsv",
    id: "zsv",
    version: version("zsv", "version"),
    commandFor: (_format, list, output) => [
      "zsv",
      ["sql", list, "select * from data group by url", "-o", output],
    ],
  },
);
const DATABASES = ["duckdb", "chdb", "polars"];

const command = (name, ...args) => [
  "dist/cli/main.js",
  name,
  "--preset",
  "crawl",
  "--no-progress",
  ...args,
];
const urlmill = (args, options) => time(process.execPath, args, options);

/** The runs of a list of records: dedupe and those peers that are installed. */
function runsOfRecords({ name, flags, peers, threads = ["2", "1"] }, list) {
  const output = fileOf(outName(name));
  const ours = threads.map((count) => ({
    name: `urlmill, --threads ${count}`,
    run: () => urlmill(command("dedupe", "--threads", count, ...flags, list, "-o", output)),
  }));
  const installed = PEERS.filter((peer) => peer.version !== null && peers.includes(peer.id));
  const others = installed.map(({ name: peer, commandFor }) => ({
    name: peer,
    run: () => time(...commandFor(formatOf(name), list, output)),
  }));
  return [...ours, ...others].map((run) => ({ ...run, output }));
}

/** The format of a table, without the compression of the whole file. */
const formatOf = (name) => name.replace(".gz", "");
/** An output that a database compresses by its name has none. */
const outName = (name) => `out.${formatOf(name)}`;

async function gzip(source, target) {
  await pipeline(createReadStream(source), createGzip(), createWriteStream(target));
}

/** Writes a list and returns its file. */
async function listOf(name) {
  const list = fileOf(`list.${name}`);
  if (name.endsWith("parquet")) {
    const csv = await listOf("csv");
    const { status, stderr } = spawnSync(python, [script, "duckdb", name, csv, list, "--write"], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`DuckDB writes no ${name}: ${stderr}`);
    rmSync(csv);
  } else if (name === "jsonl.gz") {
    const plain = await listOf("jsonl");
    await gzip(plain, list);
    rmSync(plain);
  } else {
    await writeRecords(name, name === "warc" ? Math.ceil(rows / 75) : rows, list, values.corpus);
  }
  return list;
}

/** The runs of lines on one thread: a file first, then what else may be read and written. */
async function runsOfLines(list) {
  const gz = fileOf("list.gz");
  await gzip(list, gz);
  const zst = fileOf("list.zst");
  const hasZstd = spawnSync("zstd", ["-q", "-f", list, "-o", zst]).status === 0;
  const pipe = fileOf("pipe");
  spawnSync("mkfifo", [pipe]);
  const dedupe = (...args) => urlmill(command("dedupe", "--threads", "1", ...args, "-o", out));
  const normalize = (...args) =>
    urlmill(command("normalize", "--threads", "1", ...args, list, "-o", out));
  const devNull = openSync("/dev/null", "w");
  const decompress =
    (...args) =>
    () =>
      time(args[0], args.slice(1), { stdio: ["ignore", devNull, "pipe"] });
  /** Reads standard input. */
  async function reading(open) {
    const input = open();
    try {
      return await urlmill(command("dedupe", "--threads", "1", "-o", out), {
        stdio: [input, "ignore", "pipe"],
      });
    } finally {
      closeSync(input);
    }
  }
  return [
    { name: "a file", run: () => dedupe(list) },
    { name: "< file", run: () => reading(() => openSync(list, "r")) },
    {
      name: "cat file |",
      run: () =>
        reading(() => {
          spawn("sh", ["-c", 'exec cat "$0" > "$1"', list, pipe]);
          return openSync(pipe, "r");
        }),
    },
    { name: "file.gz", run: () => dedupe(gz) },
    { name: "  zcat alone", run: decompress("zcat", gz) },
    ...(hasZstd
      ? [
          { name: "file.zst", run: () => dedupe(zst) },
          { name: "  zstdcat alone", run: decompress("zstd", "-dcq", zst) },
        ]
      : []),
    {
      name: "--seen, a new set",
      run: () => {
        rmSync(fileOf("seen"), { recursive: true, force: true });
        mkdirSync(fileOf("seen"));
        return dedupe("--seen", fileOf("seen"), list);
      },
    },
    { name: "--map", run: () => dedupe("--map", fileOf("map"), list) },
    { name: "--emit both", run: () => dedupe("--emit", "both", list) },
    { name: "--report", run: () => dedupe("--report", fileOf("report.html"), list) },
    { name: "normalize", run: () => normalize() },
    { name: "normalize --emit both", run: () => normalize("--emit", "both") },
  ];
}

const TABLES = [
  { name: "jsonl", flags: ["--format", "jsonl"], peers: DATABASES },
  { name: "jsonl.gz", flags: ["--format", "jsonl"], peers: DATABASES },
  {
    name: "csv",
    flags: ["--format", "csv", "--field", "url"],
    peers: [...DATABASES, "xan", "zsv"],
  },
  { name: "tsv", flags: ["--format", "tsv", "--header", "--field", "url"], peers: DATABASES },
  { name: "cdx", flags: ["--format", "cdx"], peers: DATABASES },
  { name: "snappy.parquet", flags: ["--field", "url"], peers: DATABASES },
  { name: "zstd.parquet", flags: ["--field", "url"], peers: DATABASES },
  { name: "warc", flags: ["--format", "warc"], peers: ["fastwarc"] },
].map((table) => ({ ...table, runsOf: (list) => runsOfRecords(table, list) }));
TABLES.push({ name: "lines", runsOf: runsOfLines });

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Throws if a peer writes fewer rows than urlmill, which merges more, or none. */
function checkRows(name, results) {
  if (name.endsWith("parquet")) return;
  const [first, ...others] = results.filter(({ rows }) => rows !== undefined);
  const short = others.find(({ rows }) => rows < (first?.rows ?? 0) || rows === 0);
  if (short !== undefined) throw new Error(`${short.name} writes ${short.rows} rows of ${name}`);
}

/** Returns the number of lines of a file. */
async function linesOf(file) {
  let lines = 0;
  for await (const bytes of createReadStream(file)) {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}

/** Runs a table in rounds, and prints it. */
async function print({ name, runsOf }) {
  const list = await listOf(name);
  const results = (await runsOf(list)).map((run) => ({ ...run, seconds: [], cpu: [], peak: 0 }));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const result of results) {
      const { seconds, cpuSeconds, peak } = await result.run();
      result.seconds.push(seconds);
      result.cpu.push(cpuSeconds);
      result.peak = Math.max(result.peak, peak);
      if (round === 0 && result.output !== undefined) result.rows = await linesOf(result.output);
    }
  }
  checkRows(name, results);
  console.log(`${name}, ${Math.round(statSync(list).size / 1e6)} MB`);
  const first = results[0];
  for (const { name: run, seconds, cpu, peak } of results) {
    const columns = [
      median(seconds).toFixed(2).padStart(9),
      (median(seconds) / median(first.seconds)).toFixed(2).padStart(8),
      median(cpu).toFixed(2).padStart(8),
      (median(cpu) / median(first.cpu)).toFixed(2).padStart(8),
      peak.toFixed(0).padStart(7),
    ];
    console.log(`  ${run.padEnd(22)}${columns.join("")}`);
  }
  rmSync(list);
}

try {
  const peers = PEERS.map(({ name, version }) => `${name} ${version ?? "is not installed"}`);
  console.log(
    `Node ${process.version}, ${cpus()[0].model}, ${availableParallelism()} cores, ${rows} rows; ${peers.join(", ")}`,
  );
  console.log(
    `${"".padEnd(24)}${"seconds".padStart(9)}${"/ first".padStart(8)}${"CPU".padStart(8)}${"/ first".padStart(8)}${"MB".padStart(7)}`,
  );
  const hasDuckdb = PEERS[0].version !== null;
  for (const table of TABLES) {
    if (values.only !== undefined && values.only !== table.name) continue;
    if (table.name.endsWith("parquet") && !hasDuckdb) continue;
    await print(table);
  }
} finally {
  rmSync(folder, { recursive: true });
}
