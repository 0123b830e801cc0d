import { LF } from "../url/chars.ts";
import { ARCHIVE_FORMATS } from "./archives/archive.ts";
import { FORMAT_CATALOG, FORMATS, type FormatEntry, type FormatName } from "./catalog.ts";
import type { Format } from "./format.ts";
import { linesToNul, NUL } from "./lines.ts";
import type { UrlField } from "./url-field.ts";

export { type ArchiveFormat, isArchive } from "./archives/archive.ts";
export type { FormatName } from "./catalog.ts";
export type { ChunkPlace, EndSearch, Format, RecordSpan } from "./format.ts";
export {
  hasFields,
  type UrlField,
  type UrlFieldOptions,
  urlField,
  valueField,
} from "./url-field.ts";

/** Lists the names of the formats that `normalize` and `dedupe` read. For web archives, they write one URL a line. */
export const INPUT_FORMATS = [...FORMATS, ...ARCHIVE_FORMATS] as const;

/** Returns the byte that ends each line of an output. */
export function lineEndOf(name: FormatName | "parquet"): number {
  return name === "lines0" ? NUL : LF;
}

export function formatOf(name: FormatName, { field, hasHeader, ...how }: UrlField): Format {
  if (name === "lines0") return linesToNul;
  const make = FORMAT_CATALOG[name].format as NonNullable<FormatEntry["format"]>;
  return make(field, hasHeader, how);
}
