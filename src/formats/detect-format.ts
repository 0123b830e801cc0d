import { withoutMark } from "../base/byte-order-mark.ts";
import { checkText, UrlmillError } from "../base/errors.ts";
import { isCdxHeader, isCdxWidth } from "./archives/cdx.ts";
import { FORMAT_CATALOG, RECORD_FORMATS, type RecordFormat } from "./catalog.ts";
import { excerpt } from "./excerpt.ts";

const COMPRESSION = /\.(?:gz|zst|bz2|xz)$/;
const TIMESTAMP = /^\d{4,17}$/;
/** Matches the header of a record in an ARC file: a URL, an IP address, a time and a MIME type. */
const ARC_METADATA = /^[a-z][a-z0-9+.-]*:\S+ (?:\d{1,3}\.){3}\d{1,3} \d{8,14} \S+(?: \S+)+$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Returns whether a text begins as an absolute URL with an authority. */
export function beginsAsUrl(text: string): boolean {
  return HAS_SCHEME.test(text);
}

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
  if (line !== undefined && !isCdxHeader(line)) checkFormat(line, fileName);
  const format =
    (line === undefined ? null : formatOfLine(line, fileName)) ?? formatOfName(fileName);
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

/** Returns the most particular format that a line shows. */
export function formatOfLine(line: string, fileName: string): RecordFormat | null {
  return RECORD_FORMATS.findLast((name) => FORMAT_CATALOG[name].isShown?.(line, fileName)) ?? null;
}

/** Returns the format that the end of a file's name tells, before the ending of a compression. */
export function formatOfName(fileName: string): RecordFormat | null {
  const file = fileName.toLowerCase().replace(COMPRESSION, "");
  return (
    RECORD_FORMATS.find((name) => FORMAT_CATALOG[name].ends.some((end) => file.endsWith(end))) ??
    null
  );
}
