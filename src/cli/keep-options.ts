import { UrlmillError } from "../base/errors.ts";
import {
  type ArchiveFormat,
  type FormatName,
  type UrlField,
  valueField,
} from "../formats/index.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { type Keep, readsTwice } from "../runs/base/keep.ts";
import type { Emit } from "../runs/call/job.ts";
import type { FilterFlags } from "../runs/call/options.ts";

interface Records {
  readonly format: FormatName | ArchiveFormat | "parquet";
  readonly field: UrlField;
  readonly emit: Emit;
}

/**
 * Returns which record of each key is written. Throws `BAD_OPTION` if the format does not have the column of the value, and a
 * CommandFailure if flags contradict each other.
 */
export function keepOf(flags: FilterFlags, records: Records): Keep {
  const keep = recordsToKeep(flags, records);
  const { flush, shadow, count, repeated } = flags;
  if (readsTwice({ keep, count, repeated })) {
    const otherwise = "--keep, --count and --repeated write when all lines are read";
    if (flush) throw new CommandFailure(`--flush answers each line at once, and ${otherwise}`, 2);
    if (shadow !== undefined)
      throw new CommandFailure(`--shadow lists lines at once, and ${otherwise}`, 2);
  }
  checkPerKey(flags, keep);
  if (count && records.format === "sitemap") {
    throw new CommandFailure("--count has no place for a number in a sitemap", 2);
  }
  return keep;
}

/** Throws if `--per-key` is given with what needs all records of a key, or leaves it no room. */
function checkPerKey({ perKey, count, repeated, shadow, bits }: FilterFlags, keep: Keep): void {
  if (perKey === 1) return;
  const first = `--per-key writes the first ${perKey} records of each URL`;
  if (readsTwice({ keep, count, repeated }))
    throw new CommandFailure(`${first}, without --keep, --count and --repeated`, 2);
  if (shadow !== undefined) throw new CommandFailure(`${first}, and --shadow compares one`, 2);
  if (bits === "64")
    throw new CommandFailure("--per-key needs keys of 128 bits: leave out --bits 64", 2);
}

/**
 * Returns the field that is compared besides the URL, or null. Throws `BAD_OPTION` if the format does not have it, and a
 * CommandFailure if flags contradict each other.
 */
export function byOf(
  { by: column, exclude }: FilterFlags,
  { format, field: urlField }: Omit<Records, "emit">,
): UrlField | null {
  if (column === undefined) return null;
  if (format === "parquet") {
    throw new CommandFailure(`--by url,${column} is for lines, not for parquet`, 2);
  }
  if (exclude.length > 0) {
    throw new CommandFailure("--exclude leaves out URLs, and --by compares more than these", 2);
  }
  return namedValue(`--by url,${column}`, format, column, urlField);
}

function recordsToKeep(
  { keep = { which: "first", column: "" } }: FilterFlags,
  { format, field: urlField }: Records,
): Keep {
  const { which, column, dates } = keep;
  if (which === "first" || which === "last") return { which };
  if (format === "parquet") {
    if (dates !== undefined) {
      throw new CommandFailure(
        `--keep ${which}:${column}:${dates} is for lines, not for parquet`,
        2,
      );
    }
    return { which, field: { field: { name: column, isNeeded: true }, hasHeader: false } };
  }
  const field = namedValue(`--keep ${which}:${column}`, format, column, urlField);
  return { which, field: { ...field, dates } };
}

/** Returns the field of a value. `flag`: what names it, for the error. */
function namedValue(
  flag: string,
  format: Exclude<Records["format"], "parquet">,
  column: string,
  url: UrlField,
): UrlField {
  try {
    return valueField(format, column, url);
  } catch (error) {
    if (!(error instanceof UrlmillError)) throw error;
    throw new UrlmillError(error.code, `${flag}: ${error.message}`);
  }
}
