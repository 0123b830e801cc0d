// Fills a small disk with the output of `dedupe --seen`, and with a set in LMDB. Prints how many lines come again
// in a second run; fails if a line or an answer is lost. Run it as root or by `unshare -rm`: it mounts a tmpfs.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SeenSet } from "urlmill/seen";
import { lmdb } from "urlmill/seen/lmdb";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const LINES = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "urlmill-full-"));
const disk = join(folder, "disk");

/** Mounts an empty disk of so many MiB, calls `use`, and takes the disk away. */
async function withDisk(mib, use) {
  mkdirSync(disk, { recursive: true });
  run("mount", "-t", "tmpfs", "-o", `size=${mib}m`, "urlmill-proof", disk);
  try {
    await use();
  } finally {
    run("umount", disk);
  }
}

function run(...command) {
  const { status, stderr } = spawnSync(command[0], command.slice(1), { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}

function dedupe(keys, out, threads) {
  const args = ["dedupe", join(folder, "list"), "--threads", threads, "--seen", keys, "-o", out];
  return spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8" });
}

const linesOf = (file) => readFileSync(file, "latin1").split("\n").slice(0, -1);

/** Fills the disk by a run, makes room, runs again, and compares both outputs. */
function fillByOutput(place, threads) {
  const keys = join(place === "the same disk" ? disk : folder, "keys");
  rmSync(keys, { recursive: true, force: true });
  const first = dedupe(keys, join(disk, "out"), threads);
  if (first.status !== 1 || !first.stderr.includes("the disk is full")) {
    throw new Error(`the first run ended with ${first.status}: ${first.stderr}`);
  }
  const written = linesOf(join(disk, "out"));
  rmSync(join(disk, "out"));
  const second = dedupe(keys, join(folder, "rest"), threads);
  if (second.status !== 0) throw new Error(second.stderr);
  const all = new Set([...written, ...linesOf(join(folder, "rest"))]);
  const whole = new Set(written);
  const repeated = linesOf(join(folder, "rest")).filter((line) => whole.has(line)).length;
  // A line that the full disk cut is in no list, and comes whole in the second run.
  const lost = readFileSync(join(folder, "list"), "latin1")
    .split("\n")
    .filter((line) => line !== "" && !all.has(line)).length;
  console.log(
    `keys on ${place}, ${threads} threads: ${written.length} lines written, ${repeated} come again, ${lost} lost`,
  );
  if (lost > 0) process.exitCode = 1;
}

/** Fills the disk by batches, makes room, and asks for all that was answered. */
async function fillByLmdb() {
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(5 << 20));
  const open = () => SeenSet.open(lmdb(join(disk, "set")));
  const batch = (number) => Array.from({ length: 4_096 }, (_, row) => `http://a/${number}/${row}`);
  let set = await open();
  let batches = 0;
  for (let failures = 0; failures < 3; ) {
    try {
      await set.addBatch(batch(batches));
      batches++;
    } catch (error) {
      if (error.code !== "SEEN_FAILED") throw error;
      failures++;
    }
  }
  rmSync(filler);
  const isNew = (await set.addBatch(batch(batches))).indexOf(0) < 0;
  await set.close();
  set = await open();
  let there = 0;
  for (let number = 0; number <= batches; number++) {
    for (const answer of await set.hasBatch(batch(number))) there += answer;
  }
  await set.close();
  const told = 4_096 * (batches + 1);
  console.log(`LMDB: of ${told} URLs, the last 4096 after room was made, ${told - there} lost`);
  if (!isNew || there !== told) process.exitCode = 1;
}

try {
  const list = Array.from(
    { length: LINES },
    (_, row) => `http://www.example-${row % 977}.com/articles/${row}/page-of-some-length.html\n`,
  );
  writeFileSync(join(folder, "list"), list.join(""));
  for (const place of ["the same disk", "another disk"]) {
    for (const threads of ["1", "2"]) await withDisk(40, () => fillByOutput(place, threads));
  }
  await withDisk(20, fillByLmdb);
} finally {
  rmSync(folder, { recursive: true });
}
