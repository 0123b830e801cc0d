import { decodeUtf8, utf8ByteString } from "../../engine/js/bytes.ts";
import { type Format, HEADER, MISSING, type RecordSpan } from "./format.ts";

const ENTRY_END = /<\/(?:\w+:)?(?:url|sitemap)\s*>/g;
const ENTRY_START = /<(?:\w+:)?(?:url|sitemap)(?=[\s>])/g;
const LOC = /<(?:\w+:)?loc\s*>\s*(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*?))\s*<\/(?:\w+:)?loc\s*>/;
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
  boundary(bytes) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    let end = 0;
    ENTRY_END.lastIndex = 0;
    for (const match of text.matchAll(ENTRY_END)) end = match.index + match[0].length;
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
  const match = LOC.exec(entry);
  if (match === null) return MISSING;
  const [whole, data, escaped] = match;
  const written = data ?? escaped ?? "";
  const at = start + match.index;
  // CDATA goes as a whole: keys are written escaped.
  const inside = data === undefined ? written : `<![CDATA[${data}]]>`;
  const from = at + whole.indexOf(inside, whole.indexOf(">") + 1);
  const url = data === undefined ? unescapeXml(written) : written.trim();
  return { from, to: from + inside.length, url, kind: "url" };
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
