import { UrlmillError } from "../base/errors.ts";
import {
  type ArchiveFormat,
  type FormatName,
  type UrlField,
  valueField,
} from "../formats/index.ts";
import { CommandFailure } from "../runs/failure.ts";
import type { Emit } from "../runs/job.ts";
import { type Keep, readsTwice } from "../runs/keep/keep.ts";
import type { FilterFlags } from "../runs/options.ts";

/** Describes the records of a run. */
interface Records {
  readonly format: FormatName | ArchiveFormat | "parquet";
  /** The position of the URL. */
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
  if (count && records.format === "sitemap") {
    throw new CommandFailure("--count has no place for a number in a sitemap", 2);
  }
  return keep;
}

function recordsToKeep(
  { keep = { which: "first", column: "" } }: FilterFlags,
  { format, field: urlField }: Records,
): Keep {
  const { which, column } = keep;
  if (which === "first" || which === "last") return { which };
  if (format === "parquet") {
    return { which, field: { field: { name: column, isNeeded: true }, hasHeader: false } };
  }
  try {
    return { which, field: valueField(format, column, urlField) };
  } catch (error) {
    if (!(error instanceof UrlmillError)) throw error;
    throw new UrlmillError(error.code, `--keep ${which}:${column}: ${error.message}`);
  }
}
