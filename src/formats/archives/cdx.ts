import { UrlmillError } from "../../base/errors.ts";
import { SPACE } from "../../url/chars.ts";
import { excerpt, listNames } from "../excerpt.ts";
import { type AddedColumn, beforeLineEnd, type Format, SPACED_ADDITION } from "../format.ts";
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
import { type RowLayout, widthsOf } from "../scan/layout.ts";
import { ABSENT, Columns } from "../tables/columns.ts";

/** The letters of fields, by the field's name in CDXJ. If a line has several of the letters, the first is used. */
const LETTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["url", ["a"]],
  ["timestamp", ["b"]],
  ["mime", ["m"]],
  ["status", ["s"]],
  ["digest", ["k"]],
  ["redirect", ["r"]],
  ["length", ["S", "n"]],
]);
/**
 * The columns of lines without a header, by the number of columns. They are the layouts of the CDX server's plain
 * text, the Internet Archive's tools and pywb.
 */
const LEGENDS = new Map(
  ["N b a m s k S", "N b a m s k r V g", "N b a m s k r M V g", "N b a m s k r M S V g"]
    .map((legend) => legend.split(" "))
    .map((legend) => [legend.length, legend]),
);
const HEADER = /^(.?)CDX(?:\1[A-Za-z])+\1?$/;
/** The number of columns that are held. Real lines have up to 16. */
const KEPT = 64;
/** The letters of added columns: a canonized URL, which a key is, and uniqueness. */
export const ADDED_LETTERS = { normalized_url: "A", count: "U" } as const;

/** Returns whether a line is a CDX header, ` CDX N b a m s k r M S V g`. Its first character separates the fields. */
export function isCdxHeader(line: string): boolean {
  return line.includes("CDX") && HEADER.test(line);
}

/** Returns whether CDX without a header has lines of this many columns. */
export function isCdxWidth(columns: number): boolean {
  return LEGENDS.has(columns);
}

/** Returns the letters of a line without a header, by the number of its columns; undefined if CDX has no such lines. */
export function legendOf(columns: number): readonly string[] | undefined {
  return LEGENDS.get(columns);
}

/** Returns the separator of a header, and the letters of its fields. */
export function fieldsOfHeader(line: string): { separator: string; letters: string[] } {
  const separator = line.startsWith("CDX") ? " " : line.slice(0, 1);
  return { separator, letters: line.split(separator).filter((letter) => letter.length === 1) };
}

/** Returns whether a name is a field of CDX: a letter, or the CDXJ name of a letter. */
export function isCdxField(name: string): boolean {
  return LETTERS.has(name) || /^[A-Za-z]$/.test(name);
}

/**
 * Reads CDX (IIPC, The CDX File Format, 2006 and 2015), one capture a line. A header names the columns by letters;
 * otherwise their number decides. A later header must name the same columns, because the reader of a later chunk may
 * not have seen it.
 */
export class CdxReader implements RowReader {
  header: string | null = null;
  readonly #fields: readonly FieldName[];
  readonly #columns: Columns;
  #separator = " ";
  #letters: readonly string[] | null = null;
  /** The number of columns for which the positions of the fields are known. */
  #width = 0;
  #hasRows: boolean;

  /** `hasRows`: says whether the input has records before the first line that is read. */
  constructor(fields: readonly FieldName[], encoding: Encoding, hasRows = false) {
    this.#fields = fields;
    this.#hasRows = hasRows;
    this.#columns = new Columns(encoding, [], KEPT);
  }

