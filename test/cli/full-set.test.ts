// At full length only: it needs lists larger than memory.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { STORE_NAMES } from "../../src/seen/folder/store-names.ts";
import { takenBytes } from "../../src/threads/process-memory.ts";
import { type CliResult, runCli, runShell } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, sampleOf, shareOf, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const list = path("list");
const out = path("out");

/** What a run that passes lines in bulk takes besides its keys. */
const OVERHEAD = 32 << 20;
/** Room for 225,280 keys of 128 bits, or 450,560 of 64. */
const KEY_BYTES = 8 << 20;
/** Returns different URLs as one string: each garbage collection would walk an array of so many. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `http://a/${at}\n`).join("");
const LINES = linesOf(atLength(300_000, 600_000));
const REFUSAL = /^urlmill: a set of .+ What is written ends with a whole line\. To go on, .+\n$/m;
const RESTART =
  /^urlmill: the keys have no room in memory: they go to the temporary folder .+, and the input is read again\n$/;
const OVERFLOW =
  /^urlmill: memory has room for 0\.\d+ million keys: the rest of the input and its keys go to the temporary folder .+\n$/;

const { constrainedMemory } = process;
beforeEach(() => {
  process.constrainedMemory = () => takenBytes() + OVERHEAD + KEY_BYTES;
});
afterEach(() => {
  process.constrainedMemory = constrainedMemory;
});

describe("keys that have no room in memory", () => {
  test.each(["1", "2"])(
    "let a run from a file to a file begin again, on %s thread(s)",
    async (threads) => {
      // On two threads the samples of the file tell fewer lines than there are.
      const isAlone = threads === "1";
      if (!isAlone) process.constrainedMemory = () => takenBytes() + (1 << 29);
      writeFileSync(list, isAlone ? LINES : unevenLines());
      const flags = isAlone ? [] : ["--memory", "3M"];
      const args = ["dedupe", "--threads", threads, ...flags, list, "-o", out];
      const { code, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, expect.stringMatching(RESTART)]);
      expect(readFileSync(out, "utf8") === readFileSync(list, "utf8")).toBe(true);
    },
  );

  test("are no reason to begin again if the end of a list only repeats its beginning", async () => {
    const first = linesOf(20_000);
    writeFileSync(list, first.repeat(20));
    const { code, stderr } = await runCli(["dedupe", "--threads", "1", list, "-o", out]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(readFileSync(out, "utf8")).toBe(first);
  });

  test("go to temporary files from then on, in the chunked mode", async () => {
    writeFileSync(list, LINES);
    for (const args of sampleOf([[list, "--report", path("report.html")], []], 2)) {
      const input = args.length === 0 ? LINES : "";
      const { code, stderr } = await runCli(
        ["dedupe", "--threads", "1", ...args, "-o", out],
        input,
      );
      expect([code, stderr.replace(/^urlmill: about .*\n/, "")]).toEqual([
        0,
        expect.stringMatching(OVERFLOW),
      ]);
      expect(readFileSync(out, "utf8") === LINES).toBe(true);
    }
  });

  test("end a run that answers each line at once, with whole lines and all ways out", async () => {
    const ways = [
      [[], "use --bits 64, which takes half the memory; or "],
      [["--bits", "64"], ""],
    ] as const;
    for (const [flags, half] of sampleOf(ways, 2)) {
      const args = ["dedupe", "--threads", "1", "--flush", ...flags];
      const { code, stdout, stderr } = await runCli(args, LINES);
      expect([code, stderr]).toEqual([1, expect.stringMatching(REFUSAL)]);
      expect(stderr).toContain(
        `To go on, leave that flag out (--flush answers each line at once); or ${half}divide the list by host and dedupe each part, or give the process more memory\n`,
      );
      expect(stdout.length).toBeGreaterThan(1_000_000);
      expect(LINES.startsWith(stdout)).toBe(true);
      expect(stdout.endsWith("\n")).toBe(true);
    }
  });
});

/** Lines of which samples tell too few: those at the places of samples are long. */
function unevenLines(): string {
  const long = Array.from({ length: 40 }, (_, at) => `http://a/${at}/${"x".repeat(1000)}\n`);
  const short = Array.from({ length: atLength(20_000, 40_000) }, (_, at) => `http://a/${at}\n`);
  const part = [...long, ...short].join("");
  // A sample is taken where each of eight equal parts begins.
  return Array.from({ length: 8 }, (_, at) => part.replaceAll("http://a/", `http://a/${at}/`)).join(
    "",
  );
}

test.skipIf(process.platform === "win32")(
  "a run that begins again leaves what was before it on standard output, and writes nothing twice",
  () => {
    writeFileSync(list, unevenLines());
    for (const flags of sampleOf(["--errors errors --map map", "", "--threads 2"], 2)) {
      writeFileSync(out, "before\n");
      const script = `urlmill dedupe --memory 3M ${flags} list >> out; urlmill dedupe list > expected`;
      const { code, stderr } = runShell(script, folder);
      expect([code, stderr]).toEqual([0, expect.stringMatching(RESTART)]);
      const expected = `before\n${readFileSync(path("expected"), "utf8")}`;
      expect(readFileSync(out, "utf8") === expected, flags).toBe(true);
    }
  },
);

test("threads that have no room leave a run on one, which finishes what it can", async () => {
  writeFileSync(list, linesOf(100_000));
  const { code, stderr } = await runCli(["dedupe", "--threads", "4", list, "-o", out]);
  expect([code, stderr]).toEqual([
    0,
    "urlmill: 1 thread in place of 4: memory has no room for more\n",
  ]);
  expect(readFileSync(out, "utf8")).toBe(linesOf(100_000));
});

