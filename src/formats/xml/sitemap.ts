import { toByteString, utf8ByteString } from "../../url/bytes.ts";
import { type Boundary, type Format, HEADER, MISSING, type RecordSpan } from "../format.ts";
import {
  CDATA_END,
  CDATA_START,
  type TagKind,
  type XmlHandler,
  XmlScanner,
} from "./xml-scanner.ts";
import { unescapeXml, xmlEscape } from "./xml-text.ts";

/**
 * Reads sitemaps and sitemap indexes (sitemaps.org). A record is a `url` or `sitemap` element. Its URL is the text of
 * the child `loc` with the same prefix. Everything between records is copied, including comments and their contents.
 */
export const sitemap: Format = {
  lastByte: null,
  startsWithHeader: false,
  boundary: sitemapBoundary,
  headerOf: () => null,
  read(text) {
    const records: RecordSpan[] = [];
    let at = 0;
    const entries = new EntryReader(({ start, end, loc }) => {
      if (start > at) records.push({ ...HEADER, start: at, end: start });
      records.push({ ...readLoc(text, loc), start, end });
      at = end;
    });
    new XmlScanner(entries).take(text);
    entries.finish(text.length);
    if (at < text.length) records.push({ ...HEADER, start: at, end: text.length });
    return records;
  },
  quote: xmlEscape,
  append: (record) => record,
  appendToHeader: (text) => text,
};

function sitemapBoundary(): Boundary {
  let last = 0;
  const scanner = new XmlScanner(
    new EntryReader(({ end }) => {
      last = end;
    }),
  );
  return (bytes) => {
    last = 0;
    scanner.take(toByteString(bytes.subarray(scanner.next)));
    scanner.drop(last);
    return last;
  };
}

/** Holds a piece of a `loc`: text, or a CDATA section. */
interface LocPart {
  readonly from: number;
  readonly to: number;
  readonly isCdata: boolean;
}

/** Holds the content of a `loc`, which begins at `from`. */
interface Loc {
  readonly from: number;
  readonly pieces: LocPart[];
}

/** Holds the position of an entry and its `loc`. The `loc` is null if the entry does not have one with only text. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly loc: Loc | null;
}

/**
 * Finds the entries of a sitemap among its tags. An unclosed entry ends where the next one of the same name begins.
 */
class EntryReader implements XmlHandler {
  readonly #take: (entry: Entry) => void;
  /** The name of the element of the current entry, or "" between entries. */
  #name = "";
  #start = 0;
  /** The number of elements that are open in the entry. */
  #depth = 0;
  /** The current `loc`, or null outside of one. */
  #open: Loc | null = null;
  #loc: Loc | null = null;

  constructor(take: (entry: Entry) => void) {
    this.#take = take;
  }

  tag(kind: TagKind, name: string, from: number, to: number): void {
    if (kind === "end") {
      if (name === this.#name) this.#end(to);
      else if (this.#name !== "") this.#endElement();
      return;
    }
    const isNext = this.#name === "" ? isEntry(name) : name === this.#name;
    if (isNext) {
      this.finish(from);
      this.#name = name;
      this.#start = from;
      this.#depth = 0;
      if (kind === "empty") this.#end(to);
    } else if (this.#name !== "") {
      this.#open = null; // a loc may contain only text
      if (kind === "empty") return;
      this.#depth++;
      const isLoc = this.#depth === 1 && name === `${prefixOf(this.#name)}loc`;
      if (isLoc && this.#loc === null) this.#open = { from: to, pieces: [] };
    }
  }

  text(from: number, to: number): void {
    this.#open?.pieces.push({ from, to, isCdata: false });
  }

  cdata(from: number, to: number): void {
    this.#open?.pieces.push({ from, to, isCdata: true });
  }

  /** Ends an entry that is not closed. */
  finish(at: number): void {
    if (this.#name !== "") this.#end(at);
  }

  #endElement(): void {
    if (this.#depth > 0) this.#depth--;
    if (this.#open !== null) this.#loc = this.#open;
    this.#open = null;
  }

  #end(end: number): void {
    this.#take({ start: this.#start, end, loc: this.#loc });
    this.#name = "";
    this.#open = null;
    this.#loc = null;
  }
}

function isEntry(name: string): boolean {
  const local = name.slice(prefixOf(name).length);
  return local === "url" || local === "sitemap";
}

/** Returns the prefix of a name, including its colon, or "". */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(":") + 1);
}

/** Returns the URL in a `loc` without the white space around it. That white space stays when a key replaces the URL. */
function readLoc(text: string, loc: Loc | null): Omit<RecordSpan, "start" | "end"> {
  if (loc === null) return MISSING;
  let url = "";
  let from = -1;
  let to = loc.from;
  for (const piece of loc.pieces) {
    const written = text.slice(piece.from, piece.to);
    if (piece.isCdata) url += written.slice(CDATA_START.length, -CDATA_END.length);
    else url += unescapeXml(written, utf8ByteString);
    const trimmed = piece.isCdata ? written : trimSpace(written);
    if (trimmed === "") continue;
    const start = piece.from + written.indexOf(trimmed);
    if (from < 0) from = start;
    to = start + trimmed.length;
  }
  return { from: from < 0 ? to : from, to, url: trimSpace(url), kind: "url" };
}

/** Removes XML white space around a text. `trim` would also remove bytes of UTF-8. */
function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