  read(line: string): Row | Malformed | null {
    if (isBlank(line)) return null;
    if (isCdxHeader(line)) {
      this.#takeHeader(line);
      return null;
    }
    this.#hasRows = true;
    const width = this.#columns.split(line, this.#separator);
    if (width === this.#width) return this.#columns;
    if (this.#letters !== null) {
      return new Malformed(`${width} fields where the header has ${this.#letters.length}`);
    }
    return this.#setWidth(width);
  }

  /** Returns how the rows after a header are written, or those of a list without one. */
  layout(header: string | null): RowLayout | null {
    if (header !== null) this.read(header);
    if (this.#letters === null) return this.#layoutByWidth();
    const widths = widthsOf([this.#width]);
    const separator = this.#separator.charCodeAt(0);
    const [field = ABSENT] = this.#columns.places;
    if (widths === null || separator > 0x7f || field === ABSENT) return null;
    return { kind: "fields", separator, field, widths, letters: true };
  }

  /** Returns how lines without a header are written, if the URL is in the same column for each number of columns. */
  #layoutByWidth(): RowLayout | null {
    const [{ name, column } = { name: "" }] = this.#fields;
    const [letter = name] = LETTERS.get(name) ?? [];
    const places = new Set([...LEGENDS.values()].map((legend) => legend.indexOf(letter)));
    const [place = ABSENT] = places;
    const field = column ?? (places.size === 1 ? place : ABSENT);
    if (field === ABSENT) return null;
    const widths = column === undefined ? widthsOf([...LEGENDS.keys()]) : 0;
    return widths === null
      ? null
      : { kind: "fields", separator: SPACE, field, widths, letters: true };
  }

  #takeHeader(line: string): void {
    const { separator, letters } = fieldsOfHeader(line);
    if (this.#letters !== null || this.#hasRows) {
      const isKnown = separator === this.#separator && letters.join() === this.#letters?.join();
      if (isKnown) return;
      throw new UrlmillError(
        "BAD_OPTION",
        `a CDX header after records names other columns: ${excerpt(line)}; split the file there`,
      );
    }
    this.header = line;
    this.#separator = separator;
    this.#letters = letters;
    this.#width = letters.length;
    this.#setPlaces(letters);
    const beyond = this.#columns.places.find((place) => place >= letters.length);
    if (beyond !== undefined) throw noColumn(String(beyond + 1), letters);
  }

  /** Finds the columns of a line without a header by their number. */
  #setWidth(width: number): Row | Malformed {
    const legend = LEGENDS.get(width);
    // A column that is given by its number needs no header.
    if (legend === undefined && this.#fields.some(({ column }) => column === undefined)) {
      return new Malformed(`${width} fields where CDX has 7, 9, 10 or 11`);
    }
    this.#setPlaces(legend ?? Array.from({ length: width }, () => ""));
    const isThere = this.#columns.places.every((place) => place < width);
    if (!isThere) return new Malformed(`${width} fields, and the URL is to be in a later one`);
    this.#width = width;
    return this.#columns;
  }

  #setPlaces(letters: readonly string[]): void {
    this.#columns.places = this.#fields.map(({ name, column, isNeeded }) => {
      if (column !== undefined) return column;
      const wanted = LETTERS.get(name) ?? [name];
      const letter = wanted.find((each) => letters.includes(each));
      if (letter !== undefined) return letters.indexOf(letter);
      if (isNeeded)
        throw noColumn(`${wanted}${name === "url" ? ", the original URL" : ""}`, letters);
      return ABSENT;
    });
  }
}

function noColumn(column: string, letters: readonly string[]): UrlmillError {
  return new UrlmillError(
    "BAD_OPTION",
    `CDX lines have no column ${column}; the columns are ${listNames(letters)}`,
  );
}

/** Returns the format of CDX with the URL in a column. */
export function cdx(field: FieldName): Format {
  return lineFormat({
    open: (hasRows) => new CdxReader([field], BYTES, hasRows),
    quote: (key) => key,
    addition: SPACED_ADDITION,
    layout: (header) => new CdxReader([field], BYTES).layout(header),
    appendToHeader: appendLetter,
  });
}

function appendLetter(line: string, name: AddedColumn): string {
  const header = line.replace(/\r?\n$/, "");
  if (!isCdxHeader(header)) return line;
  const separator = header.startsWith("CDX") ? " " : header.slice(0, 1);
  return beforeLineEnd(line, (header.endsWith(separator) ? "" : separator) + ADDED_LETTERS[name]);
}
