import { excerpt } from "../excerpt.ts";
import type { Format } from "../format.ts";
import { JsonRow } from "../json/json-row.ts";
import { JSON_ADDITION, quoteJson } from "../json/jsonl.ts";
import { lineFormat } from "../line-format.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  isBlank,
  Malformed,
  type Row,
  type RowReader,
  type Span,
} from "../row.ts";

/** The name of the timestamp, which is before the JSON object. */
const TIMESTAMP = "timestamp";

/**
 * Reads CDXJ (pywb, Common Crawl): a SURT key, a timestamp, an optional record type, and a JSON object with the
 * fields. Lines that begin with `!` or `@` are headers, which do not name fields.
 */
export class CdxjReader implements RowReader {
  readonly header = null;
  readonly #row: CdxjRow;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    this.#row = new CdxjRow(fields, encoding);
  }

  read(line: string): Row | Malformed | null {
    if (isBlank(line) || line[0] === "!" || line[0] === "@") return null;
    const open = objectStart(line);
    if (open < 0) return new Malformed(`no JSON object in ${excerpt(line)}`);
    const [key, timestamp, ...more] = line.slice(0, open).split(" ");
    // The last part is empty, because a space ends the text before the object.
    if (key === "" || timestamp === undefined || more.length === 0 || more.length > 2) {
      return new Malformed(`no key and timestamp before the JSON object in ${excerpt(line)}`);
    }
    return this.#row.takeCapture(line, open, timestamp);
  }
}

/** Holds the members of a line's object, and its timestamp. */
class CdxjRow extends JsonRow {
  readonly #timestampAt: number;
  #timestamp = "";
  #timestampFrom = 0;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    super(fields, encoding);
    this.#timestampAt = fields.findIndex(({ name }) => name === TIMESTAMP);
  }

  takeCapture(line: string, open: number, timestamp: string): this | Malformed {
    this.#timestamp = timestamp;
    this.#timestampFrom = line.indexOf(" ") + 1;
    return this.take(line, open);
  }

  override text(field: number): string | Malformed | undefined {
    return field === this.#timestampAt ? this.#timestamp : super.text(field);
  }

  override span(field: number): Span {
    if (field !== this.#timestampAt) return super.span(field);
    return { from: this.#timestampFrom, to: this.#timestampFrom + this.#timestamp.length };
  }
}

/**
 * Returns where the JSON object of a CDXJ line begins: the first field after the key that begins with a brace. The key
 * is the text of a URL and may also contain braces. Returns 0 if the whole line is an object, and -1 if it has no object.
 */
function objectStart(line: string): number {
  const space = line.indexOf(" {");
  if (space > 0) return space + 1;
  return line.startsWith("{") ? 0 : -1;
}

/** Returns the format of CDXJ with the URL in a member of its object. */
export function cdxj(field: FieldName): Format {
  return lineFormat({
    open: () => new CdxjReader([field], BYTES),
    quote: quoteJson,
    addition: JSON_ADDITION,
    // The timestamp is before the object.
    layout: () =>
      field.name === TIMESTAMP
        ? null
        : { kind: "json", path: field.name.split("."), isCapture: true },
  });
}
