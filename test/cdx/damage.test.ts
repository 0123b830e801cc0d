// At full length only: it damages files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runShell } from "../shared/cli.ts";
import { atLength, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { capture, captures, sorted } from "./lines.ts";

let here = "";
const path = (name: string): string => join(here, name);
beforeEach(() => {
  here = tempFolder();
  mkdirSync(path("tmp"));
});

const LINES = captures(20_000);
const OLD = "what was there before\n";

/** Writes an input, and an output that was there before. */
function write(content: string | Uint8Array): void {
  writeFileSync(path("in.cdx"), content);
  writeFileSync(path("out.cdx"), OLD);
}

/** Expects that the old output is as it was, and that there is no other file. */
function expectUntouched(): void {
  expect(readFileSync(path("out.cdx"), "latin1")).toBe(OLD);
  expect(readdirSync(here).toSorted()).toEqual(["in.cdx", "out.cdx", "tmp"]);
  expect(readdirSync(path("tmp"))).toEqual([]);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const COMMANDS = [
  ["sort", ["sort", "--memory", "1M", "--tmp", "tmp"]],
  ["merge", ["merge"]],
  ["rekey", ["rekey", "--memory", "1M", "--tmp", "tmp"]],
] as const;

describe.each(COMMANDS)("cdx %s", (name, command) => {
  const text = name === "merge" ? sorted(LINES) : LINES;
  const run = (...args: string[]) =>
    runShell(`urlmill cdx ${[...command, "in.cdx", ...args].join(" ")}`, here);

  test("a compressed file that is cut off is refused", () => {
    write(gzipSync(text).subarray(0, -1000));
    const { code, stderr } = run("-o", "out.cdx");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^urlmill: cannot read in.cdx: its compressed data end too early$/m),
    ]);
    expectUntouched();
  });

  test("a compressed file with a changed byte is refused", () => {
    const bytes = gzipSync(text);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0x10;
    write(bytes);
    expect(run("-o", "out.cdx").code).toBe(1);
    expectUntouched();
  });

  test.runIf(process.platform === "linux")("a full disk is said, and nothing is left", () => {
    write(text);
    const { code, stderr } = run("-o", "/dev/full");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^urlmill: cannot write \/dev\/full: the disk is full$/m);
    expectUntouched();
  });

  test("an output that may not grow leaves what was there before", () => {
    write(text);
    const { code, stderr } = runShell(
      `trap '' XFSZ; ulimit -f 512; urlmill cdx ${command.filter((arg) => !/^-|tmp|1M/.test(arg)).join(" ")} in.cdx -o out.cdx`,
      here,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot write out.cdx: ")]);
    expectUntouched();
  });

  // Another signal for each command.
  const [signal] = SIGNALS.slice(COMMANDS.findIndex(([other]) => other === name));
  test.each(atLength([signal as (typeof SIGNALS)[number]], [...SIGNALS]))(
    "after %s the file that was there before is as it was",
    async (signal) => {
      write(text);
      const file = path("out.cdx");
      // The second input never ends.
      const child = spawn(
        process.execPath,
        [CLI_PATH, "cdx", ...command, "in.cdx", "-", "-o", file],
        { cwd: here, stdio: ["pipe", "ignore", "pipe"] },
      );
      child.stdin.on("error", () => {});
      child.stdin.write(sorted(text));
      await new Promise((resolve) => child.stdin.write(capture("zzz").repeat(30_000), resolve));
      child.kill(signal);
      await once(child, "close");
      expect(readFileSync(file, "latin1")).toBe(OLD);
      if (signal !== "SIGKILL") expectUntouched();
    },
  );
});

test("a temporary file that may not grow is said, and nothing is left", () => {
  write(LINES);
  const { code, stderr } = runShell(
    "trap '' XFSZ; ulimit -f 512; urlmill cdx sort --memory 1M --tmp tmp in.cdx -o out.cdx",
    here,
  );
  expect(code).toBe(1);
  expect(stderr).toContain("cannot write a temporary file in tmp: ");
  expectUntouched();
});

test("a folder for temporary files that is not there is said", async () => {
  write(LINES);
  const args = ["--memory", "1M", "--tmp", path("none"), path("in.cdx")];
  const { code, stderr } = await runCli(["cdx", "sort", ...args]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot make a temporary file in ")]);
});

testAtLength("a line of 100 MB is sorted as any other", async () => {
  const lines = [capture("b"), capture(`c${"x".repeat(100_000_000)}`), capture("a")];
  write(lines.join(""));
  for (const memory of ["1M", "512M"]) {
    const sort = await runCli(["cdx", "sort", "--memory", memory, path("in.cdx")]);
    expect(sort.stdout === sorted(lines.join(""))).toBe(true);
  }
  writeFileSync(path("in.cdx"), sorted(lines.join("")));
  const merged = await runCli(["cdx", "merge", "--memory", "1M", path("in.cdx"), path("in.cdx")]);
  expect(merged.stdout === sorted(lines.join("").repeat(2))).toBe(true);
});
