import type { Column } from "../engine/engine.ts";
import { toByteString } from "../url/bytes.ts";
import { type ChunkPlace, contentEnd, type Format, type RecordSpan } from "./format.ts";
import type { RowLayout } from "./scan/layout.ts";
import { Scanned, type ScannedRows, type Scanner, sharedScanner } from "./scan/scanner.ts";

export const RecordKind = {
  /** It has a URL that is written as it is. */
  PLAIN: 0,
  /** It has a URL that is written as it is, in quotes that it does not need. */
  QUOTED: 1,
  /** It lacks its URL. */
  MISSING: 2,
  /** It has a URL that is written in another way, with escapes or spaces. */
  READ: 4,
  /** The line is not a record of the format. */
  MALFORMED: 5,
  /** The text is not a record and is copied. */
  HEADER: 6,
  /** The text is the header of a later input and is left out. */
  REPEATED: 7,
} as const;

const KINDS: Readonly<Record<RecordSpan["kind"], number>> = {
  url: RecordKind.READ,
  header: RecordKind.HEADER,
  repeated: RecordKind.REPEATED,
  missing: RecordKind.MISSING,
  malformed: RecordKind.MALFORMED,
};

export function hasUrl(kind: number): boolean {
  return kind < RecordKind.MISSING || kind === RecordKind.READ;
}

/** Holds records that follow each other in a text. The views are valid until the next ones are read. */
export interface Records {
  readonly rows: number;
  /** The start of each record in the text, and the end of the last. */
  readonly starts: Int32Array;
  /** Where the URL of each record is written, with its quotes. Void for a record without one. */
  readonly froms: Int32Array;
  readonly tos: Int32Array;
  /** The `RecordKind` of each. */
  readonly kinds: Uint8Array;
  /** The URLs of the records, one a row. The row of a record without a URL is empty. */
  readonly urls: Column;
  /** The scanner, which holds the text of records that were not READ. Null if it did not scan them. */
  readonly scanner: Scanner | null;
}

/** Reads the records of texts, by the scanner if it knows their format. */
export class RecordReader {
  readonly #format: Format;
  /** Null if records are read in JavaScript. */
  readonly #scanner: Scanner | null;
  readonly #interleaves: boolean;
  #known: { readonly header: string | null; readonly layout: RowLayout | null } | null = null;

  /** `scans`: says whether WebAssembly may run. `interleaves`: says whether keys will be added to the records. */
  constructor(format: Format, scans: boolean, interleaves = false) {
    this.#format = format;
    this.#interleaves = interleaves;
    this.#scanner = scans && format.layout !== undefined ? sharedScanner() : null;
  }

  /** Yields the records of a text that holds whole records, in order. */
  *read(text: Uint8Array, place: ChunkPlace): Generator<Records, void, undefined> {
    const scanner = this.#scanner;
    const header = this.#headerOf(text, place);
    const layout = scanner === null ? null : this.#layoutOf(header);
    if (
      scanner === null ||
      layout === null ||
      !scanner.use(layout) ||
      !scanner.load(text, this.#interleaves)
    ) {
      yield recordsOf(this.#format.read(toByteString(text), place));
      return;
    }
    // The first line that is not empty may be a header.
    let head = place.isStart && (this.#format.startsWithHeader || place.header !== null);
    for (let at = 0; at < text.length; ) {
      const rows = scanner.scan(layout, at, text.length);
      const first = at === 0 ? place : { header, isStart: false };
      if (head) head = !markHead(rows, text, this.#format);
      yield this.#complete(scanner, text, rows, layout, first, header);
      at = rows.starts[rows.rows] as number;
    }
  }

  /** Returns how rows after a header are written. Most texts have the header of the one before. */
  #layoutOf(header: string | null): RowLayout | null {
    if (this.#known?.header !== header) {
      this.#known = { header, layout: this.#format.layout?.(header) ?? null };
    }
    return this.#known.layout;
  }

  #headerOf(text: Uint8Array, { header, isStart }: ChunkPlace): string | null {
    if (header !== null || !isStart || this.#scanner === null) return header;
    return this.#format.headerOf(text) ?? null;
  }

  /** Reads the rows that are not clear, and returns all. `first`: the place of the first row. */
  #complete(
    scanner: Scanner,
    text: Uint8Array,
    scanned: ScannedRows,
    layout: RowLayout,
    first: ChunkPlace,
    header: string | null,
  ): Records {
    const { rows, starts, kinds } = scanned;
    const froms = scanned.froms.slice();
    const tos = scanned.tos.slice();
    const isQuoted = layout.kind === "json";
    for (let row = 0; row < rows; row++) {
      const kind = kinds[row] as number;
      if (kind === Scanned.QUOTED || (isQuoted && kind === Scanned.URL)) {
        froms[row] = (froms[row] as number) - 1;
        tos[row] = (tos[row] as number) + 1;
      }
      if (kind !== Scanned.UNCLEAR) continue;
      const end = endOfUnclear(kinds, row);
      const place = row === 0 ? first : { header, isStart: false };
      const begin = starts[row] as number;
      const written = toByteString(text.subarray(begin, starts[end]));
      for (const record of this.#format.read(written, place)) {
        scanner.put(scanned, row, record.url);
        froms[row] = begin + record.from;
        tos[row] = begin + record.to;
        kinds[row++] = KINDS[record.kind];
      }
      if (row !== end) throw new Error(`the scanner found ${end} rows, and the reader ${row}`);
      row--;
    }
    return { rows, starts, froms, tos, kinds, urls: scanner.column(rows), scanner };
  }
}

/** Returns the end of the rows from `row` on that are not clear. */
function endOfUnclear(kinds: Uint8Array, row: number): number {
  let end = row;
  while (kinds[end] === Scanned.UNCLEAR) end++;
  return end;
}

/** Marks the rows up to the first that is not empty or a preface: it may be a header. Returns whether there is such a row. */
function markHead({ rows, starts, kinds }: ScannedRows, text: Uint8Array, format: Format): boolean {
  for (let row = 0; row < rows; row++) {
    kinds[row] = Scanned.UNCLEAR;
    const written = toByteString(text.subarray(starts[row], starts[row + 1]));
    const line = written.slice(0, contentEnd(written, 0, written.length));
    if (line !== "" && format.isPreface?.(line) !== true) return true;
  }
  return false;
}

/** Returns records that are read in JavaScript. */
function recordsOf(spans: readonly RecordSpan[]): Records {
  const rows = spans.length;
  const records = {
    rows,
    starts: new Int32Array(rows + 1),
    froms: new Int32Array(rows),
    tos: new Int32Array(rows),
    kinds: new Uint8Array(rows),
  };
  const offsets = new Int32Array(rows + 1);
  for (const [row, { start, end, from, to, url, kind }] of spans.entries()) {
    records.starts[row] = start;
    records.starts[row + 1] = end;
    records.froms[row] = from;
    records.tos[row] = to;
    records.kinds[row] = KINDS[kind];
    offsets[row + 1] = (offsets[row] as number) + url.length;
  }
  const data = Buffer.from(spans.map(({ url }) => url).join(""), "latin1");
  return { ...records, urls: { data, offsets }, scanner: null };
}
