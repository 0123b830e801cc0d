import { FORMATS } from "../../formats/catalog.ts";
import { beginsAsUrl, formatOfLine, formatOfName } from "../../formats/detect-format.ts";
import { cellsIn, firstLine, type Head, isTable } from "../../formats/head/head.ts";
import { type ArchiveFormat, type FormatName, isArchive } from "../../formats/index.ts";
import { beginsAsXml } from "../../formats/xml/root.ts";
import { shellWord } from "../../io/compression/foreign-format.ts";
import { shownInput } from "../../io/io-error.ts";
import { CommandFailure } from "../../runs/base/failure.ts";

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
 * what is not a list.
 */
export function guessFormat(head: Head, fileName: string): InputFormat | null {
  if (refuseNoList(head, fileName)) return null;
  if (beginsAsXml(head.text)) return "sitemap"; // it may have blank lines before, or be one long line
  const line = firstLine(head);
  if (line === null) return head.isLast ? "lines" : null;
  if (line.trim() === "" || beginsAsUrl(line.trim())) return "lines";
  const format = formatOfLine(line, fileName);
  if (format !== "lines" && isInput(format) && !isTable(format)) return format;
  return guessTable(head);
}

/** Returns the table whose first or second row has a URL, or whose first row names a column `url`. */
function guessTable(head: Head): InputFormat | null {
  let mayBeTable = false;
  for (const format of ["tsv", "csv"] as const) {
    const [first = [], second = []] = cellsIn(head, format, 2);
    if (first.length < 2) continue;
    if (first.includes("url") || first.some(beginsAsUrl)) return format;
    if (second.length === first.length && second.some(beginsAsUrl)) return format;
    mayBeTable ||= second.length === 0;
  }
  if (mayBeTable && !head.isLast) return null;
  return refuseOtherDelimiter(head) && !head.isLast ? null : "lines";
}

/**
 * Throws if the first rows are a table with a URL and another character between its fields. Returns whether the second row,
 * which is not read yet, may show that.
 */
function refuseOtherDelimiter(head: Head): boolean {
  let mayBeTable = false;
  for (const delimiter of [";", "|"]) {
    const [first = [], second = []] = cellsIn(head, "csv", 2, delimiter);
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

function isInput(format: string | null): format is InputFormat {
  return format !== null && (isArchive(format) || FORMATS.some((name) => name === format));
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
  { is: "a JSON array", begins: /^\s*\[\s*\{/, way: jq("-c '.[]'") },
  { is: "a JSON array", begins: /^\s*\[\s*"/, way: jq("-r '.[]'") },
  { is: "a JSON array of arrays", begins: /^\s*\[\s*\[\s*"/, way: jq("-r '.[] | @csv'") },
  { is: "an HTML page", begins: /^\s*<(?:!doctype html|html[\s>])/i, way: takeUrls },
  { is: "a PDF file", begins: /^%PDF-/, way: takeUrls },
  { is: "a PNG image", begins: /^\x89PNG\r\n/, way: takeUrls },
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
