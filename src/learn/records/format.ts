import { accessLogReader } from "./access-log.ts";
import { cdxReader } from "./cdx.ts";
import { readCdxjLine } from "./cdxj.ts";
import { readCrawlLogLine } from "./crawl-log.ts";
import { parseFpSource } from "./fingerprint.ts";
import { jsonlReader } from "./jsonl.ts";
import { readUrlLine } from "./lines.ts";
import type { LineReader } from "./record.ts";
import { tsvReader } from "./tsv.ts";
import { waybackReader } from "./wayback.ts";

/** Lists the formats of lists of records. */
export const RECORD_FORMATS = [
  "lines",
  "tsv",
  "jsonl",
  "cdx",
  "cdxj",
  "wayback",
  "crawl-log",
  "access-log",
] as const;
/** Names a format of lists of records. */
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** Holds the options of a `RecordReader`. */
export interface RecordOptions {
  /**
   * Sets the origin of the site, such as `http://example.org`, for an access log without hosts.
   * Other formats do not use it.
   *
   * @default none
   */
  readonly origin?: string | undefined;
  /**
   * Names, for TSV and JSON lines, the kind of the fingerprint and the column or member that holds
   * it, such as `cls:cluster`.
   *
   * @default the column or member `fp`, else the strongest of those with another known name
   */
  readonly fp?: string | undefined;
}

/**
 * Returns a reader for the lines of one input. Throws `BAD_OPTION` for an option that the format
 * cannot take.
 */
export function lineReader(format: RecordFormat, options: RecordOptions): LineReader {
  const source = options.fp === undefined ? undefined : parseFpSource(options.fp);
  switch (format) {
    case "lines":
      return readUrlLine;
    case "tsv":
      return tsvReader(source);
    case "jsonl":
      return jsonlReader(source);
    case "cdx":
      return cdxReader();
    case "cdxj":
      return readCdxjLine;
    case "wayback":
      return waybackReader();
    case "crawl-log":
      return readCrawlLogLine;
    case "access-log":
      return accessLogReader(options.origin);
  }
}