/** Repeats in several spellings, lines that are not URLs, and lines over the limit, among them repeats. */
const LONG = [
  `http://a/${"x".repeat(70_000)}`,
  `http://a/${"y".repeat(atLength(1_200_000, 3_000_000))}`,
];
const [COUNT, PAGES] = atLength([36_000, 33_000], [60_000, 40_000]);
const MIXED = Array.from({ length: COUNT }, (_, at) => {
  if (at % 9000 === 8999) return LONG[(at / 9000) & 1];
  const page = (at * 7919) % PAGES;
  if (at % 10 === 0) return `not a URL ${page}`;
  return at % 3 === 0 ? `HTTP://Example.com/${page}#x` : `http://example.com/${page}`;
}).join("\n");
const CSV = `n,url\r\n${MIXED.split("\n")
  .map((url, at) => `"${at % 3}\n",${url}\r\n`)
  .join("")}`;
/** Chunks of one thread are small. */
const ALONE = atLength(["--threads", "1"], []);

describe.each(ENGINES)("a pipe whose keys do not fit in --memory, --engine %s", (engine) => {
  const run = async (name: string, args: readonly string[], input: string | Uint8Array) => {
    const outputs = [
      "-o",
      path(`${name}.gz`),
      "--map",
      path(`${name}.map`),
      "--errors",
      path(`${name}.errors`),
    ];
    const { code, stderr } = await runCli(
      ["dedupe", "--engine", engine, ...outputs, "--stats", ...args],
      input,
    );
    const {
      seconds: _,
      linesPerSecond: __,
      temporaryBytes,
      ...counts
    } = JSON.parse(stderr.split("\n").at(-2) as string);
    const lists = ["map", "errors"].map((end) => readFileSync(path(`${name}.${end}`), "latin1"));
    const text = gunzipSync(readFileSync(path(`${name}.gz`))).toString("latin1");
    return { code, counts, lists, text, isSpilled: temporaryBytes > 0 };
  };

  const lists = [
    ["on two threads", ["--threads", "2"], MIXED],
    ["a table with line ends in fields", ["--format", "csv", "--field", "url", ...ALONE], CSV],
    ["lines", ALONE, MIXED],
    ["compressed lines, without errors", ["--on-error", "empty", ...ALONE], gzipSync(MIXED)],
    ["normalized URLs", ["--emit", "both", ...ALONE], MIXED],
  ] as const;
  test.each(shareOf(lists, engine, 5))("is deduped as in memory: %s", async (_, args, input) => {
    process.constrainedMemory = constrainedMemory;
    const expected = await run("expected", args, input);
    const found = await run("found", [...args, "--memory", "1M"], input);
    expect(found.counts).toEqual(expected.counts);
    expect(found.isSpilled).toBe(true);
    expect(found.text === expected.text).toBe(true);
    expect(found.lists.map((list, at) => list === expected.lists[at])).toEqual([true, true]);
  });

  test.each(atLength(engine === "wasm" ? ["lmdb"] : [], STORE_NAMES))(
    "is recorded in a set (%s) as far as it is written",
    async (store) => {
      process.constrainedMemory = constrainedMemory;
      const urls = MIXED.split("\n").filter((url) => /^http/i.test(url) && url.length < 100);
      const stop = atLength(31_000, 45_000);
      const input = [...urls.slice(0, stop), "nothing", ...urls.slice(stop)].join("\n");
      const dedupe = async (name: string, more: readonly string[]) => {
        const set = ["--store", store, "--seen", path(name)];
        const args = ["dedupe", "--engine", engine, ...set, ...ALONE];
        await runCli(args, urls.slice(9_000, 10_000).join("\n"));
        return runCli([...args, "--on-error", "fail", ...more], input); // stops at the line that is not a URL
      };
      const [whole, spilled] = ["expected", "found"].map((name) => `${engine}-${store}-${name}`);
      const expected = await dedupe(whole as string, []);
      const found = await dedupe(spilled as string, ["--memory", "1M"]);
      expect([found.code, found.stdout === expected.stdout]).toEqual([1, true]);
      const [said, ...rest] = found.stderr.split(/^/m);
      expect([said, rest.join("")]).toEqual([expect.stringMatching(OVERFLOW), expected.stderr]);
      const again = (name = ""): Promise<CliResult> =>
        runCli(["dedupe", "--engine", engine, "--seen", path(name)], sampleOf(urls, 4).join("\n"));
      expect((await again(spilled)).stdout).toBe((await again(whole)).stdout);
    },
  );

  const testOfRecords = engine === "wasm" ? test : testAtLength;
  testOfRecords(
    "is read again where the records of keys were to be chosen, also after lists that do not fit",
    async () => {
      process.constrainedMemory = constrainedMemory;
      const other = Array.from({ length: 35_000 }, (_, at) => `http://example.com/${at}\n`).join(
        "",
      );
      writeFileSync(path("other"), other);
      const choices = [
        ["-d", "--exclude", path("other")],
        ["--exclude", path("other")],
        ["--keep", "last", "-c"],
      ];
      for (const flags of sampleOf(choices, 3)) {
        const args = ["dedupe", "--engine", engine, "--quiet", ...ALONE, ...flags];
        const expected = await runCli(args, MIXED);
        const found = await runCli([...args, "--memory", "1M"], MIXED);
        expect(
          [found.code, found.stderr, found.stdout === expected.stdout],
          flags.join(" "),
        ).toEqual([0, "", true]);
      }
    },
  );
});
