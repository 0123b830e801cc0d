import { UrlmillError } from "../base/errors.ts";
import { LF } from "../url/chars.ts";
import { beginsAsWarc } from "./archives/warc-header.ts";
import type { Format } from "./format.ts";
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
