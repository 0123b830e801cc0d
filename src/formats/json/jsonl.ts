import type { Format } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  isBlank,
  type Malformed,
  type Row,
  type RowReader,
} from "../row.ts";
import type { Addition } from "../scan/layout.ts";
import { JsonRow } from "./json-row.ts";

/** The name of the member that holds an appended key. */
const KEY_MEMBER = "normalized_url";

/** Reads JSON objects, one per line. */
export class JsonlReader implements RowReader {
  readonly header = null;
  readonly #row: JsonRow;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    this.#row = new JsonRow(fields, encoding);
  }

  read(line: string): Row | Malformed | null {
    return isBlank(line) ? null : this.#row.take(line, 0);
  }
}

/** Returns the format of JSON lines with the URL in a member. */
export function jsonl(field: FieldName): Format {
  return lineFormat({
    open: () => new JsonlReader([field], BYTES),
    quote: quoteJson,
    addition: JSON_ADDITION,
    layout: () => ({ kind: "json", path: field.name.split("."), isCapture: false }),
  });
}

/** Writes a key as a JSON string. */
export function quoteJson(key: string): string {
  return JSON.stringify(key);
}

/** Adds a key as the last member of an object that has another. */
export const JSON_ADDITION: Addition = {
  place: "brace",
  before: `,"${KEY_MEMBER}":`,
  after: "",
  quoting: "json",
  none: "null",
};
