import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import {
  type KeptRecord,
  type KeptRow,
  keptRecords,
  someRows,
  type WrittenRow,
} from "../shared/kept.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

interface FormatCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly header?: readonly [original: string, counted: string];
  readonly write: (row: KeptRow) => string;
  /** Writes a record with its count. */
  readonly counted: (kept: KeptRecord) => string;
}

const afterColumns =
  (separator: string) =>
  ({ row: { text }, count }: KeptRecord): string =>
    text.replace(/\r?\n$/, (end) => `${separator}${count}${end}`);
const inObject = ({ row: { text }, count }: KeptRecord): string =>
  text.replace(/\}\n$/, `,"count":${count}}\n`);

const FORMATS: readonly FormatCase[] = [
  {
    name: "lines",
    args: [],
    write: ({ url }) => `${url}\n`,
    counted: ({ row, count }) => `${String(count).padStart(7)} ${row.text}`,
  },
  {
    name: "tsv",
    args: ["--format", "tsv", "--field", "1"],
    write: ({ url, id }) => `${url}\t${id}\n`,
    counted: afterColumns("\t"),
  },
  {
    name: "csv",
    args: ["--format", "csv", "--header"],
    header: ["url,n\r\n", "url,n,count\r\n"],
    write: ({ url, id }) => `${url},"a\n${id}"\r\n`,
    counted: afterColumns(","),
  },
  {
    name: "TabSeparated",
    args: ["--format", "TabSeparated", "--header"],
    header: ["url\tn\n", "url\tn\tcount\n"],
    write: ({ url, id }) => `${url}\t${id}\\\n\n`,
    counted: afterColumns("\t"),
  },
  {
    name: "cdx",
    args: ["--format", "cdx"],
    header: [" CDX N b a m s k S\n", " CDX N b a m s k S U\n"],
    write: ({ url, id }) => `key 2024 ${url.replace(" ", "")} text/html 200 ${id} 9\n`,
    counted: afterColumns(" "),
  },
  {
    name: "cdxj",
    args: ["--format", "cdxj"],
    write: ({ url, id }) => `key 2024 {"url":"${url}","id":${id}}\n`,
    counted: inObject,
  },
  {
    name: "jsonl",
    args: ["--format", "jsonl"],
    write: ({ url, id }) => `{"url":"${url}","id":${id}}\n`,
    counted: inObject,
  },
];

const ROWS = someRows(3, atLength(13_000, 50_000), 9000);
/** In a short run, lists have little more than one chunk. */
const BYTES = atLength(1.1 * (1 << 18), Number.POSITIVE_INFINITY);
/** Chunks of one thread are small. */
const ALONE = atLength(["--threads", "1"], []);

function written({ write }: FormatCase): WrittenRow[] {
  const rows = ROWS.map((row) => ({ ...row, text: write(row) }));
  const bytes = rows.reduce((sum, { text }) => sum + text.length, 0);
  return rows.slice(0, Math.ceil((rows.length * BYTES) / bytes));
}

