import { counted } from "../../base/counted.ts";
import { IoError } from "../../io/io-error.ts";
import { SiteCollector } from "../../learn/collect/collector.ts";
import type { LearnRecord } from "../../learn/records/record.ts";
import type { FieldsRead } from "./fields-read.ts";
import type { LearnArguments } from "./options.ts";
import { readRecords } from "./read-records.ts";

/** Holds the records of all files. */
export interface Collected {
  readonly collector: SiteCollector;
  /** The fields that were read. It has no `fpNames` if no fingerprint is compared. */
  readonly fields: FieldsRead;
}

/**
 * Reads the records of all files into a collector. Throws an IoError if there are records but learning cannot use any
 * of them.
 */
export async function collect(args: LearnArguments): Promise<Collected> {
  const collector = new SiteCollector();
  const { by } = args;
  const fields = await readRecords(args.files, { ...args, readsPages: by === "pages" }, (records) =>
    collector.add(by === "pages" ? records : records.map((record) => without(record, by))),
  );
  if (by !== "pages") fields.fpNames.clear();
  const { records, skipped } = collector;
  if (records > 0 && skipped === records) {
    throw new IoError(
      `no rule can be learned: not one of ${counted(records, "record")} has an http or https URL of at most 2047 bytes after its host; check --format and --field`,
    );
  }
  return { collector, fields };
}

/** Returns a record without its fingerprint. Also removes its size if only URLs are compared. */
function without(
  { fp: _, size, ...record }: LearnRecord,
  by: Exclude<LearnArguments["by"], "pages">,
): LearnRecord {
  return by === "sizes" && size !== undefined ? { ...record, size } : record;
}
