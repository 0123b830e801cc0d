import { checkRoom, megabytes } from "../../io/files/disk-room.ts";
import { say } from "../../io/say.ts";
import { readsTwice } from "../keep/keep.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import type { CommandOptions } from "../options.ts";
import type { RunMemory } from "../run-memory.ts";
import { expectedRecords } from "./expected-records.ts";

/** How many times the memory of a key a key takes with what is kept of its row. */
const BESIDES_WINNERS = 3;
/** The bytes that tell the partition and the length of a record. */
const SEQUENCE_BYTES = 3;

/** Describes keys that do not fit in memory. */
export interface Spill {
  /** The number of records that a sample of the inputs tells, or null if their size is not known. */
  readonly records: number | null;
  /** The bytes of a record in temporary files. */
  readonly recordBytes: number;
}

/**
 * Returns what is known of the keys of a run if they will not fit in the memory that `--memory` gives. Otherwise null. Throws an
 * IoError if the temporary folder has no room for them. `exact`: the number of records, if the inputs say it.
 */
export async function spillOf(
  options: CommandOptions,
  { identity, sizeBefore, makeSet }: RunKeys,
  { keyBytes, threads }: RunMemory,
  exact: number | undefined,
): Promise<Spill | null> {
  if (options.memory === undefined) return null;
  const recordBytes = identity.bits / 8 + SEQUENCE_BYTES;
  const expected =
    exact === undefined ? await expectedRecords(options) : { records: exact, margin: 1 };
  if (expected === null) return { records: null, recordBytes };
  const { records, margin } = expected;
  // Each thread of the direct mode has a set of its own.
  const capacity = threads * makeSet(Math.floor(keyBytes / threads)).capacity - sizeBefore;
  const most = margin * records;
  if (most <= (readsTwice(options) ? capacity / BESIDES_WINNERS : capacity)) return null;
  checkRoom(options.tmp, records * recordBytes, "the keys of the input need about");
  return { records, recordBytes };
}

/** Tells a person what a run needs of the disk. */
export function saySpill(
  { records, recordBytes }: Spill,
  { tmp }: Pick<CommandOptions, "tmp">,
): void {
  const place = tmp === undefined ? "of the system (--tmp names another)" : tmp;
  const need =
    records === null
      ? `${recordBytes} bytes a record, and a copy of what is read from pipes,`
      : `about ${megabytes(recordBytes * records)}`;
  say(`the keys may not fit in --memory: ${need} go to the temporary folder ${place}`);
}

/** Returns why the keys of a run must be in memory, or null if they need not. */
export function whyInMemory({
  shadow,
  flush,
}: Pick<CommandOptions, "shadow" | "flush">): string | null {
  if (shadow !== undefined) return "--shadow lists lines at once";
  if (flush) return "--flush answers each line at once";
  return null;
}
