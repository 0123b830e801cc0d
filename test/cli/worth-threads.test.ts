import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { builtFile } from "../shared/built-file.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// A pipe begins on the calling thread, and goes on with threads once it is worth them: here from 1 MiB on, on three cores. On
// two, only rows that JavaScript works on are.

let pools = 0;
let cores = 3;
beforeEach(() => {
  cores = 3;
});
vi.mock("../../src/threads/process-cores.ts", () => ({ processCores: () => cores }));
vi.mock("../../src/runs/frame/line-threads.ts", async (original) => {
  const real = await original<typeof import("../../src/runs/frame/line-threads.ts")>();
  const worksAlone: typeof real.worksAlone = (run, bytes) => real.worksAlone(run, 64 * bytes);
  return { ...real, worksAlone };
});
// Threads run what was built.
vi.mock("../../src/threads/start-pool.ts", async (original) => {
  const real = await original<typeof import("../../src/threads/start-pool.ts")>();
  const file = pathToFileURL(builtFile("shared/thread.cjs"));
  const startPool: typeof real.startPool = (options, tasks) => {
    pools++;
    return real.startPool({ ...options, file }, tasks);
  };
  return { startPool };
});

const folder = tempFolder();
const lines = Array.from({ length: atLength(20_000, 40_000) }, (_, row) =>
  row % 50 === 0 ? `nothing ${row}\n` : `HTTP://h${row % 7}/${row % 9000}?${"x".repeat(40)}\n`,
);
const list = Buffer.from(
  `${lines.join("")}${"y".repeat(atLength(1_500_000, 5_000_000))}\nhttp://last/`,
);

/** Returns all that a run writes of a pipe. */
async function run(args: string[], input: Uint8Array) {
  const errors = join(folder, "errors");
  const written: Buffer[] = [];
  const stdout = new Writable({
    write: (bytes: Buffer, _, done) => {
      written.push(Buffer.from(bytes));
      done();
    },
  });
  const stdin = Readable.from([input.subarray(0, 700_000), input.subarray(700_000)]);
  const stderr = new Writable({ write: (_, __, done) => done() });
  const code = await runCommandLine([...args, "--errors", errors], { stdin, stdout, stderr });
  return {
    code,
    text: Buffer.concat(written).toString("latin1"),
    errors: readFileSync(errors, "latin1"),
  };
}

const CASES = [
  ["dedupe", "lines in gzip", gzipSync(list, { level: 1 })],
  ["normalize", "lines", list],
  ["dedupe", "lines", list],
] as const;
test.each(sampleOf(CASES, 3))(
  "%s of a pipe of %s writes what one thread does",
  async (command, _, input) => {
    expect(list.length).toBeGreaterThan(2 << 20);
    const args = [command, "--preset", "safe", "--format", "lines"];
    const alone = await run([...args, "--threads", "1"], input);
    expect(alone.code).toBe(0);
    pools = 0;
    expect(await run(args, input)).toEqual(alone);
    expect(pools).toBe(1);
  },
);

test.each([
  ["jsonl", [], 0],
  ["jsonl", ["--form", "surt"], 1],
] as const)("records of a pipe on two cores: %s %j", async (format, flags, threads) => {
  const records = lines.map((line) => `${JSON.stringify({ url: line.trim() })}\n`).join("");
  const input = Buffer.from(records);
  expect(input.length).toBeGreaterThan(1 << 20);
  const args = ["dedupe", "--format", format, ...flags];
  const alone = await run([...args, "--threads", "1"], input);
  cores = 2;
  pools = 0;
  expect(await run(args, input)).toEqual(alone);
  expect(pools).toBe(threads);
});
