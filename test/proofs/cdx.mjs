// Sorts an index with `cdx sort` and `LC_ALL=C sort`, and compares their output and what they take. Fails if `cdx sort` takes
// more of the processor, or more memory than promised. Then says what other commands take for an index of a million lines.
// `npm run proof cdx`
//
//   -- --lines N       lines of the index (10,000,000: 2.2 GB)
//   -- --folder PATH   for four times the size of the index (a new one in the system's temporary folder)
//   -- --discard       write /dev/null, and compare no output: twice the size of the index is enough
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeCdx } from "./make-cdx.mjs";
import { check, sayTime, time } from "./time.mjs";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "10000000" },
    folder: { type: "string" },
    discard: { type: "boolean", default: false },
  },
});
/** What is promised with the default memory of 128 MB. */
const MOST_MB = 300;
/** The bytes of a line, about, and how many times the index is on the disk. */
const LINE = 220;
const COPIES = values.discard ? 2 : 4;

const MILLION = 1_000_000;

const lines = Number(values.lines);
const folder = mkdtempSync(join(values.folder ?? tmpdir(), "urlmill-cdx-"));
const path = (name) => join(folder, name);
const out = (name) => (values.discard ? "/dev/null" : path(name));
const env = { ...process.env, LC_ALL: "C", TMPDIR: folder };

function checkDisk() {
  const { bavail, bsize } = statfsSync(folder);
  const needed = COPIES * LINE * lines;
  if (bavail * bsize >= needed) return;
  throw new Error(`${needed / 1e9} GB of disk are needed in ${folder}: name another with --folder`);
}

try {
  checkDisk();
  await makeCdx(lines, path("list"));
  console.log(`${lines} lines, ${(statSync(path("list")).size / 1e9).toFixed(1)} GB`);
  const sort = await time("sort", ["-S", "1G", path("list"), "-o", out("sorted")], { env });
  const theirs = sayTime("LC_ALL=C sort -S 1G", sort, lines);
  const cdx = await time(
    process.execPath,
    ["dist/cli/main.js", "cdx", "sort", "-q", path("list"), "-o", out("cdx")],
    { env },
  );
  const ours = sayTime("cdx sort", cdx, lines);
  console.log(`sort takes ${(theirs / ours).toFixed(2)} times the CPU time`);
  check(theirs >= ours, "at most the CPU time of sort");
  check(cdx.peak <= MOST_MB, `at most ${MOST_MB} MB`);
  if (!values.discard) {
    const same = spawnSync("cmp", [path("sorted"), path("cdx")], { encoding: "utf8" });
    check(same.status === 0, `the bytes of sort (${same.stdout}${same.stderr})`);
  }
  for (const name of ["list", "sorted", "cdx"]) rmSync(path(name), { force: true });
  await makeCdx(MILLION, path("unsorted"));
  for (const call of [
    "cdx sort unsorted -o index",
    "cdx rekey index -o keyed",
    "cdx zipnum index -o zipped",
    "dedupe --form urlkey --format cdx index -o one",
    "dedupe --form urlkey --format cdx --by url,digest index -o versions",
    "dedupe --form urlkey --format cdx --keep max:timestamp index -o newest",
  ]) {
    const args = [join(process.cwd(), "dist/cli/main.js"), ...call.split(" "), "-q"];
    sayTime(
      `${call}, a million lines`,
      await time(process.execPath, args, { env, cwd: folder }),
      MILLION,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
