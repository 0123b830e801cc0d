import { shellWord } from "../../base/shell-word.ts";
import { FORMAT_CATALOG, FORMATS, type RecordFormat } from "../../formats/catalog.ts";
import { beginsAsUrl, formatOfLine, formatOfName } from "../../formats/detect-format.ts";
import { cellsIn, firstLine, type Head, isTable } from "../../formats/head/head.ts";
import { type ArchiveFormat, type FormatName, isArchive } from "../../formats/index.ts";
import { beginsAsXml } from "../../formats/xml/root.ts";
import { shownInput } from "../../io/io-error.ts";
import { ArrayLines } from "../../io/sources/array-source.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { toByteString } from "../../url/bytes.ts";

/** Names a format that `normalize` and `dedupe` read as text. */
export type InputFormat = FormatName | ArchiveFormat;

/** Returns the format that the end of a file's name tells, or null. A name that ends with `.txt` tells nothing. */
export function formatByName(file: string): InputFormat | null {
  const format = formatOfName(file);
  return format !== "lines" && isInput(format) ? format : null;
}

/**
 * Returns the format that the first line of a list shows; or null, if more must be read. A line that begins with a scheme
 * is a URL, and means `lines` whatever follows: a list must not change its format with its data. Throws a CommandFailure for
 * what is not a list, and for a tab after the first URL, unless `isAtOnce`: then no URL may end the run.
 */
export function guessFormat(head: Head, fileName: string, isAtOnce: boolean): InputFormat | null {
  if (refuseNoList(head, fileName)) return null;
  if (beginsAsXml(head.text)) return "sitemap"; // it may have blank lines before, or be one long line
  if (isJsonArray(head)) return "jsonl";
  if (isTextArray(head)) return "lines";
  const line = firstLine(head);
  if (line === null) return head.isLast ? "lines" : null;
  const text = line.trim();
  if (text === "") return "lines";
  if (beginsAsUrl(text)) {
    if (!isAtOnce && text.includes("\t")) throw tabAfterUrl();
    return "lines";
  }
  const format = formatOfLine(line, fileName);
  if (format !== "lines" && isInput(format) && !isTable(format)) return format;
  return guessTable(head);
}

