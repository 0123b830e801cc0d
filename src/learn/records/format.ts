import type { ArchiveFormat } from "../../formats/archives/archive.ts";
import { WaybackReader } from "../../formats/archives/wayback.ts";
import {
  FORMAT_CATALOG,
  type FormatEntry,
  type OwnRecordFormat,
  type RecordFormat,
} from "../../formats/catalog.ts";
import { CrawlLogReader } from "../../formats/logs/crawl-log.ts";
import { type FieldName, type Fields, Malformed, type RowReader, TEXT } from "../../formats/row.ts";
import type { UrlField, UrlFieldOptions } from "../../formats/url-field.ts";
import { accessLogReader } from "./access-log.ts";
import { CRAWL_LOG_FIELDS, captureFields, readCapture, readCrawlLog } from "./capture.ts";
import { parseFpSource } from "./fingerprint.ts";
import { NamedRecords } from "./named-record.ts";
import type { LineReader, Reading } from "./record.ts";

export { RECORD_FORMATS, type RecordFormat } from "../../formats/catalog.ts";

/** Names a format whose records are lines, or are read one by one as lines are. */
export type LineRecordFormat = Exclude<RecordFormat, "sitemap" | ArchiveFormat>;

/** Holds the options of a `RecordReader`. */
export interface RecordOptions extends UrlFieldOptions {
  /**
   * Names the site, such as `http://example.org`, for an access log without hosts. Other formats do not
   * use it.
   *
   * @default none
   */
  readonly base?: string | undefined;
  /**
   * Names, for TSV and JSON lines, the kind of the fingerprint and the column or member that holds it, such as
   * `cls:cluster`.
   *
   * @default the column or member `fp`, else the strongest of those with another known name
   */
  readonly fp?: string | undefined;
}

/**
 * Returns a reader for the lines of one input. `fpNames` gets the name of each column or member that a fingerprint is
 * taken from. Throws `BAD_OPTION` for an option that the format cannot take.
 */
export function lineReader(
  format: LineRecordFormat,
  { field, hasHeader }: UrlField,
  options: RecordOptions,
  fpNames: Set<string>,
): LineReader {
  const source = options.fp === undefined ? undefined : parseFpSource(options.fp);
  const named = () => new NamedRecords(field, source, fpNames);
  const { record, open } = FORMAT_CATALOG[format];
  if (record === "named") return readNamed(named(), (fields) => (open as Open)(fields, hasHeader));
  if (record === "capture") {
    return readBy((open as Open)(captureFields(field), hasHeader), readCapture);
  }
  return OWN_READERS[format as keyof typeof OWN_READERS](field, options);
}

/** Makes the readers for the formats that have one of their own. */
const OWN_READERS: Readonly<
  Record<
    OwnRecordFormat & LineRecordFormat,
    (field: FieldName, options: RecordOptions) => LineReader
  >
> = {
  lines: () => readUrlLine,
  "access-log": (_, { base }) => accessLogReader(base),
  "crawl-log": () => readBy(new CrawlLogReader(CRAWL_LOG_FIELDS, TEXT), readCrawlLog),
  wayback(field) {
    const reader = new WaybackReader(captureFields(field));
    return (line) => reader.read(line).map((row) => readRow(row, readCapture));
  },
};

type Open = NonNullable<FormatEntry["open"]>;

/** Reads rows whose fields have the names of a record's. */
function readNamed(
  named: NamedRecords,
  open: (fields: readonly FieldName[]) => RowReader,
): LineReader {
  return readBy(open(named.fields), (row) => named.read(row));
}

function readBy(reader: RowReader, read: (row: Fields) => Reading): LineReader {
  return (line) => readRow(reader.read(line), read);
}

function readRow(row: Fields | Malformed | null, read: (row: Fields) => Reading): Reading {
  return row === null || row instanceof Malformed ? row : read(row);
}

/**
 * Reads a line of a plain list, a URL a line, without white space around it. Lines that are blank or begin with `#` are
 * not records. A tab is malformed: the line is a table's, and a URL parser would drop the tab and take it all.
 */
function readUrlLine(line: string): Reading {
  const url = line.trim();
  if (url === "" || url.startsWith("#")) return null;
  if (url.includes("\t")) return new Malformed("a tab in a list of URLs");
  return { url };
}
