import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readAll } from "../../src/io/sources/read-all.ts";
import { runCli } from "../shared/cli.ts";
import { oneOf, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

const TAR = `urls.txt${"\0".repeat(249)}ustar\x0000${"\0".repeat(247)}http://a/\n`;
const UTF16 = Buffer.from("\ufeffhttp://a/\n", "utf16le");
const DUCKDB = `duckdb -noheader -list -c "SELECT url FROM 'FILE.parquet'"`;

/** A name, first bytes, what it is, and the commands for a file F and for standard input. */
const FORMATS = [
  ["bzip2", latin1("BZh91AY&SY\x01\x02"), "compressed with bzip2", "bzip2 -dc F", "run: bzip2 -dc"],
  ["xz", latin1("\xfd7zXZ\0\0\x04"), "compressed with xz", "xz -dc F", "run: xz -dc"],
  ["lzip", latin1("LZIP\x01\x14"), "compressed with lzip", "lzip -dc F", "run: lzip -dc"],
  ["lz4", latin1("\x04\x22\x4d\x18\x64"), "compressed with lz4", "lz4 -dc F", "run: lz4 -dc"],
  ["Z", latin1("\x1f\x9d\x90\x01"), "compressed with compress", "gzip -dc F", "run: gzip -dc"],
  [
    "zip",
    latin1("PK\x03\x04\x14\0"),
    "a zip archive",
    "unzip -p F",
    "save it and run: unzip -p FILE",
  ],
  [
    "xlsx",
    latin1(`PK\x03\x04${"\0".repeat(26)}[Content_Types].xml`),
    "an Excel workbook",
    "xlsx2csv F",
    "save it and run: xlsx2csv FILE",
  ],
  [
    "7z",
    latin1("7z\xbc\xaf\x27\x1c\0"),
    "a 7z archive",
    "7z x -so F",
    "save it and run: 7z x -so FILE",
  ],
  [
    "rar",
    latin1("Rar!\x1a\x07\x01"),
    "a rar archive",
    "unrar p -inul F",
    "save it and run: unrar p -inul FILE",
  ],
  ["tar", latin1(TAR), "a tar archive", "tar -xOf F", "run: tar -xOf -"],
  [
    "utf16le-unmarked",
    UTF16.subarray(2),
    "text in UTF-16",
    "iconv -f UTF-16LE -t UTF-8 F",
    "run: iconv -f UTF-16LE -t UTF-8",
  ],
  [
    "utf16be-unmarked",
    Buffer.from(UTF16).swap16().subarray(2),
    "text in UTF-16",
    "iconv -f UTF-16BE -t UTF-8 F",
    "run: iconv -f UTF-16BE -t UTF-8",
  ],
  [
    "utf32",
    latin1("\xff\xfe\0\0h\0\0\0"),
    "text in UTF-32",
    "iconv -f UTF-32 -t UTF-8 F",
    "run: iconv -f UTF-32 -t UTF-8",
  ],
  [
    "utf32be",
    latin1("\0\0\xfe\xff\0\0\0h"),
    "text in UTF-32",
    "iconv -f UTF-32 -t UTF-8 F",
    "run: iconv -f UTF-32 -t UTF-8",
  ],
] as const;

test.each(sampleOf(FORMATS, 4))(
  "%s is refused with the command that makes a list of it",
  async (name, bytes, is, command, fromPipe) => {
    const path = file(`a.${name}`, bytes);
    expect(await runCli(["normalize", path])).toEqual({
      code: 1,
      stdout: "",
      stderr: `urlmill: cannot read ${path}: it is ${is}; run: ${command.replace(/F$/, path)} | urlmill \xe2\x80\xa6\n`,
    });
    expect(await runCli(["dedupe", "--format", "tsv"], bytes)).toEqual({
      code: 1,
      stdout: "",
      stderr: `urlmill: cannot read standard input: it is ${is}; ${fromPipe} | urlmill \xe2\x80\xa6\n`,
    });
  },
);

test("a workbook is told from another zip archive by its name, or by the files in it", async () => {
  const entry = (name: string): string => `PK\x03\x04${"\0".repeat(26)}${name}${"x".repeat(500)}`;
  const theme = entry("theme.bin");
  for (const [name, text, is, command] of [
    ["theme.xlsx", theme, "an Excel workbook", "xlsx2csv"],
    ["theme.XLSX", "PK\x03\x04", "an Excel workbook", "xlsx2csv"],
    ["download", theme + entry("xl/workbook.xml"), "an Excel workbook", "xlsx2csv"],
    ["theme.zip", theme + entry("excel/xl/"), "a zip archive", "unzip -p"],
  ] as const) {
    const path = file(name, latin1(text));
    expect((await runCli(["dedupe", path])).stderr).toContain(
      `cannot read ${path}: it is ${is}; run: ${command} ${path} |`,
    );
  }
});

test("Parquet is refused where it comes as text, with the command that makes a list of it", async () => {
  const bytes = latin1("PAR1\x15\x04\x15");
  expect(await runCli(["dedupe", "--format", "tsv"], bytes)).toEqual({
    code: 1,
    stdout: "",
    stderr: `urlmill: cannot read standard input: it is a Parquet file; save it and run: ${DUCKDB} | urlmill \xe2\x80\xa6\n`,
  });
  const path = file("a.parquet", bytes);
  expect((await runCli(["normalize", "--format", "lines", path])).stderr).toContain(
    `it is a Parquet file; run: ${DUCKDB} | urlmill`,
  );
});

const ENCODINGS: readonly [string, Uint8Array][] = [
  ["little-endian", UTF16],
  ["big-endian", Buffer.from(UTF16).swap16()],
  ["in gzip", gzipSync(UTF16)],
  ["in members of gzip", Buffer.concat([...UTF16].map((byte) => gzipSync(Uint8Array.of(byte))))],
];

describe.each(ENCODINGS)("a list in UTF-16, %s", (encoding, bytes) => {
  const written = "http://a/\n";
  const path = file("utf16.txt.gz", bytes);

  test("is read, and written as UTF-8, which is said once", async () => {
    const calls = [[], ["-c"], ["--keep", "last"], ["--threads", "2"]];
    // Short runs take another call with each encoding.
    for (const args of oneOf(
      calls,
      ENCODINGS.findIndex(([name]) => name === encoding),
    )) {
      const expected = args[0] === "-c" ? "      1 http://a/\n" : written;
      for (const run of [
        await runCli(["dedupe", ...args, path]),
        await runCli(["dedupe", ...args], bytes),
      ]) {
        expect(run).toMatchObject({ code: 0, stdout: expected });
        expect(run.stderr).toMatch(/^urlmill: .* is UTF-16; written as UTF-8\n$/);
      }
    }
    const quiet = await runCli(["normalize", "-q"], bytes);
    expect(quiet).toEqual({ code: 0, stdout: written, stderr: "" });
  });
});

test("a table in UTF-16 is read as Excel writes it", async () => {
  const text = "\ufeffid\turl\tName\r\n1\tHTTP://a/\tCaf\u00e9 \u{1f600}\r\n2\thttp://a\tx\r\n";
  const run = await runCli(["dedupe"], Buffer.from(text, "utf16le"));
  const expected = Buffer.from("id\turl\tName\r\n1\tHTTP://a/\tCaf\u00e9 \u{1f600}\r\n");
  expect(run).toMatchObject({ code: 0, stdout: expected.toString("latin1") });
});

test("text that is not UTF-16 after its mark is an error", async () => {
  const half = latin1("\xff\xfea");
  for (const bytes of [half, gzipSync(half), Buffer.from("\ufeffa\ud800b", "utf16le")]) {
    const { code, stderr } = await runCli(["dedupe"], bytes);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("half of a character"),
    });
  }
});

