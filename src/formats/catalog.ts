import { CdxReader, cdx, isCdxHeader, isCdxWidth } from "./archives/cdx.ts";
import { CdxjReader, cdxj } from "./archives/cdxj.ts";
import { WARC_MAGIC } from "./archives/warc-header.ts";
import type { Format } from "./format.ts";
import { JsonlReader, jsonl } from "./json/jsonl.ts";
import { lines } from "./lines.ts";
import { accessLog } from "./logs/access-log.ts";
import { crawlLog } from "./logs/crawl-log.ts";
import { BYTES, type FieldName, type RowReader, TEXT } from "./row.ts";
import { type CsvDialect, csv, csvKind } from "./tables/csv.ts";
import { RFC_4180 } from "./tables/csv-records.ts";
import { TAB_SEPARATED, tabSeparated } from "./tables/tab-separated.ts";
import { TableReader } from "./tables/table.ts";
import { TSV, tsv } from "./tables/tsv.ts";
import { beginsAsXml } from "./xml/root.ts";
import { sitemap } from "./xml/sitemap.ts";

/** Says what of a list its records do not show. */
export interface ListWriting extends CsvDialect {
  /** The site of an access log that does not name it. */
  readonly base?: string | undefined;
}

/** Describes a format of lists. Readers, `--format`, `--field`, detection, help and the table of docs/cli.md come from it. */
export interface FormatEntry {
  /**
   * Says where a record has its fields: in columns of a table, in members of an object, in columns of CDX, or the URL alone
   * at one place. `--field` has a meaning for the first three, `--header` for tables.
   */
  readonly fields: "columns" | "members" | "cdx" | "place";
  /**
   * Returns how `normalize` and `dedupe` read and write records. Absent if only `learn` reads them, or if the URLs are taken
   * out.
   */
  readonly format?: (field: FieldName, hasHeader: boolean, how?: ListWriting) => Format;
  /** Says that `normalize` and `dedupe` read it only where `--format` names it. */
  readonly isNamed?: true;
  /**
   * Says what `learn` makes of the rows of `open`: "named" if fields have the names of a record's, "capture" for an index of
   * captures, "own" if `learn` has a reader for this format alone (src/learn/records/format.ts).
   */
  readonly record: "named" | "capture" | "own";
  readonly open?: (fields: readonly FieldName[], hasHeader: boolean) => RowReader;
  /** Lists ends of file names, for content that does not show its format. */
  readonly ends: readonly string[];
  /**
   * Returns whether the first line of a list shows this format. The last entry that does wins: a format stands after each
   * other that its lines show too, as one of JSON does after `jsonl` (test/learn/records/detect-format.test.ts).
   */
  readonly isShown?: (line: string, fileName: string) => boolean;
  /** Says for docs/cli.md where the URL is, and what else there is to know. */
  readonly where: string;
  readonly notes: string;
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const TIMESTAMP = /^\d{4,17}$/;
const CRAWL_LOG = /^(?:\d{4}-\d\d-\d\dT\S+|\d{17})\s+-?\d+\s+(?:\d+|-)\s+\S+\s/;
const CDXJ = /^\S+ \d{4,17} \{/;
const OPENWAYBACK_CDXJ = /^\S+ \S+ \w+ \{/;
/** Matches a line of an access log. It allows no bracket inside brackets, so that matching is linear. */
const ACCESS_LOG = /^\S+ .*?\[[^\][]+\] "/;
/** Is part of the names of WAT files. Their content is WARC too. */
const WAT_NAME = /\.wat(?:\.|$)/i;

const ANY_COLUMN = "a column by its name or number";

/** Names a format of lists of records. */
export type RecordFormat =
  | "lines"
  | "tsv"
  | "TabSeparated"
  | "TSVRaw"
  | "csv"
  | "cdx"
  | "access-log"
  | "crawl-log"
  | "cdxj"
  | "sitemap"
  | "wayback"
  | "jsonl"
  | "warc"
  | "wat";
/** Names a format whose records `normalize` and `dedupe` write again. `lines0` is that of `-z`, and no name of `--format`. */
export type FormatName = Exclude<RecordFormat, "wayback" | "warc" | "wat"> | "lines0";

const ENTRIES = {
  lines: {
    fields: "place",
    format: () => lines,
    record: "own",
    ends: [".txt"],
    isShown: (line) => {
      const text = line.trim();
      if (line.includes("\t")) return false;
      return HAS_SCHEME.test(text) || (!text.includes(" ") && /[./]/.test(text));
    },
    where: "the whole line",
    notes: "LF or CR LF",
  },
  tsv: {
    fields: "columns",
    format: tsv,
    record: "named",
    open: (fields, hasHeader) => new TableReader(TSV, fields, hasHeader, TEXT),
    ends: [".tsv"],
    isShown: isTsvHeader,
    where: ANY_COLUMN,
    notes: "no escapes",
  },
  TabSeparated: {
    fields: "columns",
    format: tabSeparated,
    record: "named",
    open: (fields, hasHeader) => new TableReader(TAB_SEPARATED, fields, hasHeader, BYTES),
    ends: [],
    where: "the same",
    notes: "ClickHouse's escapes are read and written",
  },
  TSVRaw: {
    fields: "columns",
    format: tsv,
    record: "named",
    open: (fields, hasHeader) => new TableReader(TSV, fields, hasHeader, TEXT),
    ends: [],
    where: "the same",
    notes: "another name of `tsv`",
  },
  csv: {
    fields: "columns",
    format: csv,
    record: "named",
    open: (fields, hasHeader) => new TableReader(csvKind(RFC_4180), fields, hasHeader, BYTES),
    ends: [".csv"],
    isShown: isCsvHeader,
    where: "the same",
    notes: "RFC 4180, with line ends in quotes",
  },
  cdx: {
    fields: "cdx",
    format: (field) => cdx(field),
    record: "capture",
    open: (fields) => new CdxReader(fields, TEXT),
    ends: [".cdx"],
    isShown: (line) => {
      if (isCdxHeader(line)) return true;
      const fields = line.trim().split(" ");
      const isCapture = isCdxWidth(fields.length) && TIMESTAMP.test(fields[1] ?? "");
      return isCapture && !line.includes("\t") && !isCsvHeader(line);
    },
    where: "a column by its letter or number",
    notes: "indexes of web archives",
  },
  "access-log": {
    fields: "place",
    format: (_field, _hasHeader, how) => accessLog(how?.base),
    isNamed: true,
    record: "own",
    ends: ["access.log", "access_log"],
    isShown: (line) => ACCESS_LOG.test(line.trim()) && !isCdxHeader(line),
    where: "the request",
    notes:
      "GET and HEAD; `--base` names the site, if lines do not; `normalize` and `dedupe` read it only with `--format`",
  },
  "crawl-log": {
    fields: "place",
    format: () => crawlLog,
    record: "own",
    ends: ["crawl.log"],
    isShown: (line) => CRAWL_LOG.test(line.trim()),
    where: "the URL",
    notes: "Heritrix's log",
  },
  cdxj: {
    fields: "members",
    format: (field) => cdxj(field),
    record: "capture",
    open: (fields) => new CdxjReader(fields, TEXT),
    ends: [".cdxj"],
    isShown: (line) => {
      const text = line.trim();
      const isCdxj = CDXJ.test(text) || OPENWAYBACK_CDXJ.test(text) || /^[!@]\w/.test(text);
      return isCdxj && !isCdxHeader(line);
    },
    where: "a member, or a path to one",
    notes: "indexes of web archives",
  },
  sitemap: {
    fields: "place",
    format: () => sitemap,
    record: "own",
    ends: [".xml", ".rss", ".atom", ".rdf"],
    isShown: beginsAsXml,
    where: "the `loc` of a page, the `link` of an item or entry",
    notes: "sitemaps, RSS and Atom, by their root element",
  },
  wayback: {
    fields: "place",
    record: "own",
    ends: [".json"],
    isShown: (line) => line.trim() === "[" || /^\[["[]/.test(line.trim()),
    where: "the field `original`",
    notes: "the JSON of a Wayback CDX server",
  },
  jsonl: {
    fields: "members",
    format: (field) => jsonl(field),
    record: "named",
    open: (fields) => new JsonlReader(fields, TEXT),
    ends: [".jsonl", ".ndjson"],
    isShown: (line) => line.trim().startsWith("{"),
    where: "a member, or a path to one: `page.url`, `links.0.url`",
    notes:
      "one object per line; `NaN`, `Infinity` and `-Infinity`, as Python writes them, count as null and stay as written",
  },
  warc: {
    fields: "place",
    record: "own",
    ends: [],
    isShown: (line) => line.startsWith(WARC_MAGIC),
    where: "the target of each HTTP response",
    notes: "URLs are written, one per line",
  },
  wat: {
    fields: "place",
    record: "own",
    ends: [],
    isShown: (line, fileName) => line.startsWith(WARC_MAGIC) && WAT_NAME.test(fileName),
    where: "the links of pages, resolved",
    notes: "URLs are written, one per line",
  },
} satisfies Readonly<Record<RecordFormat, FormatEntry>>;

/** Lists the formats, the general ones first. The first is the default. */
export const FORMAT_CATALOG: Readonly<Record<RecordFormat, FormatEntry>> = ENTRIES;

/** Names a format for which `learn` has a reader of its own. */
export type OwnRecordFormat = {
  [Name in RecordFormat]: (typeof ENTRIES)[Name]["record"] extends "own" ? Name : never;
}[RecordFormat];

/** Lists the formats of lists of records. */
export const RECORD_FORMATS = Object.keys(FORMAT_CATALOG) as [RecordFormat, ...RecordFormat[]];

/** Lists the formats whose records `normalize` and `dedupe` write again. */
export const FORMATS = RECORD_FORMATS.filter(
  (name) => FORMAT_CATALOG[name].format !== undefined,
) as [FormatName, ...FormatName[]];

/**
 * Returns whether a line is the header of TSV. Without one a table of URLs cannot be read, and its first row must not be taken
 * for one.
 */
function isTsvHeader(line: string): boolean {
  if (!line.includes("\t")) return line.trim() === "url";
  const names = line.split("\t");
  return names.includes("url") || !names.some((name) => HAS_SCHEME.test(name));
}

function isCsvHeader(line: string): boolean {
  const names = line.split(",");
  return (
    names.length > 1 &&
    !line.includes("\t") &&
    names.some((name) => name === "url" || name === '"url"')
  );
}
