import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { type KeptRow, keptRecords, someRows, type WrittenRow } from "../shared/kept.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-keep-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

interface FormatCase {
  readonly name: string;
  readonly args: readonly string[];
  /** Names the column of values; absent if there are no columns. */
  readonly column?: string;
  readonly header?: string;
  /** Whether a header stays wherever it is. Otherwise the first is that of all files. */
  readonly hasHeaderPerFile?: true;
  /** The value of records without one, where the format has no other way. */
  readonly missing?: string;
  readonly write: (row: KeptRow) => string;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e\d+)?$/;

/** Writes a value of JSON: a number as one if it can be, every other time. */
function jsonValue({ value, id }: KeptRow): string {
  if (value === null) return id === 0 ? '""' : "null";
  return JSON_NUMBER.test(value) && id > 0 ? value : JSON.stringify(value);
}

const FORMATS: readonly FormatCase[] = [
  { name: "lines", args: [], write: ({ url }) => `${url}\n` },
  {
    name: "crawl-log",
    args: ["--format", "crawl-log"],
    write: ({ url, id }) =>
      `2024-01-02T03:04:05.678Z 200 ${id} ${url.replace(" ", "")} L http://r/ text/html #001 20240102030405+1 sha1:X - -\n`,
  },
  {
    name: "tsv",
    args: ["--format", "tsv", "--field", "1"],
    column: "3",
    write: ({ url, value, id }) => `${url}\t${id}\t${value ?? ""}\n`,
  },
  {
    name: "csv with a header",
    args: ["--format", "csv", "--header", "--field", "url"],
    column: "the value",
    header: "n,the value,url\r\n",
    write: ({ url, value, id }) => `"a\n""${id}",${value === null ? "" : `"${value}"`},${url}\r\n`,
  },
  {
    name: "TabSeparated",
    args: ["--format", "TabSeparated", "--field", "2"],
    column: "1",
    write: ({ url, value, id }) => `${value ?? "\\N"}\t${url}\t${id}\n`,
  },
  {
    name: "cdx",
    args: ["--format", "cdx"],
    column: "b",
    header: " CDX N b a m s k S\n",
    hasHeaderPerFile: true,
    write: ({ url, value, id }) =>
      `key ${value ?? "-"} ${url.replace(" ", "")} text/html 200 ${id} 9\n`,
  },
  {
    name: "cdx without a header",
    args: ["--format", "cdx"],
    column: "timestamp",
    write: ({ url, value, id }) =>
      `key ${value ?? "-"} ${url.replace(" ", "")} text/html 200 ${id} 9\n`,
  },
  {
    name: "cdxj by its timestamp",
    args: ["--format", "cdxj"],
    missing: "-",
    column: "timestamp",
    write: ({ url, value, id }) => `key ${value ?? "-"} {"url":"${url}","id":${id}}\n`,
  },
  {
    name: "cdxj",
    args: ["--format", "cdxj"],
    column: "length",
    write: (row) => `key 2024 {"length":${jsonValue(row)},"url":"${row.url}"}\n`,
  },
  {
    name: "jsonl",
    args: ["--format", "jsonl", "--field", "page.url"],
    column: "page.at",
    write: (row) => `{"id":${row.id},"page":{"at":${jsonValue(row)},"url":"${row.url}"}}\n`,
  },
  {
    name: "jsonl without the member",
    args: ["--format", "jsonl"],
    column: "at",
    write: ({ url, value, id }) =>
      `{"url":"${url}"${value === null ? "" : `,"at":${JSON.stringify(value)}`},"id":${id}}\n`,
  },
];

const written = (format: FormatCase, rows: readonly KeptRow[]): WrittenRow[] =>
  rows
    .map((row) => ({ ...row, value: row.value ?? format.missing ?? null }))
    .map((row) => ({ ...row, text: format.write(row) }));

const listOf = ({ header = "" }: FormatCase, rows: readonly WrittenRow[]): string =>
  header + rows.map(({ text }) => text).join("");

describe.each(ENGINES)("urlmill dedupe --keep, --engine %s", (engine) => {
  test.each(FORMATS)("writes what a map keeps: $name", async (format) => {
    const { column, header = "", args } = format;
    const rows = written(format, someRows(7, atLength(600, 20_000), 60));
    const list = listOf(format, rows);
    for (const which of column === undefined
      ? ["first", "last"]
      : ["first", "last", "max", "min"]) {
      const keep = which.startsWith("m") ? `${which}:${column}` : which;
      const result = await runCli(["dedupe", "--engine", engine, ...args, "--keep", keep], list);
      const kept = keptRecords(rows, which).map(({ row }) => row.text);
      expect([result.code, result.stdout], keep).toEqual([0, header + kept.join("")]);
    }
  });

  test.each(sampleOf(FORMATS, 4))(
    "writes the same from files, gzip and pipes, on any threads: $name",
    async (format) => {
      const { column, args } = format;
      // More than two chunks of 1 MiB.
      const rows = written(format, someRows(11, atLength(50_000, 200_000), 20_000));
      const middle = rows.length >> 1;
      const parts = [rows.slice(0, middle), rows.slice(middle)].map((part) => listOf(format, part));
      writeFileSync(path("one"), parts[0] as string, "latin1");
      writeFileSync(path("two.gz"), gzipSync(Buffer.from(parts[1] as string, "latin1")));
      const which = column === undefined ? "last" : "max";
      const keep = column === undefined ? "last" : `max:${column}`;
      const kept = keptRecords(rows, which).map(({ row }) => row);
      const expected = listOf(format, kept);
      const ofSecond = new Set(rows.slice(middle));
      const expectedOfFiles = format.hasHeaderPerFile
        ? listOf(
            format,
            kept.filter((row) => !ofSecond.has(row)),
          ) +
          listOf(
            format,
            kept.filter((row) => ofSecond.has(row)),
          )
        : expected;
      for (const threads of ["1", "2"]) {
        const run = ["dedupe", "--engine", engine, "--threads", threads, ...args, "--keep", keep];
        const files = await runCli([...run, "-o", path("out.gz"), path("one"), path("two.gz")]);
        expect(files.code).toBe(0);
        const ofFiles = gunzipSync(readFileSync(path("out.gz"))).toString("latin1");
        expect(ofFiles === expectedOfFiles).toBe(true);
        const list = Buffer.from(listOf(format, rows), "latin1");
        for (const input of sampleOf([gzipSync(list), list], 2)) {
          const piped = await runCli(run, input);
          expect(piped.stdout === expected).toBe(true);
        }
      }
    },
    120_000,
  );
});
