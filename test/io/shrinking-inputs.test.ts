import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readLines } from "../../src/cli/learn/read-lines.ts";
import { readRecords } from "../../src/cli/learn/read-records.ts";
import { openSource } from "../../src/io/open-source.ts";
import { readAll } from "../../src/io/sources/read-all.ts";
import { runShell } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

/** Numbers of lines, so that no two are equal and none of them compresses to nothing. */
const lines = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `http://a.com/${(from + at) * 2654435761}\n`).join("");
const TEXT = lines(40_000);
/** So many of it are enough for a reader to be far from its end while the first piece is used. */
const LONG_PARTS = atLength(3, 15);

let files = 0;
function file(bytes: string | Uint8Array, name = "list"): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, bytes);
  return path;
}

const SHORTER = / became shorter while it was read; run again once it no longer changes$/;

/** Reads a file in pieces; calls `change` after the first one. Returns all it has read. */
async function readWith(path: string, change: () => void): Promise<string> {
  const source = await openSource(path, true);
  const piece = Buffer.alloc(1000);
  const pieces: Buffer[] = [];
  try {
    for (;;) {
      const length = await source.read(piece);
      if (length === 0) return String(Buffer.concat(pieces));
      pieces.push(Buffer.from(piece.subarray(0, length)));
      if (pieces.length === 1) change();
    }
  } finally {
    await source.close();
  }
}

describe.each([
  ["plain", (text: string) => Buffer.from(text)],
  ["gzip", (text: string) => gzipSync(text, { level: 0 })],
])("a %s input", (_, encode) => {
  test.each([0, 1000, 700_000])(
    "that is cut to %i bytes while it is read is an error",
    async (size) => {
      const path = file(encode(TEXT));
      await expect(readWith(path, () => truncateSync(path, size))).rejects.toThrow(SHORTER);
    },
  );

  test("that is cut at the end of a member is an error", async () => {
    const [first, second] = [encode(TEXT), encode(TEXT.repeat(LONG_PARTS))] as [Buffer, Buffer];
    const path = file(Buffer.concat([first, second]));
    await expect(readWith(path, () => truncateSync(path, first.length))).rejects.toThrow(SHORTER);
  });

  test("that grows while it is read is read up to its end", async () => {
    const path = file(encode(TEXT));
    const more = lines(1000, 40_000);
    const text = await readWith(path, () => appendFileSync(path, encode(more)));
    expect(text === TEXT + more).toBe(true);
  });

  test("that is cut where nothing was left to read is whole", async () => {
    const path = file(encode("http://a/\n"));
    expect(await readWith(path, () => truncateSync(path, 0))).toBe("http://a/\n");
  });
});

test.runIf(process.platform === "linux")("a file that the system makes is read", async () => {
  expect(String(await readAll("/proc/self/cmdline"))).toContain("node");
});

test("standard input that is a file may be begun, but not become shorter", () => {
  writeFileSync(join(folder, "stdin"), LONG);
  const begun = runShell("(read first; urlmill normalize - | wc -l) < stdin", folder);
  expect(begun).toMatchObject({ code: 0, stderr: "" });
  expect(Number(begun.stdout)).toBe(LONG_PARTS * 40_000 - 1);
  const script = `{ urlmill normalize --threads 1 - < stdin; echo $? > code; } |
    { read first; truncate -s 1000 stdin; cat > rest; }; cat code`;
  const { stdout, stderr } = runShell(script, folder);
  expect(stderr).toMatch(/^urlmill: standard input became shorter while it was read; /);
  expect(stdout).toBe("1\n");
});

test("learn says which file became shorter", async () => {
  const log = file(`url\n${TEXT}`);
  const reading = readRecords([log], { format: "tsv" }, () => truncateSync(log, 0));
  await expect(reading).rejects.toThrow(`${log} became shorter`);
});

test("a reader of lines says which file became shorter", async () => {
  const list = file(TEXT);
  const read = async () => {
    for await (const { number } of readLines([list])) if (number === 1) truncateSync(list, 0);
  };
  await expect(read()).rejects.toThrow(`${list} became shorter`);
});

/** Runs the built command line in this process; calls `change` before its first bytes of output are taken. */
async function runWith(
  args: string[],
  change: () => void,
): Promise<{ code: number; stderr: string }> {
  const url = new URL("../../dist/cli/command-line.js", import.meta.url).href;
  const built = (await import(url)) as typeof import("../../src/cli/command-line.ts");
  let isFirst = true;
  let stderr = "";
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      if (isFirst) change();
      isFirst = false;
      done();
    },
  });
  const errors = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stderr += chunk.toString();
      done();
    },
  });
  const streams = { stdin: Readable.from([]), stdout, stderr: errors };
  const code = await built.runCommandLine(args, streams);
  return { code, stderr };
}

const LONG = TEXT.repeat(LONG_PARTS);
/** More threads have more chunks under way. */
const LONGEST = TEXT.repeat(15);
const csv = `id,url\n${LONG.replaceAll("http", "1,http")}`;
const jsonl = LONG.replaceAll("http", '{"url":"http').replaceAll("\n", '"}\n');

const RUNS = [
  ["normalize", "lines", LONG, []],
  ["dedupe", "lines", LONG, ["--seen", join(folder, "set")]],
  ["dedupe", "lines", LONG, ["--map", join(folder, "map")]],
  ["dedupe", "csv", csv, ["--header", "--emit", "both"]],
  ["normalize", "jsonl", jsonl, []],
  ["normalize", "tsv", LONGEST, ["--threads", "2"]],
] as const;
test.each(sampleOf(RUNS, 3))(
  "%s of %s ends with an error if its input becomes shorter",
  async (...given) => {
    const [command, format, text, flags] = given;
    const path = file(text, format);
    const args = [command, "--format", format, "--threads", "1", ...flags, path];
    const { code, stderr } = await runWith(args, () => truncateSync(path, 1000));
    expect(stderr).toContain(`urlmill: ${path} became shorter while it was read; run again`);
    expect(code).toBe(1);
  },
);
