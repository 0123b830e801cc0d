import { decodeUtf8, utf8ByteString } from "../../engine/js/bytes.ts";
import { type Format, HEADER, MISSING, type RecordSpan } from "./format.ts";

const ENTRY_END = /<\/(?:\w+:)?(?:url|sitemap)\s*>/g;
/** Bytes of an end tag that begins in one chunk and ends in the next; after a longer one nothing is cut. */
const LONGEST_TAG = 1 << 10;
const ENTRY_START = /<(?:\w+:)?(?:url|sitemap)(?=[\s>])/g;
/** A `loc`, with the prefix of its name: `image:loc` is another element than `loc`. */
const LOC = /<(\w+:)?loc\s*>(?:\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*|([^<]*))<\/(?:\w+:)?loc\s*>/g;
const PREFIX = /^<(\w+:)?/;
const ENTITY = /&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Sitemaps and sitemap indexes (sitemaps.org): a record is a `url` or `sitemap` element, its URL the
 * text of its `loc`; what stands between records passes as it is.
 */
export const sitemap: Format = {
  boundary(bytes, from) {
    const start = Math.max(0, from - LONGEST_TAG);
    const { buffer, byteOffset, length } = bytes.subarray(start);
    const text = Buffer.from(buffer, byteOffset, length).toString("latin1");
    let end = 0;
    ENTRY_END.lastIndex = 0;
    for (const match of text.matchAll(ENTRY_END)) end = start + match.index + match[0].length;
    return end;
  },
  read(text) {
    const records: RecordSpan[] = [];
    let at = 0;
    for (;;) {
      ENTRY_START.lastIndex = at;
      const start = ENTRY_START.exec(text)?.index ?? text.length;
      if (start > at) records.push({ ...HEADER, start: at, end: start });
      if (start === text.length) return records;
      ENTRY_END.lastIndex = start;
      const close = ENTRY_END.exec(text);
      const end = close === null ? text.length : close.index + close[0].length;
      records.push({ ...readLoc(text.slice(start, end), start), start, end });
      at = end;
    }
  },
  quote: (key) => key.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string),
  append: () => null,
};

function readLoc(entry: string, start: number): Omit<RecordSpan, "start" | "end"> {
  const prefix = PREFIX.exec(entry)?.[1];
  for (const match of entry.matchAll(LOC)) {
    const [whole, locPrefix, data, escaped = ""] = match;
    if (locPrefix !== prefix) continue;
    const url = data === undefined ? unescapeXml(escaped.trim()) : data.trim();
    // CDATA goes as a whole: keys are written escaped.
    const written = data === undefined ? escaped.trim() : `<![CDATA[${data}]]>`;
    const from = start + match.index + whole.indexOf(written, whole.indexOf(">") + 1);
    return { from, to: from + written.length, url, kind: "url" };
  }
  return MISSING;
}

function unescapeXml(text: string): string {
  if (!text.includes("&")) return text;
  const decoded = decodeUtf8(text);
  if (decoded === null) return text; // the normalizer says what is wrong with its bytes
  return utf8ByteString(
    decoded.replaceAll(ENTITY, (entity, hex, decimal, name) => {
      if (name !== undefined) return NAMED[name] ?? entity;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isScalar ? String.fromCodePoint(code) : entity;
    }),
  );
}
