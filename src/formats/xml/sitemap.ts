import { toByteString, utf8ByteString } from "../../url/bytes.ts";
import {
  type Boundary,
  type Format,
  HEADER,
  MALFORMED,
  MISSING,
  type RecordSpan,
} from "../format.ts";
import { inUtf8 } from "./encoding.ts";
import { type Entry, EntryReader, type Link } from "./entries.ts";
import { areAlike, rootOf, unreadable } from "./root.ts";
import { CDATA_END, CDATA_START, XmlScanner } from "./xml-scanner.ts";
import { trimSpace, unescapeXml, xmlEscape } from "./xml-text.ts";

const NO_BYTES: Uint8Array = new Uint8Array(0);
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Reads what sitemaps.org lists as sitemaps, by the root element: sitemaps and their indexes, RSS 2.0 and 1.0, and Atom. A
 * record is an entry: `url` or `sitemap`, `item`, or `entry`. Its URL is the child `loc`, the child `link`, or `href` of
 * the first `link` that is without `rel` or `alternate`, with the prefix of the entry. Everything between records is
 * copied, including comments and their contents. The header of an input is the declaration and the start tag of its root
 * element, and that of an element around the entries that names a base for their links.
 */
export const sitemap: Format = {
  lastByte: null,
  startsWithHeader: false,
  boundary: sitemapBoundary,
  headerOf: (bytes) => rootTagOf(toByteString(bytes)),
  agree(header, other) {
    const [one, next] = [rootOf(header), rootOf(other)];
    return areAlike(one, next) && one.hasBase === next.hasBase;
  },
  read(text, { header }) {
    const records: RecordSpan[] = [];
    let at = 0;
    const textOf = (from: number, to: number) => text.slice(from, to);
    const take = (entry: Entry) => {
      const { start, end } = entry;
      if (start > at) records.push({ ...HEADER, start: at, end: start });
      const encoding = entries.root?.encoding ?? null;
      records.push({ ...readEntry(text, entry, encoding), start, end });
      at = end;
    };
    const entries = new EntryReader(textOf, take, header === null ? null : rootOf(header));
    new XmlScanner(entries).take(text);
    entries.finish(text.length);
    if (at < text.length) records.push({ ...HEADER, start: at, end: text.length });
    return records;
  },
  quote: xmlEscape,
  append: (record) => record,
  appendToHeader: (text) => text,
};

/**
 * Returns the header of an input, or undefined for a text of white space. Throws `BAD_OPTION` for a document
 * that is neither a sitemap nor a feed.
 */
export function rootTagOf(text: string): string | undefined {
  const entries = new EntryReader(
    (from, to) => text.slice(from, to),
    () => {},
  );
  new XmlScanner(entries).take(text);
  if (entries.root !== null) return entries.root.tag;
  if (trimSpace(text) === "") return undefined;
  throw unreadable("it has no root element");
}

function sitemapBoundary(): Boundary {
  let last = 0;
  let current = NO_BYTES;
  const entries = new EntryReader(
    (from, to) => toByteString(current.subarray(from, to)),
    ({ end }) => {
      last = end;
    },
  );
  const scanner = new XmlScanner(entries);
  return (bytes) => {
    last = 0;
    current = bytes;
    scanner.take(toByteString(bytes.subarray(scanner.next)));
    scanner.drop(last);
    current = NO_BYTES;
    return last;
  };
}

function readEntry(
  text: string,
  { link, hasBase }: Entry,
  encoding: string | null,
): Omit<RecordSpan, "start" | "end"> {
  if (link === null) return MISSING;
  const record = readLink(text, link, encoding);
  // A base of the call is not the one that the document names.
  return hasBase && !HAS_SCHEME.test(record.url) ? MALFORMED : record;
}

/**
 * Returns the URL of a link in UTF-8, without the white space around it. That white space stays when a key replaces the
 * URL. `encoding`: that of the text, or null for UTF-8.
 */
function readLink(
  text: string,
  link: Link,
  encoding: string | null,
): Omit<RecordSpan, "start" | "end"> {
  let url = "";
  let from = -1;
  let to = link.from;
  for (const piece of link.pieces) {
    const written = text.slice(piece.from, piece.to);
    const decoded = inUtf8(written, encoding);
    if (decoded === null) return MALFORMED;
    if (piece.isCdata) url += decoded.slice(CDATA_START.length, -CDATA_END.length);
    else url += unescapeXml(decoded, utf8ByteString);
    const trimmed = piece.isCdata ? written : trimSpace(written);
    if (trimmed === "") continue;
    const start = piece.from + written.indexOf(trimmed);
    if (from < 0) from = start;
    to = start + trimmed.length;
  }
  return { from: from < 0 ? to : from, to, url: trimSpace(url), kind: "url" };
}
