import { UrlmillError } from "../base/errors.ts";
import { isCdxField } from "./archives/cdx.ts";
import { FORMAT_CATALOG, type FormatEntry, type ListWriting, RECORD_FORMATS } from "./catalog.ts";
import type { FieldName } from "./row.ts";

/** Says where in a record its URL is. */
export interface UrlFieldOptions {
  /**
   * Names the field that holds the URL. In TSV and CSV it is a column, by its name or its number from 1 on. In JSON
   * lines and CDXJ it is a member, by its name or its path (`page.url`, `links.0.url`). If a member's own name is
   * `page.url`, that member is used. In CDX it is a column, by its letter, its number or its name in CDXJ.
   *
   * @default "url"
   */
  readonly field?: string | undefined;
  /**
   * Says whether the first line of TSV or CSV names the columns. A column that is known by its name needs it.
   *
   * @default true if the column is known by its name
   */
  readonly header?: boolean | undefined;
}

/** Says where the field of the URL is: whether a header names it, and how the list is written. */
export interface UrlField extends ListWriting {
  readonly field: FieldName;
  readonly hasHeader: boolean;
}

/** The formats whose first line may name the columns. */
const WITH_HEADERS: readonly string[] = formatsWith("columns");
/** The formats whose records have named fields. */
const WITH_FIELDS: readonly string[] = formatsWith("columns", "members", "cdx");
const COLUMN = /^[1-9]\d{0,5}$/;

/** Returns whether the records of a format have named or numbered fields, one of which is the URL. */
export function hasFields(format: string): boolean {
  return format === "parquet" || WITH_FIELDS.includes(format);
}

/** Returns the field that holds the URL. Throws `BAD_OPTION` if the format does not have such a field. */
export function urlField(format: string, { field, header }: UrlFieldOptions): UrlField {
  const isTable = WITH_HEADERS.includes(format);
  if (header !== undefined && !isTable) {
    throw badOption(
      `header needs a format with columns (${WITH_HEADERS.join(", ")}): ${format} has none`,
    );
  }
  if (field !== undefined && !WITH_FIELDS.includes(format)) {
    throw badOption(
      `field needs a format with fields (${WITH_FIELDS.join(", ")}): ${format} has its URL in one place`,
    );
  }
  const name = field ?? "url";
  const isColumn = (isTable || format === "cdx") && COLUMN.test(name);
  if (isTable && !isColumn && header === false) {
    throw badOption(
      `field is "${name}", a name, but without a header no column has one; give its number`,
    );
  }
  if (format === "cdx" && !isColumn && !isCdxField(name)) {
    throw badOption(
      `field is "${name}"; a column of CDX is a letter, a number from 1 on, or "url"`,
    );
  }
  return {
    field: { name, isNeeded: true, ...(isColumn ? { column: Number(name) - 1 } : {}) },
    hasHeader: isTable && (header ?? !isColumn),
  };
}

/**
 * Returns a field of records whose value is not a URL, such as a date. `url`: the field of their URL. Throws `BAD_OPTION` if
 * the format does not have such a field.
 */
export function valueField(format: string, name: string, url: UrlField): UrlField {
  const header = WITH_HEADERS.includes(format) ? url.hasHeader : undefined;
  const { field } = urlField(format, { field: name, header });
  return { ...url, field: { ...field, mayBeScalar: true } };
}

function formatsWith(...kinds: FormatEntry["fields"][]): string[] {
  return RECORD_FORMATS.filter((name) => kinds.includes(FORMAT_CATALOG[name].fields));
}

function badOption(message: string): UrlmillError {
  return new UrlmillError("BAD_OPTION", message);
}
