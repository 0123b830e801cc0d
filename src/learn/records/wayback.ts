import { UrlmillError } from "../../errors.ts";
import { readCapture } from "./capture.ts";
import { type LineReader, Malformed, type Reading } from "./record.ts";
import { excerpt, listNames } from "./values.ts";

/**
 * Returns a reader for the JSON of the Wayback CDX server (`output=json`): an array of arrays of
 * strings, the first of which names the fields, `original` among them. Any number of whole rows may
 * stand in a line. A repeated first row, as in joined answers, is not a record, nor is the
 * resumption key after an empty row. The reader throws `BAD_OPTION` if the first row does not name
 * `original`.
 */
export function waybackReader(): LineReader {
  let names: readonly string[] | undefined;
  let wasEmpty = false;

  function readRow(row: unknown): Reading {
    if (!isTexts(row)) return new Malformed("a row is not an array of strings");
    const afterEmpty = wasEmpty;
    wasEmpty = row.length === 0;
    if (wasEmpty) return null;
    if (names === undefined) {
      if (!row.includes("original")) {
        throw new UrlmillError(
          "BAD_OPTION",
          `no field "original" in the first row; the fields are ${listNames(row.map((name) => name ?? "null"))}`,
        );
      }
      names = row.map((name) => name ?? "");
      return null;
    }
    if (row.length === names.length && row.every((field, at) => field === names?.[at])) return null;
    if (row.length !== names.length) {
      if (afterEmpty && row.length === 1) return null;
      return new Malformed(`${row.length} fields where the first row has ${names.length}`);
    }
    const fieldOf = (name: string) => row[names?.indexOf(name) ?? -1] ?? undefined;
    return readCapture({
      url: fieldOf("original"),
      ts: fieldOf("timestamp"),
      mime: fieldOf("mimetype"),
      status: fieldOf("statuscode"),
      digest: fieldOf("digest"),
      size: fieldOf("length"),
      redirect: fieldOf("redirect"),
    });
  }

  return (line) => {
    const rows = parseRows(line.trim());
    return rows instanceof Malformed ? rows : rows.map(readRow);
  };
}

/** The rows in a line, whose brackets need not close those of the whole. */
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
    return new Malformed(`no row of a JSON array: ${excerpt(text)}`);
  }
}

function isTexts(row: unknown): row is readonly (string | null)[] {
  return (
    Array.isArray(row) && row.every((field: unknown) => field === null || typeof field === "string")
  );
}
