// At full length only: it needs lists larger than memory.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { someRows } from "../shared/kept.ts";
import { FORMATS, type FormatCase, listOf, written } from "../shared/kept-formats.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** The least memory, which has no room for the keys of so many rows. */
const SMALL = ["--memory", "1M"];
const ROWS = atLength(20_000, 25_000);
const KEYS = 12_000;

writeFileSync(path("blocked"), "h7\nh8\n=h11\n");

const LIST = someRows(1, ROWS, KEYS);
const KINDS = { list: LIST, zipped: LIST, other: someRows(2, 2000, KEYS) } as const;

/** Returns the path of a list in the format of a number. It is written when it is first asked for. */
function listFile(kind: keyof typeof KINDS, at: number): string {
  const file = path(kind === "zipped" ? `${kind}-${at}.gz` : `${kind}-${at}`);
  if (existsSync(file)) return file;
  const format = FORMATS[at] as FormatCase;
  const text = listOf(format, written(format, KINDS[kind]));
  const bytes = Buffer.from(text, "latin1");
  writeFileSync(file, kind === "zipped" ? gzipSync(bytes) : bytes);
  return file;
}

/** What a run writes, to standard output, to files and to a set. */
interface Written {
  readonly code: number | null;
  readonly stdout: string;
  readonly counts: unknown;
  readonly files: readonly (string | null)[];
}

/** The flags of a run of a format. `at`: its number. `name`: names the files of the run. */
type FlagsOf = (format: FormatCase, at: number, name: string) => readonly string[];

const byValue = ({ column }: FormatCase, which: string): string[] =>
  column === undefined ? ["--keep", "last"] : ["--keep", `${which}:${column}`];

const FLAGS: readonly (readonly [string, FlagsOf])[] = [
  ["first", () => []],
  ["last", () => ["--keep", "last"]],
  ["max", (format) => byValue(format, "max")],
  ["min, counted", (format) => [...byValue(format, "min"), "-c"]],
  ["counted", () => ["-c"]],
  ["repeated", () => ["-d"]],
  ["repeated and counted, the last", () => ["-d", "-c", "--keep", "last"]],
  ["excluded", (_, at) => ["--exclude", listFile("other", at)]],
  [
    "excluded, the last, counted",
    (_, at) => ["--exclude", listFile("other", at), "-c", "--keep", "last"],
  ],
  [
    "excluded, the greatest",
    (format, at) => ["--exclude", listFile("other", at), ...byValue(format, "max")],
  ],
  ["seen", (_, __, name) => ["--seen", path(`${name}.seen`)]],
  ["seen, repeated", (_, __, name) => ["--seen", path(`${name}.seen`), "-d"]],
  [
    "seen and excluded",
    (_, at, name) => ["--seen", path(`${name}.seen`), "--exclude", listFile("other", at)],
  ],
  ["seen in LMDB", (_, __, name) => ["--seen", path(`${name}.seen`), "--store", "lmdb"]],
  [
    "seen on disk, repeated and counted, the last",
    (_, __, name) => [
      ...["--seen", path(`${name}.seen`), "--store", "disk"],
      ...["-d", "-c", "--keep", "last"],
    ],
  ],
  [
    "seen on disk and excluded",
    (_, at, name) => [
      ...["--seen", path(`${name}.seen`), "--store", "disk"],
      ...["--exclude", listFile("other", at)],
    ],
  ],
  ["listed", (_, __, name) => ["--errors", path(`${name}.errors`), "--map", path(`${name}.map`)]],
  [
    "the last, listed",
    (_, __, name) => [
      "--keep",
      "last",
      "--map",
      path(`${name}.map`),
      "--errors",
      path(`${name}.errors`),
    ],
  ],
  ["reported", (_, __, name) => ["--report", path(`${name}.html`)]],
  ["blocked", () => ["--block", path("blocked")]],
  ["normalized", () => ["--emit", "normalized"]],
  ["both, errors empty", () => ["--emit", "both", "--on-error", "empty"]],
  ["64 bits", () => ["--bits", "64", "-d"]],
  ["surt", () => ["--form", "surt", "--emit", "both"]],
  ["crawlee", () => ["--form", "crawlee"]],
];

const OUTPUTS = ["errors", "map", "html"];

/** Runs `dedupe`, with a set that an earlier run made. */
async function run(
  name: string,
  args: readonly string[],
  first: readonly string[],
): Promise<Written> {
  for (const end of [...OUTPUTS, "seen"])
    rmSync(path(`${name}.${end}`), { recursive: true, force: true });
  const store = args.includes("--store") ? args.slice(args.indexOf("--store")).slice(0, 2) : [];
  if (args.includes("--seen"))
    await runCli(["dedupe", "--seen", path(`${name}.seen`), ...store, ...first]);
  const { code, stdout, stderr } = await runCli(["dedupe", ...args, "--stats"]);
  const files = OUTPUTS.map((end) => textOf(path(`${name}.${end}`)));
  const {
    seconds: _,
    linesPerSecond: __,
    temporaryBytes: ___,
    ...counts
  } = JSON.parse(stderr.trim().split("\n").at(-1) as string);
  return { code, stdout, counts, files };
}

/** Returns the text of a file without its times and its names of files, or null. */
function textOf(file: string): string | null {
  if (!existsSync(file)) return null;
  return readFileSync(file, "latin1").replaceAll(/[\d.,]+ (?:s|k|M|seconds|lines\/s)\b/g, "");
}

const CASES = FORMATS.flatMap((format, at) =>
  FLAGS.map(([name, flagsOf]) => ({ name: `${format.name}, ${name}`, format, at, flagsOf })),
);

describe.each(ENGINES)("dedupe --memory, --engine %s", (engine) => {
  // The step has no factor in common with the number of flags, so none is met twice. An engine has every other case: the flags
  // of one are those of the other with the next format.
  const own = CASES.filter((_, at) => at % 2 === ENGINES.indexOf(engine));
  test.each(atLength(shareOf(sampleOf(CASES, 66), engine), own))(
    "writes what it does in memory: $name",
    async ({ format, at, flagsOf }) => {
      const runAs = (name: string, more: readonly string[]) => {
        const flags = [...format.args, "--engine", engine];
        const own = flagsOf(format, at, name);
        // A report has examples of each chunk, and how gzip is divided into chunks is a matter of time.
        const isPlain = at % 2 === 0 || own.includes("--report");
        const list = listFile(isPlain ? "list" : "zipped", at);
        const args = [...flags, ...own, ...more, list];
        const first = [...flags, "-o", "/dev/null", listFile("other", at)];
        return run(name, args, first);
      };
      const expected = await runAs("expected", []);
      expect(expected.code).toBe(0);
      expect(await runAs("found", SMALL)).toEqual(expected);
    },
    60_000,
  );
});

test.runIf(process.platform === "linux").each(sampleOf(FLAGS, 12))(
  "needs a temporary file: %s",
  async (_, flagsOf) => {
    const flags = flagsOf(FORMATS[0] as FormatCase, 0, "needed");
    const args = ["dedupe", ...flags, ...SMALL, "--tmp", "/proc", listFile("list", 0)];
    rmSync(path("needed.seen"), { recursive: true, force: true });
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot make a temporary file")]);
  },
);
