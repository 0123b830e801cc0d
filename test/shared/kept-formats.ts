import type { KeptRow, WrittenRow } from "./kept.ts";

/** A format, and how it writes records with a URL and a value. */
export interface FormatCase {
  readonly name: string;
  readonly args: readonly string[];
  /** Names the column of values; absent if there are no columns. */
  readonly column?: string;
  readonly header?: string;
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

/** Formats of records that can be chosen by a value. */
export const FORMATS: readonly FormatCase[] = [
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

/** Returns rows as a format writes them. */
export const written = (format: FormatCase, rows: readonly KeptRow[]): WrittenRow[] =>
  rows
    .map((row) => ({ ...row, value: row.value ?? format.missing ?? null }))
    .map((row) => ({ ...row, text: format.write(row) }));

/** Returns a list of written rows. */
export const listOf = ({ header = "" }: FormatCase, rows: readonly WrittenRow[]): string =>
  header + rows.map(({ text }) => text).join("");
