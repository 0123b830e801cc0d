import { SPACE } from "../../url/chars.ts";
import { type Format, SPACED_ADDITION } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  isBlank,
  Malformed,
  type Row,
  type RowReader,
} from "../row.ts";
import { Columns } from "../tables/columns.ts";

/** The fields that are used, by their number from 0 on. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ["timestamp", 0],
  ["status", 1],
  ["size", 2],
  ["url", 3],
  ["digest", 9],
]);
/** The number of fields up to the digest. Source tag, annotations and JSON may follow. */
const FIELDS = 10;

/**
 * Reads Heritrix's crawl.log (heritrix3 wiki, Logs): time of logging, fetch status, size of the content, URL,
 * discovery path, referrer, type, thread, begin and duration, digest, padded with spaces.
 */
export class CrawlLogReader implements RowReader {
  readonly header = null;
  readonly #columns: Columns;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    this.#columns = new Columns(
      encoding,
      fields.map(({ name }) => PLACES.get(name) as number),
      FIELDS,
    );
  }

  read(line: string): Row | Malformed | null {
    if (isBlank(line)) return null;
    const count = this.#columns.splitRuns(line);
    if (count === FIELDS) return this.#columns;
    return new Malformed(`${count} fields where crawl.log has 12`);
  }
}

/** Returns the format of Heritrix's crawl.log, which has one URL a line. */
export const crawlLog: Format = lineFormat({
  open: () => new CrawlLogReader([{ name: "url" }], BYTES),
  quote: (key) => key,
  addition: SPACED_ADDITION,
  layout: () => ({
    kind: "fields",
    separator: SPACE,
    field: PLACES.get("url") as number,
    // More fields than these may follow.
    widths: -1 << FIELDS,
    runs: true,
  }),
});
