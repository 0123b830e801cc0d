import { UrlmillError } from "../errors.ts";
import { ABSENT, Columns } from "./columns.ts";
import { listNames } from "./excerpt.ts";
import { beforeLineEnd, type Format, isEmptyLine } from "./format.ts";
import { lineFormat } from "./line-format.ts";
import {
  BYTES,
  type Encoding,
  type FieldName,
  Malformed,
  type Row,
  type RowReader,
} from "./row.ts";

const TAB = "\t";

/**
 * Reads TSV: fields with a tab between, nothing quoted. With a header, the first line that is not empty names the
 * columns, and each row has as many. Without one, only fields with a column number can be found.
 */
export class TsvReader implements RowReader {
  header: string | null = null;
  readonly #fields: readonly FieldName[];
  readonly #hasHeader: boolean;
  readonly #encoding: Encoding;
  #columns: Columns;
  /** The number of columns that the header names. */
  #count = 0;

  constructor(fields: readonly FieldName[], hasHeader: boolean, encoding: Encoding) {
    this.#fields = fields;
    this.#hasHeader = hasHeader;
    this.#encoding = encoding;
    this.#columns = new Columns(
      encoding,
      fields.map(({ column }) => column ?? ABSENT),
    );
  }

  read(line: string): Row | Malformed | null {
    if (line === "") return null;
    if (this.#hasHeader && this.header === null) {
      this.#take(line.split(TAB));
      this.header = line;
      return null;
    }
    const columns = this.#columns;
    const count = columns.split(line, TAB);
    if (this.#hasHeader && count !== this.#count) {
      return new Malformed(`${count} fields where the header has ${this.#count}`);
    }
    if (count >= columns.kept) return columns;
    return new Malformed(`${count} fields, and the URL is to be in number ${columns.kept}`);
  }

  #take(written: readonly string[]): void {
    const names = written.map((name) => this.#encoding.decode(name) ?? name);
    this.#count = names.length;
    this.#columns = new Columns(
      this.#encoding,
      this.#fields.map((field) => {
        const column = field.column ?? columnNamed(field, names);
        if (column < names.length) return column;
        throw badHeader(`no column ${column + 1} in the TSV header`, names);
      }),
    );
  }
}

function columnNamed({ name, isNeeded }: FieldName, names: readonly string[]): number {
  const column = names.indexOf(name);
  if (column < 0 && isNeeded) throw badHeader(`no column "${name}" in the TSV header`, names);
  if (column >= 0 && names.includes(name, column + 1)) {
    throw badHeader(`two columns "${name}" in the TSV header`, names);
  }
  return column < 0 ? ABSENT : column;
}

function badHeader(what: string, names: readonly string[]): UrlmillError {
  return new UrlmillError("BAD_OPTION", `${what}; the columns are ${listNames(names)}`);
}

/** Returns the format of TSV with the URL in a field. */
export function tsv(field: FieldName, hasHeader: boolean): Format {
  return lineFormat({
    open: () => new TsvReader([field], hasHeader, BYTES),
    startsWithHeader: hasHeader,
    quote: (key) => key,
    append: (record, key) => beforeLineEnd(record, TAB + key),
    appendToHeader: (header) =>
      isEmptyLine(header) ? header : beforeLineEnd(header, `${TAB}urlkey`),
  });
}