describe.each(ENGINES)("urlmill dedupe --count, --engine %s", (engine) => {
  const run = (args: readonly string[], list: string) =>
    runCli(["dedupe", "--engine", engine, ...args], Buffer.from(list, "latin1"));

  test.each(shareOf(FORMATS, engine))(
    "writes each record with its count, or only repeated ones: $name",
    async (format) => {
      const { args, header: [original, counted] = ["", ""] } = format;
      const rows = written(format);
      const list = original + rows.map(({ text }) => text).join("");
      const runs = ["first", "last"].flatMap((which) => [
        { which, flags: ["-c", ...ALONE] },
        { which, flags: ["-c", "--repeated", ...ALONE] },
        { which, flags: ["-d", "--threads", "2"] },
      ]);
      const step = format.name === "csv" ? 4 : 6;
      for (const { which, flags } of sampleOf(runs, step)) {
        const kept = keptRecords(rows, which);
        const repeated = kept.filter(({ count }) => count > 1);
        expect(repeated.length).toBeLessThan(kept.length);
        const isCounted = flags.includes("-c");
        const records = isCounted && flags[1] !== "--repeated" ? kept : repeated;
        const lines = records.map((each) => (isCounted ? format.counted(each) : each.row.text));
        const result = await run([...args, "--keep", which, ...flags], list);
        expect(result.code).toBe(0);
        const expected = (isCounted ? counted : original) + lines.join("");
        expect(result.stdout === expected, `${which} ${flags}`).toBe(true);
      }
    },
    60_000,
  );

  test("writes the count after the normalized URL, and before a line with it", async () => {
    const both = (args: string[], list: string) => run(["-c", "--emit", "both", ...args], list);
    expect((await both([], "HTTP://a\nhttp://a/\n")).stdout).toBe("      2 http://a/\tHTTP://a\n");
    const csv = await both(["--format", "csv", "--header"], "url,n\nHTTP://a,1\nhttp://a/,2\n");
    expect(csv.stdout).toBe("url,n,normalized_url,count\nHTTP://a,1,http://a/,2\n");
    const json = await both(["--format", "jsonl"], '{"url":"HTTP://a"}\n{"url":"http://a/"}\n');
    expect(json.stdout).toBe('{"url":"HTTP://a","normalized_url":"http://a/","count":2}\n');
  });

  test("writes the count of records of a later file with a header, and of each chunk", async () => {
    const rows = Array.from(
      { length: atLength(14_000, 40_000) },
      (_, row) => `http://h${row}/,${row}\n`,
    );
    writeFileSync(path("one.csv"), `url,n\n${rows.join("")}`);
    writeFileSync(path("two.csv"), "url,n\nHTTP://H0,x\nhttp://new/,y\n");
    const args = ["--format", "csv", "--header", "-c", "--emit", "both", ...ALONE];
    const result = await run([...args, path("one.csv"), path("two.csv")], "");
    const lines = rows.map((row, at) => `${row.trimEnd()},http://h${at}/,${at === 0 ? 2 : 1}\n`);
    const expected = `url,n,normalized_url,count\n${lines.join("")}http://new/,y,http://new/,1\n`;
    expect(result.stdout === expected).toBe(true);
  });

  test("leaves a line as it is that is not a record, and a blank one", async () => {
    const list = '{"url":"http://a/"}\n\n{bad\n{bad\n{"url":1}\n{"url":1}\n';
    const { stdout } = await run(["--format", "jsonl", "-c"], list);
    expect(stdout).toBe('{"url":"http://a/","count":1}\n\n{bad\n{"url":1,"count":2}\n');
  });

  test("counts lines over the limit of a URL", async () => {
    const long = `http://a/${"x".repeat(1 << 18)}`;
    const list = `${long}\nhttp://b/\n${long}\r\n${long}y\n`;
    const counted = await run(["-c", "--max-length", "1000"], list);
    expect(counted.stdout).toBe(`      2 ${long}\n      1 http://b/\n      1 ${long}y\n`);
    const last = await run(["--keep", "last", "--max-length", "1000"], list);
    expect(last.stdout).toBe(`http://b/\n${long}\r\n${long}y\n`);
    const repeated = await run(["-d", "--max-length", "1000"], list);
    expect(repeated.stdout).toBe(`${long}\n`);
  });

  test("counts in --stats what was merged, not what was only once", async () => {
    const list = "http://a/\nhttp://a\nhttp://b/\nHTTP://a/\n";
    const { stdout, stderr } = await run(["-d", "--stats"], list);
    expect(stdout).toBe("http://a/\n");
    expect(JSON.parse(stderr)).toMatchObject({
      lines: 4,
      changed: 2,
      duplicates: 2,
      unrepeated: 1,
    });
  });

  const flags: string[][] = [
    ["-d"],
    ["--memory", "1M", "--keep", "last"],
    [],
    ["-c"],
    ["--keep", "last"],
  ];
  test.each(shareOf(flags, engine, 5))(
    "counts in --stats each line over the limit once: %s %s",
    async (...flags) => {
      const long = (bytes: number) => `http://a/${"x".repeat(bytes)}\n`.repeat(3);
      const list = `${long(1 << 18)}${long(atLength(1.1, 2) * (1 << 20))}${long(1500)}http://b/\n`;
      for (const threads of atLength(["1"], ["1", "2"])) {
        const common = ["--max-length", "1000", "--stats", "--threads", threads];
        const { stderr } = await run([...flags, ...common], list);
        const { duplicates, unrepeated = 0 } = JSON.parse(stderr);
        expect(duplicates).toBe(6);
        expect(unrepeated).toBe(flags.includes("-d") ? 1 : 0);
      }
    },
  );

  test("has no place for a count in a sitemap", async () => {
    const result = await run(["-c", "--format", "sitemap"], "");
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("--count has no place for a number in a sitemap");
  });
});

test.each(sampleOf(["", "--keep last", "--keep max:d"], 2))(
  "a row with one field too many gets no count beside a key: dedupe -c --emit both %s",
  async (flags) => {
    const table = join(folder, "malformed.csv");
    writeFileSync(table, "id,url,d\n1,http://a/,5\na,b,c,d\na,b,c,d\n2,nothing,6\n");
    const args = `dedupe -q -c --field url --emit both ${flags}`.trim().split(" ");
    for (const engine of ENGINES) {
      const { stdout } = await runCli([...args, table, "--engine", engine]);
      expect(stdout.split("\n").sort()).toEqual([
        "",
        "1,http://a/,5,http://a/,1",
        "2,nothing,6,,1",
        "a,b,c,d",
        "id,url,d,normalized_url,count",
      ]);
    }
  },
);
