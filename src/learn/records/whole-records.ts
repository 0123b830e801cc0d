import { MARK_BYTES, MARK_LENGTH } from "../../base/byte-order-mark.ts";
import {
  type Boundary,
  boundaryBy,
  contentEnd,
  type EndSearch,
  type Format,
  LONGEST_RECORD,
  lineEnds,
  type RecordEnd,
} from "../../formats/format.ts";
import { Malformed } from "../../formats/row.ts";
import { csvRowEnd } from "../../formats/tables/csv.ts";
import { csvEndSearch, mendCsv, RFC_4180 } from "../../formats/tables/csv-records.ts";
import { tabSeparatedLastEnd, tabSeparatedRowEnd } from "../../formats/tables/tab-separated.ts";
import { rootTagOf, sitemap } from "../../formats/xml/sitemap.ts";
import { decodeUtf8, toByteString } from "../../url/bytes.ts";
import { LF } from "../../url/chars.ts";
import type { LineReader, Reading, TakeReading } from "./record.ts";

/** Bytes of records that are read at a time after a doubtful one. */
const CHUNK = 1 << 20;
/** Says what an entry lacks whose link cannot be read. */
const UNLINKED = "an entry without loc or link";
/** How the rows of tables end whose rows may hold line ends. */
const TABLES: Record<"csv" | "TabSeparated", TableEnds> = {
  csv: {
    lastEnd: csvEndSearch(RFC_4180),
    rowEnd: csvRowEnd(RFC_4180),
    mend: (text, isWhole, most) => mendCsv(text, RFC_4180, isWhole, most),
  },
  TabSeparated: { lastEnd: tabSeparatedLastEnd, rowEnd: tabSeparatedRowEnd },
};

/** Finds where the rows of a table end. */
interface TableEnds extends Pick<Format, "mend"> {
  readonly lastEnd: EndSearch;
  readonly rowEnd: RecordEnd;
}

/** Finds where records end, the last of some bytes, and of those with doubtful quotes. */
interface Ends extends Pick<Format, "mend"> {
  /** Begins anew with the record after a doubtful one. */
  readonly boundary: () => Boundary;
}

/** A record, and where it ends in its text. */
interface ReadRecord {
  readonly reading: Reading | readonly Reading[];
  readonly end: number;
}

/** Reads the records of whole records' text, a byte string. */
type RecordsReader = (text: string) => Iterable<ReadRecord>;

/** Cuts bytes into records that are not lines, and reads each. A chunk may end anywhere. */
export class WholeRecords {
  readonly #take: TakeReading;
  readonly #ends: Ends;
  #boundary: Boundary;
  readonly #parts: RecordsReader;
  #held = new Uint8Array(0);
  #length = 0;
  /** The held bytes that the boundary knows. */
  #known = 0;
  /** Gives the number of the line in which the held bytes begin. */
  #line = 1;
  #isLost = false;
  #lineEnds = 0;
  #endsLine = true;

  private constructor(ends: Ends, parts: RecordsReader, take: TakeReading) {
    this.#ends = ends;
    this.#boundary = ends.boundary();
    this.#parts = parts;
    this.#take = take;
  }

  /** Returns a reader of the entries of a sitemap or feed, each as its URL. */
  static ofSitemap(take: TakeReading): WholeRecords {
    let header: string | undefined;
    const parts = (text: string): Iterable<ReadRecord> => {
      header ??= rootTagOf(text);
      return sitemapParts(text, header ?? null);
    };
    return new WholeRecords({ boundary: () => sitemap.boundary() }, parts, take);
  }

  /**
   * Returns a reader of the rows of a table, which may hold line ends. `read` gets their text in UTF-8, as a byte
   * string.
   */
  static ofTable(format: keyof typeof TABLES, read: LineReader, take: TakeReading): WholeRecords {
    const { lastEnd, rowEnd, mend } = TABLES[format];
    let isFirst = true;
    function* parts(text: string): Generator<ReadRecord> {
      for (let at = 0; at < text.length; ) {
        const end = rowEnd(text, at);
        const from = isFirst && text.startsWith(MARK_BYTES, at) ? at + MARK_LENGTH : at;
        isFirst = false;
        yield { reading: read(text.slice(from, contentEnd(text, from, end))), end };
        at = end;
      }
    }
    const boundary = (): Boundary => boundaryBy(lastEnd);
    return new WholeRecords(mend === undefined ? { boundary } : { boundary, mend }, parts, take);
  }

  /** Counts the lines so far, the begun one too. */
  get lines(): number {
    return this.#lineEnds + (this.#endsLine ? 0 : 1);
  }

  /** Takes the next bytes, whose memory may be used again after the call. */
  push(chunk: Uint8Array, final: boolean): void {
    this.#lineEnds += lineEnds(chunk);
    if (chunk.length > 0) this.#endsLine = chunk.at(-1) === LF;
    if (this.#isLost) return;
    this.#hold(chunk);
    for (let end = this.#end(final); end > 0; end = this.#end(final)) {
      this.#read(this.#held.subarray(0, end));
      this.#held.copyWithin(0, end, this.#length);
      this.#length -= end;
      this.#known = Math.max(0, this.#known - end);
    }
    if (this.#length <= LONGEST_RECORD) return;
    this.#isLost = true;
    const limit = `a record of more than ${LONGEST_RECORD} bytes; the rest of the file is not read`;
    this.#take(new Malformed(limit), this.#line);
  }

  /** Returns where the last record ends that ends in the held bytes, or 0. */
  #end(final: boolean): number {
    const held = this.#held.subarray(0, this.#length);
    if (final) return held.length;
    if (this.#known === held.length) return 0;
    const end = this.#boundary(held, this.#known);
    this.#known = held.length;
    if (end >= 0 && held.length <= LONGEST_RECORD) return end;
    const mended = this.#ends.mend?.(toByteString(held), false, CHUNK)?.end ?? 0;
    if (mended === 0) return end;
    // What comes after it is searched from its beginning.
    this.#boundary = this.#ends.boundary();
    this.#known = 0;
    return mended;
  }

  #hold(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#held.length) {
      const held = new Uint8Array(Math.max(length, 2 * this.#held.length));
      held.set(this.#held.subarray(0, this.#length));
      this.#held = held;
    }
    this.#held.set(chunk, this.#length);
    this.#length = length;
  }

  #read(bytes: Uint8Array): void {
    const text = toByteString(bytes);
    let start = 0;
    for (const { reading, end } of this.#parts(text)) {
      for (const one of Array.isArray(reading) ? reading : [reading]) this.#take(one, this.#line);
      this.#line += lineEnds(bytes.subarray(start, end));
      start = end;
    }
  }
}

function* sitemapParts(text: string, header: string | null): Generator<ReadRecord> {
  for (const { kind, url, end } of sitemap.read(text, { header, isStart: header === null })) {
    if (kind === "header") yield { reading: null, end };
    else yield { reading: kind === "url" ? recordOf(url) : new Malformed(UNLINKED), end };
  }
}

function recordOf(bytes: string): Reading {
  const url = decodeUtf8(bytes);
  if (url === null) return new Malformed("not UTF-8");
  return url === "" ? new Malformed("the url is empty") : { url };
}
