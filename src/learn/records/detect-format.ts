import { withoutMark } from "../../base/byte-order-mark.ts";
import { checkText, UrlmillError } from "../../base/errors.ts";
import { isCdxHeader, isCdxWidth } from "../../formats/archives/cdx.ts";
import { WARC_MAGIC } from "../../formats/archives/warc-header.ts";
import { excerpt } from "../../formats/excerpt.ts";
import { RECORD_FORMATS, type RecordFormat } from "./format.ts";

const COMPRESSION = /\.(?:gz|zst|bz2|xz)$/;
const CRAWL_LOG = /^(?:\d{4}-\d\d-\d\dT\S+|\d{17})\s+-?\d+\s+(?:\d+|-)\s+\S+\s/;
const CDXJ = /^\S+ \d{4,17} \{/;
const OPENWAYBACK_CDXJ = /^\S+ \S+ \w+ \{/;
/**
 * Matches a line of an access log. It allows no bracket inside brackets, so that matching is
 * linear.
 */
const ACCESS_LOG = /^\S+ .*?\[[^\][]+\] "/;
const SITEMAP = /^<(?:\?xml\s|!--|(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>])/;
/** Is part of the names of WAT files. Their content is WARC too. */
const WAT_NAME = /\.wat(?:\.|$)/i;
const TIMESTAMP = /^\d{4,17}$/;
/** Matches the header of a record in an ARC file: a URL, an IP address, a time and a MIME type. */
const ARC_METADATA = /^[a-z][a-z0-9+.-]*:\S+ (?:\d{1,3}\.){3}\d{1,3} \d{8,14} \S+(?: \S+)+$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Lists ends of file names and their formats, for content that does not show its format. */
const NAMES: readonly (readonly [string, RecordFormat])[] = [
  [".txt", "lines"],
  [".tsv", "tsv"],
  [".csv", "csv"],
  [".jsonl", "jsonl"],
  [".ndjson", "jsonl"],
  [".cdx", "cdx"],
  [".cdxj", "cdxj"],
  [".json", "wayback"],
  [".xml", "sitemap"],
  ["crawl.log", "crawl-log"],
  ["access.log", "access-log"],
  ["access_log", "access-log"],
];

/**
 * Returns the format of a list by its first line that is neither blank nor a comment, else by its
 * file's name; an empty list is `lines`. `firstBytes` may end anywhere, but should hold a whole
 * line. Throws `BAD_OPTION` if neither tells, or the line shows a format that is not read.
 *
 * @example
 * detectFormat('{"url":"http://a/"}\n', "list.txt"); // "jsonl"
 */
export function detectFormat(firstBytes: string, fileName: string): RecordFormat {
  checkText(firstBytes, "firstBytes");
  const lines = withoutMark(firstBytes).split(/\r?\n/, 1000);
  const line = lines.find((text) => text.trim() !== "" && !text.startsWith("#"));
  if (line?.startsWith(WARC_MAGIC)) return WAT_NAME.test(fileName) ? "wat" : "warc";
  if (line !== undefined && !isCdxHeader(line)) checkFormat(line, fileName);
  const format = (line === undefined ? null : formatOfLine(line)) ?? formatOfName(fileName);
  if (format !== null) return format;
  if (line === undefined) return "lines";
  throw new UrlmillError(
    "BAD_OPTION",
    `cannot tell the format of ${fileName} from its first line ${excerpt(line)}; say which: ${RECORD_FORMATS.join(", ")}`,
  );
}

/** Throws `BAD_OPTION` for a format that is not read but could be taken for a list of URLs. */
function checkFormat(line: string, fileName: string): void {
  const refuse = (what: string): UrlmillError =>
    new UrlmillError("BAD_OPTION", `${fileName} ${what}`);
  const text = line.trim();
  if (ARC_METADATA.test(text)) {
    throw refuse("is metadata of ARC files, which is not read; cut out its first field, the URLs");
  }
  const fields = text.split(" ");
  const isCdx = TIMESTAMP.test(fields[1] ?? "") && HAS_SCHEME.test(fields[2] ?? "");
  if (isCdx && !isCdxWidth(fields.length)) {
    throw refuse(
      `is CDX with ${fields.length} columns and no header: only 7, 9, 10 and 11 columns are known; add a first line that names the columns, such as " CDX N b a m s k S"`,
    );
  }
}

function formatOfLine(line: string): RecordFormat | null {
  const text = line.trim();
  if (text.startsWith("{")) return "jsonl";
  if (text === "[" || text.startsWith("[[") || text.startsWith('["')) return "wayback";
  if (SITEMAP.test(text)) return "sitemap";
  if (isCdxHeader(line)) return "cdx";
  if (CDXJ.test(text) || OPENWAYBACK_CDXJ.test(text) || /^[!@]\w/.test(text)) return "cdxj";
  if (CRAWL_LOG.test(text)) return "crawl-log";
  if (ACCESS_LOG.test(text)) return "access-log";
  if (text === "url") return "tsv";
  if (line.includes("\t")) {
    const names = line.split("\t");
    // Without a header a table of URLs cannot be read, and its first row must not be taken for one.
    return names.includes("url") || !names.some((name) => HAS_SCHEME.test(name)) ? "tsv" : null;
  }
  if (line.includes(",") && line.split(",").some((name) => name === "url" || name === '"url"')) {
    return "csv";
  }
  const fields = text.split(" ");
  if (isCdxWidth(fields.length) && TIMESTAMP.test(fields[1] ?? "")) return "cdx";
  if (HAS_SCHEME.test(text)) return "lines";
  return fields.length === 1 && /[./]/.test(text) ? "lines" : null;
}

function formatOfName(fileName: string): RecordFormat | null {
  const name = fileName.toLowerCase().replace(COMPRESSION, "");
  return NAMES.find(([end]) => name.endsWith(end))?.[1] ?? null;
}
