import { BACKSLASH, LF } from "../../url/chars.ts";
import { beforeLineEnd, type Format, isEmptyLine } from "../format.ts";
import { lineFormat } from "../line-format.ts";
import { BYTES, type FieldName, Malformed } from "../row.ts";
import type { LastEnd } from "../scan/layout.ts";
import { Columns } from "./columns.ts";
import { type TableKind, TableReader, tabLayout, tablePlace } from "./table.ts";

const TAB = "\t";
/** The text of a field without a value. */
const NULL = "\\N";
/** The characters that escapes represent; `xHH` is a byte. A `\N` inside a longer field represents no character. */
const LETTERS: Readonly<Record<string, string>> = {
  "0": "\0",
  N: "",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
/**
 * Other characters that lose their backslash, as control characters do. Before all others it stays, as in ClickHouse.
 */
const THEMSELVES = "\"'/=\\`";
const ESCAPES = /\\(?:x([0-9A-Fa-f]{2})|([\s\S]))/g;
/** The characters that ClickHouse escapes, with their escapes. */
const WRITTEN: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  "'": "\\'",
  "\\": "\\\\",
};

/**
 * Finds where the last row ends, in which a line end after a backslash is data. The state is 1 if a backslash escapes the
 * next byte, else 0.
 */
export function tabSeparatedLastEnd(bytes: Uint8Array, state: number): LastEnd {
  let newline = bytes.lastIndexOf(LF);
  while (newline >= 0 && stateBefore(bytes, newline, state) === 1) {
    newline = bytes.subarray(0, newline).lastIndexOf(LF);
  }
  return { end: newline + 1, state: stateBefore(bytes, bytes.length, state) };
}

/** Returns the state before a byte. `first`: the state before all bytes. */
function stateBefore(bytes: Uint8Array, at: number, first: number): number {
  let run = at;
  while (run > 0 && bytes[run - 1] === BACKSLASH) run--;
  return (at - run + (run === 0 ? first : 0)) % 2;
}

/** Returns the position after the LF of the row that begins at `start`, or the end of the text if it has none. */
export function tabSeparatedRowEnd(text: string, start: number): number {
  const newline = nextBare(text, "\n", start, start);
  return newline < 0 ? text.length : newline + 1;
}

/** Returns the first position of a character, from `from` on, that no backslash escapes, or -1 if there is none. */
function nextBare(text: string, character: string, from: number, start: number): number {
  let at = text.indexOf(character, from);
  while (at >= 0 && isEscaped(text, start, at)) {
    at = text.indexOf(character, at + 1);
  }
  return at;
}

/** Returns whether a backslash escapes the character at `at`, in a row that begins at `start`. */
function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Holds the positions of the fields of a row, including their escapes. */
class EscapedColumns extends Columns {
  override encoded(field: number): string | undefined {
    const written = super.encoded(field);
    if (written === undefined || written === NULL) return undefined;
    return unescapeField(written);
  }
}

/** Returns the bytes of a field, unescaped. */
function unescapeField(written: string): string {
  if (!written.includes("\\")) return written;
  return written.replaceAll(ESCAPES, (_, byte?: string, letter?: string) => {
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    const after = letter as string;
    return LETTERS[after] ?? (after < " " || THEMSELVES.includes(after) ? after : `\\${after}`);
  });
}

function escapeField(bytes: string): string {
  return bytes.replaceAll(/[\0\b\t\n\f\r'\\]/g, (character) => WRITTEN[character] as string);
}

/** Reads ClickHouse's TabSeparated: fields separated by tabs, with backslash escapes. `\N` means no value. */
export const TAB_SEPARATED: TableKind = {
  name: "TabSeparated",
  columns: (encoding, places, kept) => new EscapedColumns(encoding, places, kept),
  split: splitRow,
};

function splitRow(columns: Columns, row: string): number | Malformed {
  if (!row.includes("\\")) return columns.split(row, TAB);
  if (isEscaped(row, 0, row.length)) {
    return new Malformed("a backslash at the end, with nothing after it");
  }
  columns.begin(row);
  let count = 0;
  for (let from = 0; ; ) {
    const next = nextBare(row, TAB, from, from);
    columns.place(count++, from, next < 0 ? row.length : next);
    if (next < 0) return count;
    from = next + 1;
  }
}

/** Returns the format of TabSeparated with the URL in a field. A key is escaped as ClickHouse writes it. */
export function tabSeparated(field: FieldName, hasHeader: boolean): Format {
  return lineFormat({
    open: () => new TableReader(TAB_SEPARATED, [field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    lastEnd: tabSeparatedLastEnd,
    recordEnd: tabSeparatedRowEnd,
    quote: escapeField,
    addition: {
      place: "end",
      before: TAB,
      after: "",
      quoting: "escapes",
      none: NULL,
    },
    layout: (header) => tabLayout(tablePlace(TAB_SEPARATED, field, hasHeader, header), true),
    appendToHeader: (header, name) =>
      isEmptyLine(header) ? header : beforeLineEnd(header, `${TAB}${name}`),
  });
}
