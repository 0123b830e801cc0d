// At full length only: it repeats with each format and mode what test/cli/direct.test.ts and guess.test.ts read.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runCli, runShell } from "../shared/cli.ts";
import { someRows } from "../shared/kept.ts";
import { FORMATS, listOf, written } from "../shared/kept-formats.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse, watRecord } from "../shared/warc.ts";

// Standard input may be a file, of which another program has read the beginning. A run must read it as it reads a pipe.

const folder = tempFolder();

const ROWS = someRows(5, 300, 100);
const URLS = ROWS.map(({ url }) => url);
const ZSTD = readFileSync(new URL("../fixtures/frames.zst", import.meta.url));

/** A list, and the flags that say how it is read. */
interface List {
  readonly name: string;
  readonly bytes: Buffer;
  readonly flags: readonly string[];
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");
const item = (url: string): string => `<url><loc>${url}</loc></url>\n`;
const PLAIN: readonly List[] = [
  ...FORMATS.map((format) => ({
    name: format.name,
    bytes: bytesOf(listOf(format, written(format, ROWS))),
    flags: format.args,
  })),
  {
    name: "lines with a byte order mark",
    bytes: Buffer.from(`\u{feff}${URLS.join("\n")}\n`),
    flags: [],
  },
  {
    name: "sitemap",
    bytes: bytesOf(`<urlset xmlns="x">\n${URLS.map(item).join("")}</urlset>\n`),
    flags: ["--format", "sitemap"],
  },
  {
    name: "warc",
    bytes: bytesOf(URLS.map((url) => warcResponse(url)).join("")),
    flags: ["--format", "warc"],
  },
  {
    name: "wat",
    bytes: bytesOf(URLS.map((url) => watRecord(url, [url])).join("")),
    flags: ["--format", "wat"],
  },
];
const LISTS: readonly List[] = [
  ...PLAIN,
  ...PLAIN.map((list) => ({
    ...list,
    name: `${list.name}, in gzip`,
    bytes: gzipSync(list.bytes),
  })),
  { name: "lines in zstd", bytes: ZSTD, flags: [] },
];

const MODES = [
  "dedupe",
  "normalize",
  "dedupe -j 2",
  "dedupe --keep last",
  "dedupe -c",
  "dedupe --memory 1M",
  "dedupe -o OUT",
  "dedupe --append OUT -j 2",
  "dedupe --seen SET",
] as const;

const CASES = LISTS.flatMap((list) =>
  MODES.flatMap((mode) =>
    [0, 1].flatMap((before) =>
      [true, false].map((isGiven) => ({ list, mode, before, isGiven, name: list.name })),
    ),
  ),
);

/** Returns what a call writes, to its output or its file. */
function writtenBy(stdout: string, mode: string): string {
  return mode.includes("OUT") ? readFileSync(join(folder, "out"), "latin1") : stdout;
}

function begin(): void {
  for (const name of ["out", "set"]) rmSync(join(folder, name), { recursive: true, force: true });
}

// In a short run these steps meet both beginnings, and lists that are plain, in gzip and in zstd.
const [STEP, FIRST] = atLength([185, 168], [11, 0], [5, 0]);
test.each(CASES.filter((_, at) => at % STEP === FIRST))(
  "is read as a pipe is: $name, $mode, $before lines before, format given: $isGiven",
  async ({ list, mode, before, isGiven }) => {
    const call = mode.replace("OUT", join(folder, "out")).replace("SET", join(folder, "set"));
    const args = [...call.split(" "), ...(isGiven ? list.flags : [])];
    begin();
    const piped = await runCli(args, list.bytes);
    const wanted = piped.code === 2 ? "" : writtenBy(piped.stdout, mode);
    begin();
    writeFileSync(
      join(folder, "list"),
      Buffer.concat([bytesOf("another list\n".repeat(before)), list.bytes]),
    );
    const quoted = args.map((arg) => `'${arg}'`).join(" ");
    const read = "read line; ".repeat(before);
    const { code, stdout, stderr } = runShell(`{ ${read}urlmill ${quoted}; } < list`, folder);
    const said = (text: string): string => text.replaceAll(/\d+\.\d s\b/g, "N s");
    expect({ code, said: said(stderr) }).toEqual({ code: piped.code, said: said(piped.stderr) });
    if (code !== 2) expect(writtenBy(stdout, mode)).toBe(wanted);
  },
);

test("a run that has input and writes no line says so", async () => {
  const args = ["dedupe", "--seen", join(folder, "daily")];
  const list = "http://a/\nhttp://b/\n";
  expect((await runCli(args, list)).stderr).toBe("");
  const { stdout, stderr } = await runCli(args, list);
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^urlmill: no line is written: 2 lines, 2 left out \(100 %\), 0 kept, 2 in the set before, /,
  );
  expect((await runCli(args, "")).stderr).toBe("");
  expect((await runCli([...args, "--quiet"], list)).stderr).toBe("");
});
