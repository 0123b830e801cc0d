import type { LearnRecord } from "../../learn/records/record.ts";
import { SiteCollector } from "../../learn/site/collector.ts";
import type { LearnArguments } from "./options.ts";
import { readRecords } from "./read-records.ts";

/** Reads the records of all files into a collector. */
export async function collect(args: LearnArguments): Promise<SiteCollector> {
  const collector = new SiteCollector();
  const { by } = args;
  await readRecords(args.files, args.read, (records) =>
    collector.add(by === "pages" ? records : records.map((record) => without(record, by))),
  );
  return collector;
}

/** A record without its fingerprint, and without its size where URLs alone are to tell. */
function without(
  { fp: _, size, ...record }: LearnRecord,
  by: Exclude<LearnArguments["by"], "pages">,
): LearnRecord {
  return by === "sizes" && size !== undefined ? { ...record, size } : record;
}
