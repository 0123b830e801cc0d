import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
afterAll(() => rmSync(folder, { recursive: true }));
const list = join(folder, "list");
const out = join(folder, "out");
const { constrainedMemory } = process;
afterEach(() => {
  process.constrainedMemory = constrainedMemory;
});

const LINES = Array.from({ length: 400_000 }, (_, at) => `http://a/${at}\n`);
const WAYS = "divide the list by host and dedupe each part, or give the process more memory";

test.each([
  ["from a file to a file, on one thread", ["--threads", "1", list]],
  ["from a file to a file, on two threads", ["--threads", "2", list]],
  ["in the general way", ["--threads", "1", "--map", join(folder, "map"), list]],
])("a set that is full ends a run with whole lines and all ways out: %s", async (_, args) => {
  writeFileSync(list, LINES.join(""));
  process.constrainedMemory = () => 4 << 20;
  for (const [flags, half] of [
    [[], "use --bits 64, which takes half the memory; or "],
    [["--bits", "64"], ""],
  ] as const) {
    const { code, stderr } = await runCli(["dedupe", ...args, ...flags, "-o", out]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^urlmill: .+ What is written ends with a whole line\. To go on, .+\n$/);
    expect(stderr).toContain(`To go on, ${half}${WAYS}`);
    const written = readFileSync(out, "utf8");
    expect(LINES.join("").startsWith(written)).toBe(true);
    expect(written === "" || written.endsWith("\n")).toBe(true);
  }
});
