// At full length only: it cuts the power at many moments.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { STORE_NAMES } from "../../src/seen/folder/store-names.ts";
import { atLength } from "../shared/length.ts";
import { filesAfterCut, type Moment } from "../shared/power-loss.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// A run with --seen and -o is one transaction: whenever it is killed or the power is cut, the same run again writes the whole
// output, and the next list gives what is new in it.

const recorded = await vi.hoisted(async () => {
  const { RecordedDisk } = await import("../shared/power-loss.ts");
  return new RecordedDisk();
});
vi.mock("node:fs", async (original) => {
  const real = recorded.wrapCallbacks(await original<typeof import("node:fs")>());
  return { ...real, default: real };
});
vi.mock("node:fs/promises", async (original) => {
  const real = recorded.wrap(await original<typeof import("node:fs/promises")>());
  return { ...real, default: real };
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = recorded.wrap(peer.files());
  return { ...peer, files: () => wrapped };
});

const folder = tempFolder();
const work = join(folder, "work");
const path = (name: string): string => join(work, name);
const list = (name: string): string => join(folder, name);

const line = (number: number): string => `http://h${number}/\n`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => line(from + at)).join("");
/** The lists of three days. The first is recorded before. */
const DAYS = [lines(0, 20), lines(0, 20) + lines(20, 60).repeat(2), lines(10, 80)];
const OUTPUTS = [lines(0, 20), lines(20, 60), lines(60, 80)];
for (const [day, text] of DAYS.entries()) writeFileSync(list(`day-${day}`), text);

/** Runs the command of a day. Returns what it says. */
async function run(day: number, out: string, ...more: string[]): Promise<string> {
  const stderr = new PassThrough();
  const stdin = new PassThrough().end();
  const args = ["dedupe", "--seen", path("set"), list(`day-${day}`), "-o", path(out), ...more];
  const code = await runCommandLine(args, { stdin, stdout: new PassThrough(), stderr });
  const text = String(stderr.read() ?? "");
  if (code !== 0) throw new Error(text);
  return text;
}

const read = (name: string): string => readFileSync(path(name), "latin1");

/** Returns the files of the folder by their names. */
function filesIn(below = ""): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const name of readdirSync(join(work, below))) {
    const own = join(below, name);
    if (statSync(path(own)).isDirectory())
      for (const [key, value] of filesIn(own)) files.set(key, value);
    else files.set(own, readFileSync(path(own)));
  }
  return files;
}

/** Puts files in the place of all that is there. A record names the inode and the time that its file has now. */
function put(files: ReadonlyMap<string, Uint8Array>): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  for (const [name, bytes] of files) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), bytes);
  }
  for (const name of files.keys()) {
    if (!/run-[0-9a-f]{32}\.json$/.test(name)) continue;
    const record = JSON.parse(read(name));
    record.outputs = record.outputs.map((state: string[]) => movedState(state));
    writeFileSync(path(name), `${JSON.stringify(record)}\n`);
  }
}

function movedState(state: string[]): string[] {
  const found = statSync(state[0] as string, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || String(found.size) !== state[3]) return state;
  return [state[0] as string, ...[found.dev, found.ino, found.size, found.mtimeNs].map(String)];
}

/** Records the run of the second day. */
async function recordedRun(store: string): Promise<Moment[]> {
  put(new Map());
  await run(0, "out", "--store", store);
  recorded.begin(work, filesIn());
  await run(1, "out");
  const moments = [...recorded.moments];
  recorded.end();
  expect(read("out")).toBe(OUTPUTS[1]);
  return moments;
}

/** Checks what a kill or a power cut has left. */
async function check(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  put(files);
  expect(OUTPUTS.slice(0, 2)).toContain(read("out"));
  await run(1, "out");
  expect(read("out")).toBe(OUTPUTS[1]);
  expect(readdirSync(path("set")).filter((name) => name.endsWith(".keys"))).toEqual([]);
  await run(2, "next");
  expect(read("next")).toBe(OUTPUTS[2]);
}

test("a run that is done leaves its file as it is, also the first of a new set, and says so", async () => {
  put(new Map());
  for (const said of [
    "",
    expect.stringMatching(/ is what the same run has written: nothing is done\n$/),
  ]) {
    expect(await run(0, "out")).toEqual(said);
    expect(read("out")).toBe(OUTPUTS[0]);
  }
  expect(await run(0, "out", "--preset", "safe")).toMatch(/nothing is done/);
  expect(await run(0, "out", "--stats")).toMatch(/nothing is done\n\{"lines":0,/);
  expect(await run(0, "out", "-q")).toBe("");
  expect(await run(0, "out", "-c")).toMatch(/no line is written/);
  expect(read("out")).toBe("");
});

test("a run that is done knows its files and what it was told by any spelling", async () => {
  put(new Map());
  const block = list("block");
  writeFileSync(block, "h1\n");
  const table = list("table.csv");
  writeFileSync(table, "id,url\n1,http://a/\n2,http://h1/\n");
  const args = ["dedupe", "--seen", path("set"), "-q"];
  const first = [...args, table, "--block", block, "-o", path("out")];
  const streams = () => ({
    stdin: new PassThrough().end(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  expect(await runCommandLine(first, streams())).toBe(0);
  const written = "id,url\n1,http://a/\n";
  expect(read("out")).toBe(written);
  const spelled = [
    ["-o", `${work}/./out`, "--block", `${folder}/./block`, "--header"],
    ["--output", `${work}/../work/out`, "--block", block],
    ["-o", path("out"), "--block", block, "--delimiter", ","],
  ];
  for (const other of spelled) {
    expect(await runCommandLine([...args, table, ...other], streams())).toBe(0);
    expect(read("out"), other.join(" ")).toBe(written);
  }
  // The same file in another place is another run.
  expect(
    await runCommandLine([...args, table, "--allow", block, "-o", path("out")], streams()),
  ).toBe(0);
  expect(read("out")).not.toBe(written);
});

describe.each(STORE_NAMES.filter((name) => name !== "lmdb"))(
  "a run with --seen, %s, and -o",
  (store) => {
    let moments: readonly Moment[] = [];
    beforeAll(async () => {
      moments = await recordedRun(store);
    });

    test("is whole after a kill at any moment, and the same run again ends it", async () => {
      expect(moments.length).toBeGreaterThan(30);
      for (const [at, moment] of moments.entries()) {
        if (at % atLength(20, 1) === 0) await check(filesAfterCut(moment, "all"));
      }
    });

    test("is whole after a power cut at any moment", async () => {
      const random = new Random(1);
      expect(moments.length).toBeGreaterThan(30);
      for (const [at, moment] of moments.entries()) {
        if (at % atLength(20, 1) !== 0) continue;
        for (const kept of ["none", random, ...atLength([], [random])] as const)
          await check(filesAfterCut(moment, kept));
      }
    });
  },
);
