// At full length only: it waits for a terminal or a pipe.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { CLI_PATH, runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const children: Child[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A command that stays open, and is asked block after block. */
class Partner {
  readonly #child: Child;
  #answer = "";

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [CLI_PATH, ...args], { stdio: "pipe" });
    children.push(this.#child);
    this.#child.stdout.setEncoding("latin1").on("data", (text: string) => {
      this.#answer += text;
    });
  }

  /** Writes a block, and returns the answer when it has as many lines; the input stays open. */
  async ask(block: string): Promise<string> {
    const lines = block.split("\n").length - 1;
    this.#child.stdin.write(block, "latin1");
    while (this.#answer.split("\n").length - 1 < lines) await once(this.#child.stdout, "data");
    const answer = this.#answer;
    this.#answer = "";
    return answer;
  }

  async end(): Promise<number | null> {
    this.#child.stdin.end();
    const [code] = (await once(this.#child, "close")) as [number | null];
    return code;
  }
}

const SIZES = [1, 1, 2, 700, 1, 20_000, 3];

function block(round: number, lines: number): string {
  return Array.from({ length: lines }, (_, line) => `HTTP://A.com/${round}/./${line}\n`).join("");
}

const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ["on one thread", ["--threads", "1"]],
  ["on two threads", ["--threads", "2"]],
  ["in JavaScript", ["--engine", "js"]],
  ["as TSVRaw", ["--format", "TSVRaw", "--field", "1", "--threads", "2"]],
  ["as TabSeparated", ["--format", "TabSeparated", "--field", "1"]],
];

describe.each(sampleOf(WAYS, 2))("normalize --flush %s", (_, flags) => {
  test("answers each block whole before the next one comes", async () => {
    const partner = new Partner(["normalize", "--flush", ...flags]);
    for (const [round, lines] of SIZES.entries()) {
      const asked = block(round, lines);
      const expected = asked.replaceAll("HTTP://A.com", "http://a.com").replaceAll("/./", "/");
      expect(await partner.ask(asked)).toBe(expected);
    }
    expect(await partner.end()).toBe(0);
  });
});

test.each(sampleOf(["\n", "a\n", "7z\n", "PK\n"], 2))(
  "normalize answers %j, which is shorter than what tells a compression",
  async (line) => {
    const partner = new Partner(["normalize", "--flush"]);
    expect(await partner.ask(line)).toBe(line);
    expect(await partner.ask("http://b.com\n")).toBe("http://b.com/\n");
    expect(await partner.end()).toBe(0);
  },
);

test("dedupe --flush writes a new line before the next one comes", async () => {
  const partner = new Partner(["dedupe", "--flush"]);
  expect(await partner.ask("http://a/1\n")).toBe("http://a/1\n");
  expect(await partner.ask("http://a/2\n")).toBe("http://a/2\n");
  expect(await partner.end()).toBe(0);
});

test.each([
  [["-o", "out.gz"], "--flush has no effect on out.gz, because a compressor holds lines back"],
  [["--format", "parquet"], "--flush is for lines: Parquet is written row group by row group"],
])("--flush is refused with %j", async (flags, message) => {
  const { code, stderr } = await runCli(["normalize", "--flush", ...flags]);
  expect({ code, isNamed: stderr.includes(message) }).toEqual({ code: 2, isNamed: true });
});
