import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { takenBytes } from "../../src/threads/process-memory.ts";
import { runCli } from "../shared/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
afterAll(() => rmSync(folder, { recursive: true }));
const list = join(folder, "list");
const out = join(folder, "out");

/** What a run that passes lines in bulk takes besides its keys. */
const BESIDES = 32 << 20;
/** Room for 225,280 keys of 128 bits, or 450,560 of 64. */
const KEY_BYTES = 8 << 20;
const LINES = Array.from({ length: 600_000 }, (_, at) => `http://a/${at}\n`);
const FORECAST =
  /^urlmill: about \d\S* million keys are expected, and memory has room for 0\.\d+ million: if .+\n/gm;
const REFUSAL = /^urlmill: a set of .+ What is written ends with a whole line\. To go on, .+\n$/m;
const BY_MEMORY = "give --memory, with which keys that do not fit go to a temporary file; or ";
const WAYS = "divide the list by host and dedupe each part, or give the process more memory";

const { constrainedMemory } = process;
beforeEach(() => {
  process.constrainedMemory = () => takenBytes() + BESIDES + KEY_BYTES;
});
afterEach(() => {
  process.constrainedMemory = constrainedMemory;
});

test.each([
  ["from a file to a file", ["--threads", "1", list]],
  ["in the chunked mode", ["--threads", "1", "--map", join(folder, "map"), list]],
])(
  "a set that is full is expected, and ends a run with whole lines and all ways out: %s",
  async (_, args) => {
    writeFileSync(list, LINES.join(""));
    for (const [flags, half] of [
      [[], "use --bits 64, which takes half the memory; or "],
      [["--bits", "64"], ""],
    ] as const) {
      const { code, stderr } = await runCli(["dedupe", ...args, ...flags, "-o", out]);
      expect(code).toBe(1);
      const [forecast, another] = stderr.match(FORECAST) ?? [];
      expect([forecast, another]).toEqual([expect.any(String), undefined]);
      expect(forecast).toContain(`To have room, ${half}${WAYS}\n`);
      const refusal = stderr.replace(forecast as string, "");
      expect(refusal).toMatch(REFUSAL);
      expect(refusal).toContain(`To go on, ${BY_MEMORY}${half}${WAYS}\n`);
      const written = readFileSync(out, "utf8");
      expect(written.length).toBeGreaterThan(1_000_000);
      expect(LINES.join("").startsWith(written)).toBe(true);
      expect(written.endsWith("\n")).toBe(true);
    }
  },
);

test("a pipe has no forecast, and its output ends with a whole line", async () => {
  const { code, stdout, stderr } = await runCli(["dedupe", "--threads", "1"], LINES.join(""));
  expect([code, stderr]).toEqual([1, expect.stringMatching(REFUSAL)]);
  expect(stderr).not.toMatch(FORECAST);
  expect(stdout.length).toBeGreaterThan(1_000_000);
  expect(LINES.join("").startsWith(stdout)).toBe(true);
  expect(stdout.endsWith("\n")).toBe(true);
});

test("a forecast refuses nothing: a list whose end only repeats its beginning has room", async () => {
  const first = LINES.slice(0, 200_000).join("");
  writeFileSync(list, first.repeat(2));
  const { code, stderr } = await runCli(["dedupe", "--threads", "1", list, "-o", out]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(FORECAST)]);
  expect(readFileSync(out, "utf8")).toBe(first);
});

test("threads that have no room leave a run on one, which finishes what it can", async () => {
  writeFileSync(list, LINES.slice(0, 100_000).join(""));
  const { code, stderr } = await runCli(["dedupe", "--threads", "4", list, "-o", out]);
  expect([code, stderr]).toEqual([
    0,
    "urlmill: 1 thread in place of 4: memory has no room for more\n",
  ]);
  expect(readFileSync(out, "utf8")).toBe(LINES.slice(0, 100_000).join(""));
});
