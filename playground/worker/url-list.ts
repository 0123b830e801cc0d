import { detectFormat, type RecordFormat, RecordReader } from "urlmill/learn";
import type { ListFormat, Progress } from "../messages.ts";
import { bytesOf, PIECE_BYTES } from "./source.ts";

/** Counts the first bytes of a table, which tell where its URLs are. */
const HEAD_BYTES = 1 << 16;
/** The most columns to look at. */
const MAX_COLUMNS = 500;
const URL_NAME = "url";
const IS_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Holds a list with one URL per line, and what it was made of. */
export interface UrlList {
  readonly lines: Blob;
  readonly format: ListFormat;
  /** Counts the records that could not be read. */
  readonly malformed: number;
}

/**
 * Returns the URLs of a file as lines. The end of its name tells the format, as it does on the command line; a file of
 * lines comes back as it is. Returns null if `isStopped` returned true before the end. Throws an `Error` with a message
 * for people if it is not clear which column has the URLs.
 */
export async function urlList(
  source: Blob,
  name: string,
  report: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<UrlList | null> {
  const format = detectFormat("", name);
  if (format === "lines")
    return { lines: source, format: { name: format, field: "" }, malformed: 0 };
  const head = await bytesOf(source, 0, HEAD_BYTES);
  const field = fieldOf(format, head);
  const reader = new RecordReader(format, field === "" ? {} : { field });
  const parts: string[] = [];
  const { size } = source;
  for (let at = 0; at < size || at === 0; at += PIECE_BYTES) {
    const piece = await bytesOf(source, at, at + PIECE_BYTES);
    if (isStopped()) return null;
    parts.push(linesOf(reader, piece, at + PIECE_BYTES >= size));
    report({ bytes: Math.min(size, at + PIECE_BYTES), allBytes: size, lines: reader.lines });
  }
  return { lines: new Blob(parts), format: { name: format, field }, malformed: reader.failed };
}

/** Returns the URLs of records as lines. A line end inside a URL means nothing (URL Standard 4.4), and goes. */
function linesOf(reader: RecordReader, piece: Uint8Array, isLast: boolean): string {
  return reader
    .push(piece, isLast)
    .map(({ url }) => `${url.replaceAll(/[\r\n]/g, "")}\n`)
    .join("");
}

/** Returns the field that has the URLs; "" for a format that has them in one place. */
function fieldOf(format: RecordFormat, head: Uint8Array): string {
  if (format === "csv" || format === "tsv") return columnOf(columnsOf(format, head));
  return format === "jsonl" ? memberOf(head) : "";
}

/** Returns the columns of the first rows of a table, each from its first row on. */
function columnsOf(format: RecordFormat, head: Uint8Array): string[][] {
  const columns: string[][] = [];
  while (columns.length < MAX_COLUMNS) {
    const field = String(columns.length + 1);
    const cells = new RecordReader(format, { field, header: false }).push(head, true);
    if (cells.length === 0) break;
    columns.push(cells.map(({ url }) => url));
  }
  return columns;
}

/** Returns the name of the column `url`, or else the number of the only one with URLs. */
function columnOf(columns: readonly string[][]): string {
  const names = columns.map(([name = ""]) => name);
  if (names.includes(URL_NAME)) return URL_NAME;
  const found = columns.flatMap((cells, at) =>
    cells.some((cell) => IS_URL.test(cell)) ? [at] : [],
  );
  const [column] = found;
  if (column === undefined || found.length > 1) throw unclear(names, found.length);
  const hasHeader = !columns.some(([first = ""]) => IS_URL.test(first));
  return hasHeader ? (names[column] as string) : String(column + 1);
}

/** Returns the member `url` of the first record, or else its only one with a URL. */
function memberOf(head: Uint8Array): string {
  const [line = ""] = new TextDecoder().decode(head).split("\n", 1);
  const record: unknown = line.trim().startsWith("{") ? JSON.parse(line) : {};
  const members = Object.entries(record as object);
  if (members.some(([name]) => name === URL_NAME)) return URL_NAME;
  const found = members.filter(([, value]) => typeof value === "string" && IS_URL.test(value));
  if (found.length !== 1) throw unclear(Object.keys(record as object), found.length);
  return (found[0] as [string, unknown])[0];
}

function unclear(names: readonly string[], found: number): Error {
  const clue = found === 0 ? "none of the columns has URLs" : `${found} columns have URLs`;
  return new Error(
    `${clue}: name the right one "${URL_NAME}". The columns are ${names.join(", ")}.`,
  );
}