/** Returns whether a list is a JSON array of objects. */
export function isJsonArray({ text }: Head): boolean {
  return /^\s*\[\s*\{/.test(text);
}

/** Returns whether a list is a JSON array of texts. */
export function isTextArray({ text }: Head): boolean {
  return /^\s*\[\s*"/.test(text);
}

/** Returns the beginning of the JSON lines that an array is read as. */
export function linesOfArray({ text, ...head }: Head): Head {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return { ...head, text: toByteString(new ArrayLines().push(bytes)) };
}

function tabAfterUrl(): CommandFailure {
  return new CommandFailure(
    "the first line has a tab after its URL: give --format tsv --no-header for a table, or --format lines for URLs, of which tabs are removed",
    2,
  );
}

/**
 * Returns the delimiter that a first line such as `sep=;` tells Excel. Returns "open" if more must be read, and null for other
 * lists.
 */
export function excelDelimiter({ text, isLast }: Head): string | null {
  const [, delimiter] = /^sep=([\t !#-~])\r?\n/.exec(text) ?? [];
  if (delimiter !== undefined) return delimiter;
  return !isLast && /^(?:s|se|sep|sep=.?\r?)?$/.test(text) ? "open" : null;
}

/**
 * Returns `;` if it stands between the cells of a table whose first row has one cell by commas, as Excel writes it in many
 * countries. Returns "open" if more must be read, and null for other lists. `name`: a column that the table must have.
 */
export function semicolonOf(head: Head, name?: string): ";" | "open" | null {
  const rows = cellsIn(head, "csv", 2, { delimiter: ";" });
  const [first = [], second] = rows;
  if (name !== undefined && !first.includes(name)) {
    return first.length === 0 && !head.isLast ? "open" : null;
  }
  const [byComma = []] = cellsIn(head, "csv", 1);
  if (first.length < 2) return null;
  // A header of one cell decides, whatever commas the URLs have.
  if (byComma.length !== 1 && cellsIn(head, "csv", 2).some(({ length }) => length > 1)) return null;
  if (second === undefined) return head.isLast ? null : "open";
  return isTableOfUrls(rows) && second.length === first.length ? ";" : null;
}

/** Returns the failure of a table with a line for Excel and no header to keep it with. */
export function lineBeforeRows(delimiter: string): CommandFailure {
  const name = delimiter === "\t" ? "tab" : `'${delimiter}'`;
  return new CommandFailure(
    `the first line is for Excel, and no header follows: give --header if one does; or leave the line out: tail -n +2 FILE | urlmill … --delimiter ${name}`,
    2,
  );
}

/** Returns the table whose first or second row has a URL, or whose first row names a column `url`. */
function guessTable(head: Head): InputFormat | null {
  let mayBeTable = false;
  for (const format of ["tsv", "csv"] as const) {
    const rows = cellsIn(head, format, 2);
    if (isTableOfUrls(rows)) return format;
    mayBeTable ||= (rows[0] ?? []).length > 1 && rows[1] === undefined;
  }
  if (mayBeTable && !head.isLast) return null;
  if (excelDelimiter(head) !== null) return "csv";
  const semicolon = semicolonOf(head);
  if (semicolon !== null) return semicolon === "open" ? null : "csv";
  return refuseOtherDelimiter(head) && !head.isLast ? null : "lines";
}

/** Returns whether rows of cells are a table with URLs, by the first two of them. */
export function isTableOfUrls([first = [], second = []]: readonly string[][]): boolean {
  if (first.length < 2) return false;
  if (first.includes("url") || first.some(beginsAsUrl)) return true;
  return second.length === first.length && second.some(beginsAsUrl);
}

/**
 * Throws if the first rows are a table with a URL and another character between its fields. Returns whether the second row,
 * which is not read yet, may show that.
 */
function refuseOtherDelimiter(head: Head): boolean {
  let mayBeTable = false;
  for (const delimiter of [";", "|"]) {
    const [first = [], second = []] = cellsIn(head, "csv", 2, { delimiter });
    if (first.length > 1 && second.length === 0) mayBeTable = true;
    if (first.length < 2 || second.length !== first.length) continue;
    const isTable = first.includes("url") || [first, second].some((row) => row.some(beginsAsUrl));
    if (!isTable) continue;
    throw new CommandFailure(
      `the fields have ${delimiter} between: give --delimiter '${delimiter}', or --format lines for whole lines`,
      2,
    );
  }
  return mayBeTable;
}

/** Returns whether a list of this format is read without `--format`. */
function isInput(format: RecordFormat | null): format is Exclude<InputFormat, "lines0"> {
  if (format === null || FORMAT_CATALOG[format].isNamed === true) return false;
  return isArchive(format) || FORMATS.some((name) => name === format);
}

/** A kind of files that are not lists, and would pass as lines. */
interface NoList {
  /** Names it, to follow "is". */
  readonly is: string;
  /** Matches its first bytes as a byte string. */
  readonly begins: RegExp;
  /** Returns what the user can do. `file`: the file's name for a shell, or an empty text if it cannot be named. */
  readonly way: (file: string) => string;
}

const takeUrls = (): string => "take the URLs out of it first";
const jq =
  (filter: string) =>
  (file: string): string =>
    `run: ${`jq ${filter} ${file}`.trimEnd()} | urlmill …`;

const NO_LISTS: readonly NoList[] = [
  { is: "a JSON array of arrays", begins: /^\s*\[\s*\[\s*"/, way: jq("-r '.[] | @csv'") },
  { is: "JSON over several lines", begins: /^\s*\{[ \t\r]*\n\s*"/, way: jq("-c .") },
  { is: "an HTML page", begins: /^\s*<(?:!doctype html|html[\s>])/i, way: takeUrls },
  { is: "a PDF file", begins: /^%PDF-/, way: takeUrls },
  { is: "a PNG image", begins: /^\x89PNG\r\n/, way: takeUrls },
  // A control character soon after tells it from a list with a line "ORC".
  { is: "an ORC file", begins: /^ORC[\s\S]{0,15}?[^\t\n\r -\xff]/, way: takeUrls },
  { is: "a program (ELF)", begins: /^\x7fELF/, way: takeUrls },
  {
    is: "a binary file (its first line has a NUL byte)",
    begins: /^[^\n]*\0/,
    way: () => "-z reads lines that end at NUL",
  },
];

/** Matches the beginning of what may still become a JSON array. */
const OPEN_ARRAY = /^\s*\[[\s[]*$/;

/**
 * Throws if the first bytes of an input say for certain that it is not a list. Returns whether more of it must be read to tell.
 */
function refuseNoList({ text, isLast }: Head, fileName: string): boolean {
  const found = NO_LISTS.find(({ begins }) => begins.test(text));
  if (found === undefined) return !isLast && OPEN_ARRAY.test(text);
  const canBeNamed = fileName !== "-" && !/\.(?:gz|zst)$/.test(fileName);
  throw new CommandFailure(
    `${shownInput(fileName)} is ${found.is}, not a list; ${found.way(canBeNamed ? shellWord(fileName) : "")}, or give --format lines to read it as lines`,
    2,
  );
}
