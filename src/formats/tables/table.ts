import { UrlmillError } from "../../base/errors.ts";
import { TAB } from "../../url/chars.ts";
import { listNames } from "../excerpt.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  Malformed,
  type Row,
  type RowReader,
} from "../row.ts";
import { type RowLayout, widthsOf } from "../scan/layout.ts";
import { ABSENT, type Columns } from "./columns.ts";

/** Defines how the rows of a table are written. */
export interface TableKind {
  /** The name of the format in error messages. */
  readonly name: string;
  /**
   * Creates the columns of a row and holds the first `kept` of them. Without `kept`, it holds all that `places`
   * names.
   */
  columns(encoding: Encoding, places: readonly number[], kept?: number): Columns;
  /** Reads the columns of a row, and returns their number. */
  split(columns: Columns, row: string): number | Malformed;
  /** Returns whether a line before the header is for another program. */
  isPreface?(line: string): boolean;
}

/** Says where the URL is in the rows of a table. */
interface TablePlace {
  /** The column of the URL, from 0 on. */
  readonly field: number;
  /** The number of columns of each row, or 0 for any. */
  readonly fields: number;
}

/**
 * Returns where the URL is in the rows after a header, or in those of a table without one. Returns null if there is no
 * header and one names the columns.
 */
export function tablePlace(
  kind: TableKind,
  field: FieldName,
  hasHeader: boolean,
  header: string | null,
): TablePlace | null {
  if (hasHeader && header === null) return null;
  const reader = new TableReader(kind, [field], hasHeader, BYTES);
  if (header !== null) reader.read(header);
  return reader.place;
}

/** Returns the texts of all cells of a row. A cell that is not in the encoding stays as it is written. */
export function cellsOf(kind: TableKind, row: string, encoding: Encoding): string[] | Malformed {
  const count = kind.split(kind.columns(encoding, [], 0), row);
  if (count instanceof Malformed) return count;
  const columns = kind.columns(encoding, [...Array(count).keys()], count);
  kind.split(columns, row);
  return Array.from({ length: count }, (_, column) => {
    const written = columns.encoded(column) ?? "";
    return encoding.decode(written) ?? written;
  });
}

/** Returns how rows with tabs between their fields are written. */
export function tabLayout(place: TablePlace | null, escapes: boolean): RowLayout | null {
  if (place === null) return null;
  const { field, fields } = place;
  const widths = fields === 0 ? 0 : widthsOf([fields]);
  return widths === null ? null : { kind: "fields", separator: TAB, field, widths, escapes };
}

/**
 * Reads the rows of a table. With a header, the first row that is not empty names the columns. Every other row must
 * have the same number of columns. Without a header, only fields with a column number can be found.
 */
export class TableReader implements RowReader {
  header: string | null = null;
  readonly #kind: TableKind;
  readonly #fields: readonly FieldName[];
  readonly #hasHeader: boolean;
  readonly #encoding: Encoding;
  #columns: Columns;
  /** The number of columns that the header names. */
  #count = 0;

  constructor(
    kind: TableKind,
    fields: readonly FieldName[],
    hasHeader: boolean,
    encoding: Encoding,
  ) {
    this.#kind = kind;
    this.#fields = fields;
    this.#hasHeader = hasHeader;
    this.#encoding = encoding;
    this.#columns = kind.columns(
      encoding,
      fields.map(({ column }) => column ?? ABSENT),
    );
  }

  read(line: string): Row | Malformed | null {
    if (line === "") return null;
    if (this.#hasHeader && this.header === null) {
      if (this.#kind.isPreface?.(line) !== true) this.#takeHeader(line);
      return null;
    }
    const columns = this.#columns;
    const count = this.#kind.split(columns, line);
    if (count instanceof Malformed) return count;
    if (this.#hasHeader && count !== this.#count) {
      return new Malformed(`${count} fields where the header has ${this.#count}`);
    }
    if (count >= columns.kept) return columns;
    return new Malformed(`${count} fields, and the URL is to be in number ${columns.kept}`);
  }

  /** Returns the column of the first field, from 0 on, and the number of columns of each row: 0 for any. */
  get place(): TablePlace {
    const [field = ABSENT] = this.#columns.places;
    return { field, fields: this.#count };
  }

  #takeHeader(line: string): void {
    const names = this.#namesIn(line);
    this.header = line;
    this.#count = names.length;
    this.#columns = this.#kind.columns(
      this.#encoding,
      this.#fields.map((field) => {
        const column = field.column ?? this.#columnNamed(field, names);
        if (column < names.length) return column;
        throw this.#badHeader(`no column ${column + 1}`, names);
      }),
    );
  }

  #namesIn(line: string): string[] {
    const cells = cellsOf(this.#kind, line, this.#encoding);
    if (!(cells instanceof Malformed)) return cells;
    throw new UrlmillError(
      "BAD_OPTION",
      `the ${this.#kind.name} header cannot be read: ${cells.reason}`,
    );
  }

  #columnNamed({ name, isNeeded }: FieldName, names: readonly string[]): number {
    const column = names.indexOf(name);
    if (column < 0 && isNeeded) throw this.#badHeader(`no column "${name}"`, names);
    if (column >= 0 && names.includes(name, column + 1)) {
      throw this.#badHeader(`two columns "${name}"`, names);
    }
    return column < 0 ? ABSENT : column;
  }

  #badHeader(what: string, names: readonly string[]): UrlmillError {
    const [name = "", another] = names;
    const hint =
      another === undefined && name.includes('","') ? "; for commas give --format csv" : "";
    return new UrlmillError(
      "BAD_OPTION",
      `${what} in the ${this.#kind.name} header; the columns are ${listNames(names)}${hint}`,
    );
  }
}
