// dedupe of records by their URL against DuckDB, file to file, rounds interleaved, on two threads. `npm run bench formats`
//
//   -- --rows N        rows of each list (2,000,000)
//   -- --corpus FILE   gzip of real URLs, one a line (test/fixtures/urls-50k.txt.gz)
//   -- --folder PATH   for about 2 GB of files (a new one in the system's temporary folder)
//   -- --rounds N      the median counts (3)
//
// DuckDB runs where it is installed (pip install duckdb; PYTHON names another python3 than the first). It compares URLs as
// they are, and keeps any row of each; dedupe normalizes them, and keeps the first.
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { time } from "../../test/proofs/time.mjs";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "2000000" },
    corpus: { type: "string", default: "test/fixtures/urls-50k.txt.gz" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-formats-"));
const python = process.env.PYTHON ?? "python3";
const script = join(import.meta.dirname, "distinct-records.py");

const words =
  "the quick brown fox jumps over lazy dog café über news home page products shop".split(" ");
const titleOf = (row) =>
  Array.from({ length: 5 }, (_, at) => words[(row * (at + 3)) % words.length]).join(" ");
const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const FORMATS = [
  {
    name: "jsonl",
    flags: ["--format", "jsonl"],
    write: (url, row) =>
      JSON.stringify({
        id: row,
        url,
        status: 200,
        time: "2026-01-02T10:00:00Z",
        title: titleOf(row),
        links: [row % 7],
        meta: { a: null },
      }),
  },
  {
    name: "csv",
    flags: ["--format", "csv", "--field", "url"],
    header: "id,url,status,title",
    write: (url, row) =>
      `${row},${quoted(url)},200,${quoted(row % 3 === 0 ? `${titleOf(row)}, x` : titleOf(row))}`,
  },
  {
    name: "tsv",
    flags: ["--format", "tsv", "--field", "url"],
    header: "id\turl\tstatus\ttitle",
    write: (url, row) => `${row}\t${url}\t200\t${titleOf(row)}`,
  },
];

/** Writes a list: real URLs again and again, half of them with a parameter that varies. */
async function writeList(file, { header, write }) {
  const urls = gunzipSync(readFileSync(values.corpus))
    .toString()
    .split("\n")
    .filter((url) => /^https?:\/\/\S+$/.test(url));
  const out = createWriteStream(file);
  if (header !== undefined) out.write(`${header}\n`);
  for (let row = 0; row < Number(values.rows); ) {
    const batch = [];
    for (const end = Math.min(row + 20_000, Number(values.rows)); row < end; row++) {
      const url = urls[(row * 7919) % urls.length];
      batch.push(
        write(
          row % 2 === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}p=${(row * 31) % 900_000}`,
          row,
        ),
      );
    }
    if (!out.write(`${batch.join("\n")}\n`))
      await new Promise((resolve) => out.once("drain", resolve));
  }
  out.end();
  await finished(out);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

try {
  const found = spawnSync(python, [script], { encoding: "utf8" });
  const version = found.status === 0 ? found.stdout.trim() : null;
  console.log(
    `Node ${process.version}, ${cpus()[0].model}, ${availableParallelism()} cores, ${values.rows} rows; ${version === null ? "DuckDB is not installed" : `DuckDB ${version}`}`,
  );
  console.log(`${"".padEnd(22)}${"seconds".padStart(9)}${"CPU".padStart(8)}${"MB".padStart(7)}`);
  for (const format of FORMATS) {
    const list = join(folder, `list.${format.name}`);
    const out = join(folder, `out.${format.name}`);
    await writeList(list, format);
    const dedupe = (threads) => () =>
      time(process.execPath, [
        "dist/cli/main.js",
        "dedupe",
        "--preset",
        "crawl",
        "--no-progress",
        "--threads",
        threads,
        ...format.flags,
        list,
        "-o",
        out,
      ]);
    const runs = [
      ["urlmill, 2 threads", dedupe("2")],
      ["urlmill, 1 thread", dedupe("1")],
      ...(version === null
        ? []
        : [["DuckDB", () => time(python, [script, format.name, list, out])]]),
    ].map(([name, run]) => ({ name, run, seconds: [], cpu: [], peak: 0 }));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const each of runs) {
        const { seconds, cpuSeconds, peak } = await each.run();
        each.seconds.push(seconds);
        each.cpu.push(cpuSeconds);
        each.peak = Math.max(each.peak, peak);
      }
    }
    console.log(`${format.name}, ${Math.round(statSync(list).size / 1e6)} MB`);
    for (const { name, seconds, cpu, peak } of runs) {
      console.log(
        `  ${name.padEnd(20)}${median(seconds).toFixed(2).padStart(9)}${median(cpu).toFixed(2).padStart(8)}${peak.toFixed(0).padStart(7)}`,
      );
    }
    rmSync(list);
    rmSync(out);
  }
} finally {
  rmSync(folder, { recursive: true });
}
