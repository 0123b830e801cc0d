import { UrlmillError } from "../../base/errors.ts";
import { excerpt, listNames } from "../excerpt.ts";
import { type FieldName, type Fields, Malformed } from "../row.ts";

/** The field names of the CDX server that differ from those of CDXJ. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["url", "original"],
  ["mime", "mimetype"],
  ["status", "statuscode"],
]);

/**
 * Reads the JSON of the Wayback CDX server (`output=json`): an array of arrays of strings. The first inner array names
 * the fields, including `original`. A line may hold any number of whole rows. Joined answers repeat the first row,
 * which is not a record. The resumption key after an empty row is not a record either.
 */
export class WaybackReader {
  readonly #fields: readonly FieldName[];
  #names: readonly (string | null)[] | null = null;
  #places: readonly number[] = [];
  #wasEmpty = false;

  constructor(fields: readonly FieldName[]) {
    this.#fields = fields;
  }

  /** Returns the rows of a line of text. Throws `BAD_OPTION` if the first row of the input lacks a needed field. */
  read(line: string): readonly (Fields | Malformed | null)[] {
    const rows = parseRows(line.trim());
    return rows instanceof Malformed ? [rows] : rows.map((row) => this.#readRow(row));
  }

  #readRow(row: unknown): Fields | Malformed | null {
    if (!isTexts(row)) return new Malformed("a row is not an array of strings");
    const afterEmpty = this.#wasEmpty;
    this.#wasEmpty = row.length === 0;
    if (this.#wasEmpty) return null;
    const names = this.#names;
    if (names === null) {
      this.#takeNames(row);
      return null;
    }
    if (row.length === names.length && row.every((field, at) => field === names[at])) return null;
    if (row.length === names.length) return new WaybackRow(row, this.#places);
    if (afterEmpty && row.length === 1) return null;
    return new Malformed(`${row.length} fields where the first row has ${names.length}`);
  }

  #takeNames(row: readonly (string | null)[]): void {
    this.#names = row;
    this.#places = this.#fields.map(({ name, isNeeded }) => {
      const written = NAMES.get(name) ?? name;
      const place = row.indexOf(written);
      if (place >= 0 || !isNeeded) return place;
      const names = listNames(row.map((each) => each ?? "null"));
      throw new UrlmillError(
        "BAD_OPTION",
        `no field "${written}" in the first row; the fields are ${names}`,
      );
    });
  }
}

class WaybackRow implements Fields {
  readonly #texts: readonly (string | null)[];
  readonly #places: readonly number[];

  constructor(texts: readonly (string | null)[], places: readonly number[]) {
    this.#texts = texts;
    this.#places = places;
  }

  text(field: number): string | undefined {
    return this.#texts[this.#places[field] as number] ?? undefined;
  }
}

/** Returns the rows in a line. Brackets of the outer array may be open or missing. */
function parseRows(text: string): readonly unknown[] | Malformed {
  let from = 0;
  let to = text.length;
  if (text.startsWith(",")) from++;
  if (text.endsWith(",")) to--;
  const inner = text.slice(from, to).trim();
  if (inner === "" || inner === "[" || inner === "]") return [];
  const open = /^\[\s*\[/.test(inner) ? "" : "[";
  const close = /\]\s*\]$/.test(inner) ? "" : "]";
  try {
    return JSON.parse(open + inner + close) as unknown[];
  } catch {
    return new Malformed(`not a row of a JSON array: ${excerpt(text)}`);
  }
}

function isTexts(row: unknown): row is readonly (string | null)[] {
  return (
    Array.isArray(row) && row.every((field: unknown) => field === null || typeof field === "string")
  );
}