test("every command refuses what is not a list", async () => {
  const path = file("list.bz2", FORMATS[0][1]);
  for (const args of [
    ["learn"],
    ["hosts"],
    ["learn", "select"],
    ["learn", "verdict"],
    ["learn", "import", "--from", "nutch"],
  ]) {
    const result = await runCli([...args, path]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("it is compressed with bzip2; run: bzip2 -dc");
  }
  const rules = await runCli(["normalize", "--rules", file("rules", UTF16)]);
  expect(rules).toMatchObject({ code: 1, stdout: "" });
  expect(rules.stderr).toContain("it is text in UTF-16; it must be text in UTF-8");
});

test("the content of a compressed file is looked at too", async () => {
  const inner = file("b.tar.gz", gzipSync(latin1(TAR)));
  expect((await runCli(["normalize", inner])).stderr).toContain(
    `its gzip data are a tar archive; run: gzip -dc ${inner} | tar -xOf - | urlmill`,
  );
  expect((await runCli(["normalize"], gzipSync(UTF16.subarray(2)))).stderr).toContain(
    "its gzip data are text in UTF-16; run: gzip -dc | iconv -f UTF-16LE -t UTF-8 | urlmill",
  );
  expect((await runCli(["normalize"], gzipSync(FORMATS[5][1]))).stderr).toContain(
    "its gzip data are a zip archive; run: gzip -dc > FILE && unzip -p FILE | urlmill",
  );
  const twice = file("c.gz", gzipSync(gzipSync("http://a/\n")));
  expect(await runCli(["normalize", twice])).toMatchObject({ code: 1, stdout: "" });
  expect((await runCli(["normalize", twice])).stderr).toContain(
    `its gzip data are compressed with gzip; run: gzip -dc ${twice} | urlmill`,
  );
});

test("a file's name is quoted for the shell", async () => {
  const path = file("it's a list.bz2", FORMATS[0][1]);
  expect((await runCli(["normalize", path])).stderr).toContain(
    `run: bzip2 -dc '${path.replace("'", "'\\''")}' | urlmill`,
  );
});

test.each([
  "BZh9\n",
  "BZh91AY&S\n",
  "PK\n",
  "PAR1\n",
  "PAR1http://a/\n",
  "LZIP\n",
  "Rar!\n",
  "7z\n",
  "a\0b\n",
  "\0\0\0\0\n",
  `${"a".repeat(256)}\nustar\n`.slice(1),
])("a list that looks a little like one of these is a list: %j", async (text) => {
  expect((await readAll(file("list", latin1(text)))).toString("latin1")).toBe(text);
});
