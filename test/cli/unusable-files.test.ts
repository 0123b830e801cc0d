// At full length only: it tries every command with files that it cannot read.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { flagsOf } from "../../src/cli/flags/command.ts";
import { COMMANDS } from "../../src/cli/flags/commands.ts";
import { LEARN_COMMANDS } from "../../src/cli/learn/commands.ts";
import { runCli, runShell } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const OLD = "what an earlier run wrote\n";

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(path("folder"), { recursive: true });
  writeFileSync(path("in.txt"), "HTTP://A/\nx\n");
  writeFileSync(path("in.csv"), "id,url\n1,HTTP://A/\n");
  writeFileSync(path("rules.tsv"), "#urlmill-rules 1\na.b\t*\tdrop x\n");
  writeFileSync(path("old"), OLD);
  writeFileSync(path("old.gz"), gzipSync(OLD));
});

/** Calls of each command that has flags for files. They end well without these flags. */
const CALLS: Readonly<Record<string, string>> = {
  normalize: "in.txt",
  dedupe: "in.txt",
  explain: "HTTP://A",
  plan: "",
  learn: "in.txt",
  "learn mine": "in.txt",
  "learn count": "in.txt --rules rules.tsv",
  "learn select": "in.txt",
  "learn plan": "in.txt --rules rules.tsv",
  "learn verdict": "in.txt",
  "learn import": "in.txt --from clean-param --site a.b",
  "learn export": "--to nutch --rules rules.tsv",
};
/** The flags that name a file to write, by command; every other FILE is read. */
const WRITTEN = ["output", "append", "errors", "map", "report", "shadow"];
const isWritten = (command: string, flag: string): boolean =>
  WRITTEN.includes(flag) || (command === "learn" && flag === "page-aliases");

/** They need a set, or a web archive: seen-stores.test.ts and learn-fingerprint.test.ts try them. */
const ELSEWHERE = ["dedupe key-of", "learn fingerprint output"];
const FLAGS = [...COMMANDS, ...Object.values(LEARN_COMMANDS)].flatMap((command) =>
  flagsOf(command)
    .filter(({ name }) => !ELSEWHERE.includes(`${command.name} ${name}`))
    .filter(({ value }) => value !== undefined && /^(?:FILE|DIR)/.test(value))
    .map((flag) => ({ command: command.name, flag: flag.name, isFolder: flag.value === "DIR" })),
);

/** Runs a call in which names of files are those of the folder. */
function run(command: string, args: readonly string[]) {
  const operands = (CALLS[command] as string).split(" ").filter((word) => word !== "");
  const named = operands.map((word) => (/\.(?:txt|tsv)$/.test(word) ? path(word) : word));
  return runCli([...command.split(" "), ...named, ...args]);
}

const READ = ["missing", "nodir/missing", "folder", "/proc/nope", "in.txt/x"];
const WRITE = ["nodir/missing", "folder", "/proc/nope", "in.txt/x"];
const KEPT = ["in.txt", "in.txt/x", "/proc/nope", "/proc/nope/x"];

describe.runIf(process.platform === "linux").each(FLAGS)(
  "$command --$flag",
  ({ command, flag, isFolder }) => {
    const names = isFolder ? KEPT : isWritten(command, flag) ? WRITE : READ;

    test.each(sampleOf(names, 2))(
      "refuses %s at once, in one line, before it writes anything",
      async (name) => {
        const value = name.startsWith("/") ? name : path(name);
        const files = readdirSync(folder).toSorted();
        const hasOut =
          flag !== "out" && FLAGS.some((each) => each.command === command && each.flag === "out");
        const out = hasOut ? ["-o", path("old")] : [];
        const rules = flag === "shadow" ? ["--rules", path("rules.tsv")] : [];
        const args = [...out, ...rules, `--${flag}`, value];
        const { code, stdout, stderr } = await run(command, args);
        expect([1, 2]).toContain(code);
        expect(stdout).toBe("");
        expect(stderr).toMatch(/^urlmill: .+\n$/);
        expect(stderr).toContain(value);
        expect(readFileSync(path("old"), "utf8")).toBe(OLD);
        expect(readdirSync(folder).toSorted()).toEqual(files);
      },
    );
  },
);

test("every command with flags for files is tried", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(
    [...new Set(FLAGS.map(({ command }) => command))].toSorted(),
  );
});

describe("a file of an earlier run", () => {
  test.each([
    ["a missing input", "normalize missing"],
    ["a folder as input", "dedupe folder"],
    ["a second input that is missing", "dedupe in.txt missing"],
    ["a column that is not there", "dedupe --format csv --header --field nope in.csv"],
    ["a list that is half of UTF-16", "normalize utf16.txt"],
    ["rules that are wrong", "normalize in.txt --rules in.txt"],
    ["a set of something else", "dedupe in.txt --seen in.txt"],
  ])("stays as it was after %s", async (_, call) => {
    writeFileSync(path("utf16.txt"), Buffer.from("\ufeffhttp://a/\ud800\n", "utf16le"));
    const args = call
      .split(" ")
      .map((word) =>
        existsSync(path(word)) || ["missing", "folder"].includes(word) ? path(word) : word,
      );
    for (const old of ["old", "old.gz"]) {
      const before = readFileSync(path(old));
      const { code } = await runCli([...args, "-o", path(old)]);
      expect([1, 2]).toContain(code);
      expect(readFileSync(path(old))).toEqual(before);
    }
  });

  test("stays as it was after a header from standard input that lacks the column", async () => {
    const flags = "dedupe --format csv --header --field nope".split(" ");
    expect((await runCli([...flags, "-o", path("old")], "a,b\n1,2\n")).code).toBe(2);
    expect(readFileSync(path("old"), "utf8")).toBe(OLD);
  });

  test("is empty after a run that writes nothing", async () => {
    for (const flags of [[], ["--map", path("map")]]) {
      writeFileSync(path("old"), OLD);
      expect((await runCli(["dedupe", ...flags, "-o", path("old")], "")).code).toBe(0);
      expect(readFileSync(path("old"), "utf8")).toBe("");
    }
  });
});

describe.runIf(process.platform === "linux")("standard output", () => {
  test.each(
    sampleOf(
      ["normalize in.txt", "dedupe in.txt", "presets crawl", "schema", "explain http://a"],
      2,
    ),
  )("that is closed is an error of %s", (call) => {
    const { code, stderr } = runShell(`urlmill ${call} >&-`, folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^urlmill: cannot write standard output: it is closed, .+\n$/);
  });

  test("may be closed where a file is named, and may be /dev/null", () => {
    expect(runShell("urlmill normalize in.txt -o out >&-", folder).code).toBe(0);
    expect(readFileSync(path("out"), "utf8")).toBe("http://a/\nx\n");
    expect(runShell("urlmill normalize in.txt >/dev/null", folder).code).toBe(0);
  });
});
