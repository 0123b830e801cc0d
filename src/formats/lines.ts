import { UrlmillError } from "../base/errors.ts";
import { LF } from "../url/chars.ts";
import { beginsAsWarc } from "./archives/warc-header.ts";
import { addKey, type Format, type RecordSpan } from "./format.ts";
import { lineFormat } from "./line-format.ts";
import { BYTES, type Row, type RowReader } from "./row.ts";
import type { Addition } from "./scan/layout.ts";
import { Columns } from "./tables/columns.ts";

/** Reads one URL a line, which is the whole line. */
class LinesReader implements RowReader {
  readonly header = null;
  readonly #columns = new Columns(BYTES, [0]);

  read(line: string): Row {
    this.#columns.begin(line);
    this.#columns.place(0, 0, line.length);
    return this.#columns;
  }
}

/** Adds a key before a line, with a tab between. */
export const KEY_BEFORE_LINE: Addition = {
  place: "start",
  before: "",
  after: "\t",
  quoting: "none",
  none: "",
};

/** Returns the format with one URL a line. It refuses a web archive, whose lines are not URLs. */
export const lines: Format = {
  ...lineFormat({
    open: () => new LinesReader(),
    quote: (key) => key,
    addition: KEY_BEFORE_LINE,
    // No byte of a line separates fields.
    layout: () => ({ kind: "fields", separator: LF, field: 0, widths: 0 }),
  }),
  headerOf(bytes) {
    if (!beginsAsWarc(bytes)) return null;
    throw new UrlmillError(
      "BAD_OPTION",
      "it is a web archive; add --format warc for its pages, or --format wat for the links in a WAT file",
    );
  },
};

/** The byte after a line of `-z`. */
export const NUL = 0;

/** The format of `-z`: one URL a line, and lines end at NUL, as `sort -z` and `find -print0` write them. */
export const linesToNul: Format = {
  lastByte: NUL,
  startsWithHeader: false,
  boundary: () => (bytes, from) => {
    const end = bytes.subarray(from).lastIndexOf(NUL);
    return end < 0 ? 0 : from + end + 1;
  },
  headerOf: () => null,
  read: (text) => [...nulSpans(text)],
  quote: (key) => key,
  append: (line, key) => addKey(line, KEY_BEFORE_LINE, key),
  addition: KEY_BEFORE_LINE,
  appendToHeader: (header) => header,
};

function* nulSpans(text: string): Generator<RecordSpan> {
  for (let start = 0; start < text.length; ) {
    const nul = text.indexOf("\0", start);
    const to = nul < 0 ? text.length : nul;
    const end = nul < 0 ? to : nul + 1;
    yield { start, end, from: start, to, url: text.slice(start, to), kind: "url" };
    start = end;
  }
}
