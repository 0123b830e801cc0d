import { Columns } from "./columns.ts";
import type { Format } from "./format.ts";
import { lineFormat } from "./line-format.ts";
import { BYTES, type Row, type RowReader } from "./row.ts";

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

/** Reads one URL a line. */
export const lines: Format = lineFormat({
  open: () => new LinesReader(),
  quote: (key) => key,
  append: (record, key) => `${key}\t${record}`,
});
