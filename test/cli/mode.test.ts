import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { DEDUPE } from "../../src/cli/flags/filter-commands.ts";
import { parseFlags } from "../../src/cli/flags/parse-flags.ts";
import { readOptions } from "../../src/cli/options.ts";
import { InputPeek } from "../../src/io/input-peek.ts";
import type { LineOptions } from "../../src/runs/call/options.ts";
import { chooseMode } from "../../src/runs/mode.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
writeFileSync(path("list"), "http://a/\n");
writeFileSync(path("marked"), "\ufeffhttp://a/\n");
writeFileSync(path("list.gz"), gzipSync("http://a/\n"));
writeFileSync(path("utf16"), Buffer.from("http://a/\n", "utf16le"));
mkdirSync(path("folder"));

/** The mode of a command, whose words are files of the folder where they begin with a dot and a slash. */
async function modeOf(command: string, isFast = true, engine: "wasm" | "js" = "wasm") {
  const args = command.split(" ").map((word) => word.replace(/^\.\//, `${folder}/`));
  const withFormat = args.includes("--format") ? args : ["--format", "lines", ...args];
  const options = await readOptions("dedupe", parseFlags(DEDUPE, withFormat), new InputPeek());
  return chooseMode(options as LineOptions, isFast, engine);
}

describe("a run takes the direct mode", () => {
  test.each([
    "-o ./new ./list",
    "-o ./there ./list ./list",
    "-o ./new --bits 64 --stats --errors ./errors ./list",
  ])("from files to a file: %s", async (command) => {
    writeFileSync(path("there"), "x");
    await expect(modeOf(command)).resolves.toMatchObject({
      files: expect.arrayContaining([{ name: path("list"), begin: 0, end: 10, bytes: 10 }]),
    });
  });

  test("after a byte order mark", async () => {
    const files = [{ name: path("marked"), begin: 3, end: 13, bytes: 13 }];
    await expect(modeOf("-o ./new ./marked")).resolves.toEqual({ files, places: null });
  });
});

describe("a run takes the direct mode for records", () => {
  test.each([
    ["--format jsonl", '{"url":"http://a/"}\n', null],
    ["--emit both", "http://a/\n", null],
    ["--base http://a/ --emit both", "b\n", null],
    ["--format tsv --field url", "id\turl\n1\thttp://a/\n", "id\turl"],
    ["--format csv --field 1", '"a\nb"', null],
    ["--format csv --field url", '"i\nd",url\n1,http://a/\n', '"i\nd",url'],
    ["--format TabSeparated --field 1", "a\\\nb", null],
    ["--format cdx", " CDX N b a\n", " CDX N b a"],
  ])("from a file to a file: %s", async (flags, text, header) => {
    writeFileSync(path("records"), text);
    const places = [{ first: { header: null, isStart: true }, rest: { header, isStart: false } }];
    await expect(modeOf(`${flags} -o ./new ./records`, false)).resolves.toMatchObject({ places });
  });

  test.each(["--base http://a/", "--map ./map"])("that are lines: %s", async (flags) => {
    const rest = { header: null, isStart: false };
    const places = [{ first: { header: null, isStart: true }, rest }];
    await expect(modeOf(`${flags} -o ./new ./list`)).resolves.toMatchObject({ places });
  });
});

describe("a run takes the chunked mode", () => {
  test.each([
    ["--errors ./new.gz -o ./new ./list", "a pipe or a compressor is written by a stream"],
    ["--map ./map.gz -o ./new ./list", "a pipe or a compressor is written by a stream"],
    ["--report ./page -o ./new ./list", "groups of merged lines are counted by one thread"],
    ["--seen ./keys -o ./new ./list", "keys are recorded after their lines are written"],
    ["-o ./new.gz ./list", "a pipe or a compressor is written by a stream"],
    ["-o ./new.zst ./list", "a pipe or a compressor is written by a stream"],
    ["-o ./folder ./list", "a pipe or a compressor is written by a stream"],
    ["-o /dev/null ./list", "a pipe or a compressor is written by a stream"],
    ["-o /dev/fd/99 ./list", "a pipe or a compressor is written by a stream"],
    ["-o ./new -", "an input cannot be read at any place"],
    ["-o ./new ./list -", "an input cannot be read at any place"],
    ["-o ./new ./list.gz", "an input cannot be read at any place"],
    ["-o ./new ./utf16", "an input cannot be read at any place"],
    ["-o ./new ./missing", "an input cannot be read at any place"],
  ])("and says why: %s", async (command, chunked) => {
    await expect(modeOf(command)).resolves.toEqual({ chunked });
  });

  test.runIf(process.platform === "linux")("from a file that the system makes", async () => {
    await expect(modeOf("-o ./new /proc/version")).resolves.toEqual({
      chunked: "an input cannot be read at any place",
    });
  });

  test("where JavaScript normalizes", async () => {
    await expect(modeOf("-o ./new ./list", true, "js")).resolves.toEqual({
      chunked: "it keeps chunks in the memory of kernels",
    });
  });

  test("where records are parts of a document", async () => {
    const chunked = "its records are not lines";
    await expect(modeOf("--format sitemap -o ./new ./list", false)).resolves.toEqual({ chunked });
  });

  test("where it stops at the first error", async () => {
    const chunked = "it stops at the first error";
    await expect(modeOf("--on-error fail -o ./new ./list", false)).resolves.toEqual({ chunked });
  });

  test("where a file does not begin with a whole record", async () => {
    writeFileSync(path("blank"), "\n\n");
    const chunked = "a file does not begin with a whole record";
    await expect(modeOf("--format tsv --header -o ./new ./blank", false)).resolves.toEqual({
      chunked,
    });
  });

  test.runIf(process.platform !== "win32")("from and to named pipes", async () => {
    execFileSync("mkfifo", [path("pipe")]);
    symlinkSync(path("pipe"), path("link"));
    const to = "a pipe or a compressor is written by a stream";
    await expect(modeOf("-o ./pipe ./list")).resolves.toEqual({ chunked: to });
    await expect(modeOf("-o ./link ./list")).resolves.toEqual({ chunked: to });
    const from = "an input cannot be read at any place";
    await expect(modeOf("-o ./new ./pipe")).resolves.toEqual({ chunked: from }); // without waiting for a writer
  });
});
