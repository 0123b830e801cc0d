import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runProcess, runShell } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { type KeptRow, someRows } from "../shared/kept.ts";
import { atLength, IS_LONG, sampleOf, shareOf } from "../shared/length.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();

/** The least memory: 20,000 lines do not fit, and a pipe has no size that is known. */
const SMALL = ["--memory", "1M"];
const LINES = atLength(20_000, 40_000);

const urlOf = ({ url }: KeptRow): string => url.replace(" ", "");

interface FormatCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly header?: string;
  readonly write: (row: KeptRow) => string;
}

const FORMATS: readonly FormatCase[] = [
  { name: "lines", args: [], write: ({ url }) => `${url}\n` },
  { name: "lines to NUL", args: ["-z"], write: ({ url }) => `${url}\0` },
  {
    name: "tsv",
    args: ["--format", "tsv", "--field", "2"],
    write: ({ url, id }) => `${id % 3}\t${url}\n`,
  },
  {
    name: "csv with line ends in fields",
    args: ["--format", "csv", "--header", "--field", "url"],
    header: "n,url\r\n",
    write: ({ url, id }) => `"a\n""${id % 3}",${url}\r\n`,
  },
  {
    name: "jsonl",
    args: ["--format", "jsonl", "--field", "page.url"],
    write: ({ url, id }) => `{"id":${id % 3},"page":{"url":${JSON.stringify(url)}}}\n`,
  },
  {
    name: "cdxj",
    args: ["--format", "cdxj"],
    write: (row) => `key 2024 {"url":"${urlOf(row)}","id":${row.id % 3}}\n`,
  },
  {
    name: "cdx",
    args: ["--format", "cdx"],
    header: " CDX N b a m s k S\n",
    write: (row) => `key 2024 ${urlOf(row)} text/html 200 ${row.id % 3} 9\n`,
  },
];

const FLAGS = [
  [],
  ["--bits", "64"],
  ["--on-error", "empty"],
  ["--emit", "normalized", "--threads", "2"],
  ["--emit", "both"],
  ["--base", "http://base/"],
];

const listOf = ({ header = "", write }: FormatCase, rows: readonly KeptRow[]): Buffer =>
  Buffer.from(header + rows.map(write).join(""), "latin1");

/** A list of lines that come again in other spellings, with lines that are not URLs. */
function lines(count = LINES): string {
  const write = (at: number): string => {
    const page = (at * 7919) % Math.ceil(count / 2);
    if (at % 10 === 0) return `not a URL ${page}`;
    return at % 3 === 0 ? `HTTP://Example.com/${page}#x` : `http://example.com/${page}`;
  };
  return Array.from({ length: count }, (_, at) => `${write(at)}\n`).join("");
}

/** The counts of --stats that do not depend on time. */
function countsIn(stderr: string): Record<string, unknown> {
  const {
    seconds: _,
    linesPerSecond: __,
    temporaryBytes: ___,
    ...counts
  } = JSON.parse(stderr.split("\n").at(-2) as string);
  return counts;
}

