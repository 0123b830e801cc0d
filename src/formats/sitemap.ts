import { toByteString, utf8ByteString } from "../url/bytes.ts";
import { type Boundary, type Format, HEADER, MISSING, type RecordSpan } from "./format.ts";
import { CDATA_END, CDATA_START, type TagKind, XmlScanner, type XmlSink } from "./xml-scanner.ts";
import { unescapeXml, xmlEscape } from "./xml-text.ts";

/**
 * Reads sitemaps and sitemap indexes (sitemaps.org): a record is a `url` or `sitemap` element, its
 * URL the text of the `loc` that is its child and has the same prefix. What stands between records
 * passes as it is, comments with all that is in them too.
 */
export const sitemap: Format = {
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
  append: () => null,
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

/** A piece of a `loc`: text, or a CDATA section. */
interface LocPart {
  readonly from: number;
  readonly to: number;
  readonly isCdata: boolean;
}

/** The content of a `loc`, which begins at `from`. */
interface Loc {
  readonly from: number;
  readonly pieces: LocPart[];
}

/** Where an entry stands, and its `loc`, or null where it has none that holds text alone. */
interface Entry {
  readonly start: number;
  readonly end: number;
  readonly loc: Loc | null;
}

/**
 * Finds the entries of a sitemap among its tags. One that is not closed ends where the next of its name
 * begins.
 */
class EntryReader implements XmlSink {
  readonly #take: (entry: Entry) => void;
  /** Names the element of the entry under way; "" between entries. */
  #name = "";
  #start = 0;
  /** Elements that are open in the entry. */
  #depth = 0;
  /** The `loc` under way; null outside of one. */
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
      this.#open = null; // a loc holds text alone
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

/** The prefix of a name with its colon, or "". */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(":") + 1);
}

/** The URL in a `loc`: white space around it goes, and stays where a key takes its place. */
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

/** Without the white space of XML around it; `trim` would take bytes of UTF-8 too. */
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
