import { checkRoom, freeBytes, megabytes } from "../../io/files/temporary-file.ts";
import { say } from "../../io/say.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";
import { readsTwice } from "../base/keep.ts";
import type { CommandOptions } from "../call/options.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { expectedRecords } from "../keys/spilled/expected-records.ts";
import type { SpillSetup } from "../keys/spilled/spilled-keys.ts";
import type { RunMemory } from "./run-memory.ts";

/** The least memory in which blocks, marks and a set have room. */
const LEAST_BYTES = 1 << 20;
/** How many times the memory of a key a key takes with what is kept of its row. */
const WINNERS_OVERHEAD = 3;
/** The bytes that tell the partition and the length of a record. */
const SEQUENCE_BYTES = 3;

/** Describes keys that do not fit in memory. */
export interface Spill {
  /** The number of records, as a sample of the inputs tells. */
  readonly records: number;
  /** The bytes of a record in temporary files. */
  readonly recordBytes: number;
}

/** Says where the keys of a run go that do not fit in memory. */
export function spillSetup(options: CommandOptions, { keyBytes }: RunMemory): SpillSetup {
  return { ...options, maxBytes: Math.max(LEAST_BYTES, keyBytes), folder: options.tmp };
}

/** Returns the bytes of a record in temporary files. */
export function recordBytesOf({ bits }: Pick<SeenIdentity, "bits">): number {
  return bits / 8 + SEQUENCE_BYTES;
}

/**
 * Returns what is known of the keys of a run if they will not fit in memory, by samples of the inputs if `--memory` limits it.
 * Otherwise null: if there are more keys than it seems, the run hands over. Throws an IoError if the temporary folder has no
 * room for them. `exact`: the number of records, if the inputs say it.
 */
export async function spillOf(
  options: CommandOptions,
  keys: RunKeys,
  { keyBytes, threads }: RunMemory,
  exact: number | undefined,
): Promise<Spill | null> {
  const { identity, sizeBefore, sizeAsked, makeSet } = keys;
  const isKnown = exact !== undefined;
  if (whyInMemory(options) !== null || (options.memory === undefined && !isKnown)) return null;
  const recordBytes = recordBytesOf(identity);
  const expected = isKnown ? { records: exact, margin: 1 } : await expectedRecords(options);
  if (expected === null) return null;
  const { records, margin } = expected;
  // Each thread of the direct mode has a set of its own.
  const room = threads * makeSet(Math.floor(keyBytes / threads)).capacity;
  const capacity = room - (sizeBefore - sizeAsked);
  const most = margin * records;
  if (most <= (readsTwice(options) ? capacity / WINNERS_OVERHEAD : capacity)) return null;
  const needed = records * recordBytes;
  // Repeats may leave room in memory for keys that have none on the disk.
  if (options.memory === undefined && needed > freeBytes(options.tmp)) return null;
  checkRoom(options.tmp, needed, "the keys of the input need about");
  return { records, recordBytes };
}

/** Tells a person what a run needs of the disk. */
export function saySpill(
  { records, recordBytes }: Spill,
  { tmp }: Pick<CommandOptions, "tmp">,
): void {
  const need = megabytes(recordBytes * records);
  say(`the keys may not fit in memory: about ${need} go to the temporary folder ${placeOf(tmp)}`);
}

/** Says that a set of so many keys is full, and where the rest goes. */
export function sayOverflow(keys: number, { tmp }: Pick<CommandOptions, "tmp">): void {
  const millions = (keys / 1e6).toPrecision(3);
  say(
    `memory has room for ${millions} million keys: the rest of the input and its keys go to the temporary folder ${placeOf(tmp)}`,
  );
}

/** Says that keys have no room in memory, and that the run begins again. */
export function sayRestart({ tmp }: Pick<CommandOptions, "tmp">): void {
  say(
    `the keys have no room in memory: they go to the temporary folder ${placeOf(tmp)}, and the input is read again`,
  );
}

/** Names the temporary folder. */
function placeOf(tmp: string | undefined): string {
  return tmp ?? "of the system (--tmp names another)";
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