describe.each(ENGINES)("urlmill dedupe --memory, --engine %s", (engine) => {
  const dedupe = (args: readonly string[], input: string | Uint8Array = "") =>
    runCli(["dedupe", "--engine", engine, ...args], input);

  test.each(shareOf(FORMATS, engine))(
    "writes the same bytes as in memory: $name",
    async (format) => {
      const list = listOf(format, someRows(11, 1000, 300));
      // In short runs, each format takes other flags.
      const own = FORMATS.indexOf(format);
      for (const flags of FLAGS.filter((_, at) => IS_LONG || (at + own) % FLAGS.length === 0)) {
        const args = [...format.args, ...flags, "--stats"];
        const expected = await dedupe(args, list);
        const { code, stdout, stderr } = await dedupe([...args, ...SMALL], list);
        expect([code, stdout], flags.join(" ")).toEqual([0, expected.stdout]);
        expect(countsIn(stderr)).toEqual(countsIn(expected.stderr));
      }
    },
  );

  test.runIf(IS_LONG || engine === "wasm")(
    "writes the same files, for any number of threads",
    async () => {
      writeFileSync(path("list"), lines());
      writeFileSync(path("blocked"), "http://example.com/1\n");
      const run = async (name: string, flags: readonly string[]) => {
        const outputs = ["-o", path(`${name}.gz`), "--errors", path(`${name}.errors`)];
        const lists = ["--map", path(`${name}.map`), "--block", path("blocked"), "--stats"];
        const { code, stderr } = await dedupe([...outputs, ...lists, ...flags, path("list")]);
        expect(code).toBe(0);
        return [
          gunzipSync(readFileSync(path(`${name}.gz`))).toString(),
          readFileSync(path(`${name}.errors`), "utf8"),
          readFileSync(path(`${name}.map`), "utf8"),
          { ...countsIn(stderr), threads: 0 },
        ];
      };
      const expected = await run("expected", ["--threads", "1"]);
      for (const threads of atLength(["2"], ["3", "1"])) {
        const found = await run("found", [...SMALL, "--threads", threads]);
        expect(found).toEqual(expected);
      }
    },
  );

  test.runIf(IS_LONG || engine === "js")(
    "copies lines of files as in memory, whatever they are",
    async () => {
      const odd = [
        "\n",
        "\r\n",
        "x\n",
        "\n".repeat(atLength(10_000, 300_000)),
        `http://a/${"y".repeat(70_000)}\n`,
      ];
      const some = atLength(3000, 9000);
      writeFileSync(path("bom"), `\ufeff${lines(some)}${odd.join("")}`);
      writeFileSync(path("crlf"), lines(some).replaceAll("\n", "\r\n"));
      writeFileSync(path("open"), `${lines(atLength(12_000, 30_000))}${odd.join("")}http://last/`);
      writeFileSync(path("empty"), "");
      writeFileSync(path("blocked"), "http://example.com/1\n");
      const files = ["bom", "empty", "crlf", "open", "bom"].map(path);
      const choices = [["--block", path("blocked")], ["--on-error", "empty"], []];
      for (const flags of shareOf(choices, engine, 3)) {
        const run = async (more: readonly string[]) => {
          const args = [...flags, ...more, "--stats", "-o", path("out"), ...files];
          const { code, stderr } = await dedupe(args);
          return [code, readFileSync(path("out"), "latin1"), { ...countsIn(stderr), threads: 0 }];
        };
        expect(await run(SMALL)).toEqual(await run([]));
      }
    },
  );

  test.runIf(IS_LONG || engine === "wasm")(
    "reads compressed files, several files, and a line over the limit",
    async () => {
      const long = `http://a/${"x".repeat(atLength(1_100_000, 3_000_000))}\n`;
      writeFileSync(path("one.gz"), gzipSync(lines(3000)));
      writeFileSync(path("two"), long + lines(4000) + long);
      const files = [path("one.gz"), path("two"), path("one.gz")];
      const expected = await dedupe(files);
      expect((await dedupe([...SMALL, ...files])).stdout).toBe(expected.stdout);
    },
  );

  test("compares by other keys", async () => {
    for (const form of shareOf(["surt", "crawlee"], engine)) {
      const expected = await dedupe(["--form", form], lines(3000));
      const { stdout } = await dedupe(["--form", form, ...SMALL], lines(3000));
      expect(stdout).toBe(expected.stdout);
    }
  });

  test.runIf(IS_LONG || engine === "js")("writes nothing if --on-error fail stops it", async () => {
    writeFileSync(path("list"), lines());
    const args = ["--on-error", "fail", ...SMALL, path("list")];
    const { code, stdout, stderr } = await dedupe(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("line 1 is not a URL (NO_SCHEME)");
  });
});

describe("urlmill dedupe --memory", () => {
  beforeEach(() => mkdirSync(path("temporary")));
  const temporary = () => readdirSync(path("temporary"));

  const children: ReturnType<typeof spawn>[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  test.runIf(process.platform === "linux")(
    "needs a temporary file only for keys that will not fit",
    async () => {
      writeFileSync(path("few"), lines(2000));
      writeFileSync(path("many"), lines());
      const flags = ["--tmp", "/proc", ...SMALL]; // a folder in which nothing can be made
      expect((await runCli(["dedupe", ...flags, path("few")])).code).toBe(0);
      expect((await runCli(["dedupe", ...flags, "--memory", "64M", path("many")])).code).toBe(0);
      const { code, stderr } = await runCli(["dedupe", ...flags, path("many")]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /cannot make a temporary file in \/proc: .*; name another folder with --tmp/,
      );
    },
  );

  test("takes --tmp for the rest of a pipe, and leaves nothing there", async () => {
    const args = ["dedupe", "--quiet", "--tmp", path("temporary"), ...SMALL];
    const missing = { TMPDIR: path("missing") };
    const result = await runProcess(args, lines(), missing);
    const { stdout } = await runCli(["dedupe"], lines());
    expect(result).toEqual({ code: 0, stdout, stderr: "" });
    expect(temporary()).toEqual([]);
  });

  test("ends with what it needs where the temporary folder is full", () => {
    writeFileSync(path("list"), lines());
    // A limit on the size of files is to a program what a full disk is.
    const script = `ulimit -f 8; urlmill dedupe --tmp temporary --memory 1M list`;
    const { code, stdout, stderr } = runShell(script, path(""));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /cannot write a temporary file in temporary: .*; the keys (?:need about|took) \d+\.\d MB.*--tmp/,
    );
    expect(temporary()).toEqual([]);
  });

  test.each(sampleOf(["SIGKILL", "SIGTERM"] as const, 2))(
    "has no file in the temporary folder while it runs, nor after %s",
    async (signal) => {
      writeFileSync(path("list"), lines(atLength(60_000, 200_000)));
      const args = ["dedupe", "--tmp", path("temporary"), ...SMALL, path("list")];
      const child = spawn(process.execPath, [CLI_PATH, ...args], { stdio: "pipe" });
      children.push(child);
      await once(child.stdout, "readable"); // the keys were written, and nobody reads the rest
      expect(temporary()).toEqual([]);
      child.kill(signal);
      const [code, by] = await once(child, "exit");
      expect([code, by]).toEqual(signal === "SIGTERM" ? [143, null] : [null, "SIGKILL"]);
      expect(temporary()).toEqual([]);
    },
  );

  test.each([
    [["--memory", "12"], "--memory is a size from 1M on"],
    [["--memory", "1T"], "--memory is a size from 1M on"],
    [["--memory", "1M", "--flush"], "--flush answers each line at once"],
    [
      ["--memory", "1M", "--page-aliases", "/dev/null", "--shadow", "s"],
      "--shadow lists lines at once",
    ],
  ])("refuses %j", async (flags, message) => {
    const { code, stdout, stderr } = await runCli(["dedupe", ...flags], "http://a/\n");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  test("refuses a set of earlier runs that does not fit, before anything is written", async () => {
    writeFileSync(path("list"), lines(40_000));
    const flags = ["--seen", path("keys"), "-o", path("out")];
    expect((await runCli(["dedupe", ...flags, path("list")])).code).toBe(0);
    writeFileSync(path("out"), "as it was");
    const { code, stderr } = await runCli(["dedupe", ...flags, ...SMALL, path("list")]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^urlmill: the set of --seen .* does not fit in memory .*: urlmill seen convert .* --store disk\n$/,
      ),
    ]);
    expect(readFileSync(path("out"), "utf8")).toBe("as it was");
  });

  test.each(["1048576", "1024K", "1M", "1m", "1G"])("takes the size %s", async (size) => {
    const { code, stdout } = await runCli(["dedupe", "--memory", size], "http://a/\nhttp://a\n");
    expect([code, stdout]).toEqual([0, "http://a/\n"]);
  });
});
