import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runProcess } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, IS_LONG, sampleOf } from "../shared/length.ts";
import { PATIENTLY } from "../shared/patiently.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const ROUNDS = atLength(1, 6);
const ROUND_LINES = atLength(26_000, 50_000);

// More than two chunks of 1 MiB, with queries that differ and lines that do not.
const corpus = linesOf(readCorpus())
  .slice(0, ROUND_LINES)
  .map((line) => `${line}\n`)
  .join("");
const rounds = Array.from({ length: ROUNDS }, (_, round) =>
  corpus.replaceAll(/\?.*/g, (query) => `${query}${round}`),
);
const lines = Buffer.from(rounds.join(""), "latin1");
const list = Buffer.concat([
  lines,
  Buffer.from(`nothing\r\n${"x".repeat(2_000_000)}\nhttp://last/`),
]);

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const input = path("list.txt");
writeFileSync(input, list);

describe.each(["normalize", "dedupe"])("urlmill %s --threads", (command) => {
  /** Runs of both commands write, replace workers, count and hear of interrupts in one way. Short runs try it with one of them. */
  const isSampled = IS_LONG || command === "dedupe";

  test.runIf(isSampled)(
    "writes the same file for any number, on both engines, from a file and from a pipe",
    async () => {
      const files: string[] = [];
      const runs = ENGINES.flatMap((engine) =>
        (["1", "2", "4"] as const).map((threads) => [engine, threads] as const),
      );
      for (const [engine, threads] of sampleOf(runs, 4)) {
        const out = path(`${command}-${engine}-${threads}`);
        const args = ["--preset", "crawl", "--threads", threads, "--engine", engine, "-o", out];
        const errors = `${out}.errors`;
        files.push(out);
        const fromPipe = threads === atLength("2", "4");
        const result = await runCli(
          [command, ...args, "--errors", errors, ...(fromPipe ? [] : [input])],
          fromPipe ? list : "",
        );
        expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
      }
      const first = readFileSync(files[0] as string);
      const firstErrors = readFileSync(`${files[0]}.errors`);
      for (const file of files) {
        expect(Buffer.compare(readFileSync(file), first), file).toBe(0);
        expect(Buffer.compare(readFileSync(`${file}.errors`), firstErrors), file).toBe(0);
      }
    },
    240_000,
  );

  test.runIf(isSampled)(
    "counts the same for any number",
    async () => {
      const stats = [];
      for (const threads of ["1", atLength("2", "3")]) {
        const { stderr } = await runCli([
          command,
          "--threads",
          threads,
          "--stats",
          "-o",
          "/dev/null",
          input,
        ]);
        const { seconds, linesPerSecond, threads: used, ...counts } = JSON.parse(stderr);
        expect(used).toBe(Number(threads));
        expect(seconds * linesPerSecond).toBeGreaterThan(0);
        stats.push(counts);
      }
      expect(stats[0]).toEqual(stats[1]);
      expect(stats[0].lines).toBe(ROUND_LINES * ROUNDS + 3);
      expect(stats[0].bytesIn).toBe(list.length);
    },
    120_000,
  );

  test.runIf(isSampled)(
    "replaces a worker that dies, and writes the same file",
    async () => {
      const args = [command, "--preset", "crawl", "--threads", "2", "-o"];
      await runCli([...args, path("undisturbed"), input]);
      // Workers get chunks of a pipe one by one. The first worker dies when it would answer its first chunk.
      const death = `
      import { isMainThread, MessagePort, parentPort, threadId } from "node:worker_threads";
      const answer = MessagePort.prototype.postMessage;
      if (threadId === 1) MessagePort.prototype.postMessage = function (...message) {
        if (this !== parentPort) process.exit(1);
        answer.apply(this, message);
      };
      let started = 0;
      process.on("worker", () => started++);
      if (isMainThread) process.on("exit", () => process.stderr.write(started + " started"));`;
      const preload = `data:text/javascript,${encodeURIComponent(death)}`;
      const out = path("disturbed");
      const result = await runProcess([...args, out], list, {
        NODE_OPTIONS: `--import ${preload}`,
      });
      expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/3 started$/) });
      expect(Buffer.compare(readFileSync(out), readFileSync(path("undisturbed")))).toBe(0);
    },
    60_000,
  );

  const isHeard = isSampled && process.platform !== "win32";
  test.runIf(isHeard)("ends with a whole line when interrupted", async () => {
    const out = path(`${command}-interrupted`);
    const args = [PATIENTLY, CLI_PATH, command, "--threads", "2", "-o", out];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.stdin.on("error", () => {});
    const closed = once(child, "close");
    // Without the long line, which an interrupt may cut.
    child.stdin.write(lines);
    while (readFileSync(out, { flag: "a+" }).length === 0) await sleep(10);
    child.kill("SIGINT");
    const [code] = await closed;
    expect({ code, complaint }).toEqual({
      code: 130,
      complaint: `urlmill: interrupted; what is written ends with a whole line; --append ${out} goes on after it\n`,
    });
    const written = readFileSync(out);
    child.stdin.destroy();
    expect(written.length).toBeGreaterThan(0);
    expect(written.at(-1)).toBe(0x0a);
  });

  test.runIf(isHeard).each(
    sampleOf(
      [
        ["silent from the start", ""],
        ["silent after a line", "http://a.com/\n"],
      ] as const,
      2,
    ),
  )("is interrupted while its input is %s", async (_, input) => {
    // A run begins at once if it need not look at its input for the format.
    const lines = ["--format", "lines", "--progress"];
    const child = spawn(process.execPath, [CLI_PATH, command, ...lines], { stdio: "pipe" });
    const closed = once(child, "close");
    child.stdin.write(input);
    // Progress is shown from when the run has begun.
    await once(input === "" ? child.stderr : child.stdout, "data");
    child.kill("SIGINT");
    expect((await closed)[0]).toBe(130);
  });
});
