import { ARCHIVE_FORMATS } from "./archives/archive.ts";
import { cdx } from "./archives/cdx.ts";
import { cdxj } from "./archives/cdxj.ts";
import type { Format } from "./format.ts";
import { jsonl } from "./json/jsonl.ts";
import { lines } from "./lines.ts";
import { crawlLog } from "./logs/crawl-log.ts";
import { csv } from "./tables/csv.ts";
import { tabSeparated } from "./tables/tab-separated.ts";
import { tsv } from "./tables/tsv.ts";
import type { UrlField } from "./url-field.ts";
import { sitemap } from "./xml/sitemap.ts";

export { type ArchiveFormat, isArchive } from "./archives/archive.ts";
export type { ChunkPlace, Format, RecordSpan } from "./format.ts";
export { hasColumnNames, type UrlField, type UrlFieldOptions, urlField } from "./url-field.ts";

/** Lists the names of the formats whose records `normalize` and `dedupe` write again. */
export const FORMATS = [
  "lines",
  "tsv",
  "TabSeparated",
  "TSVRaw",
  "csv",
  "jsonl",
  "cdx",
  "cdxj",
  "crawl-log",
  "sitemap",
] as const;
/** Names a format whose records `normalize` and `dedupe` write again. */
export type FormatName = (typeof FORMATS)[number];

/** Lists the names of the formats that `normalize` and `dedupe` read. For web archives, they write one URL a line. */
export const INPUT_FORMATS = [...FORMATS, ...ARCHIVE_FORMATS] as const;

/** Returns the format of a name, with the URL in a field. */
export function formatOf(name: FormatName, { field, hasHeader }: UrlField): Format {
  switch (name) {
    case "lines":
      return lines;
    case "tsv":
    case "TSVRaw":
      return tsv(field, hasHeader);
    case "TabSeparated":
      return tabSeparated(field, hasHeader);
    case "csv":
      return csv(field, hasHeader);
    case "jsonl":
      return jsonl(field);
    case "cdx":
      return cdx(field);
    case "cdxj":
      return cdxj(field);
    case "crawl-log":
      return crawlLog;
    case "sitemap":
      return sitemap;
  }
}
