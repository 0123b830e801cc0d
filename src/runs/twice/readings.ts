import { leavesOut, readsTwice } from "../base/keep.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { spillSetup } from "../frame/spill.ts";
import { ExcludedKeys } from "../keys/per-key.ts";
import type { RowDecider } from "../keys/row-decider.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { deciderFor } from "../keys/stored-keys.ts";
import { type ChosenRows, LACKS_LINES } from "../keys/winners/chosen-rows.ts";
import { Winners } from "../keys/winners/winners.ts";

/** Reads the inputs of a run that dedupes. Each reading asks `keys` about all rows, in their order. */
export interface Readings {
  /** Reads the files of `--exclude`, so that their keys are left out. */
  exclude(keys: RowDecider): Promise<void>;
  /** Reads the inputs with the values by which rows are chosen, and writes nothing. */
  ask(keys: RowDecider): Promise<void>;
  /** Reads the inputs, and writes the rows for which `keys` answers 1. */
  write(keys: RowDecider): Promise<void>;
}

/** Dedupes with keys in memory. Reads the inputs twice if only the last row tells which ones are written. */
export async function dedupeInMemory(
  prepared: PreparedRun,
  keys: RunKeys,
  readings: Readings,
): Promise<void> {
  const { options, memory } = prepared;
  if (!readsTwice(options)) {
    const set = deciderFor(keys);
    await readings.exclude(excludedBy(set, keys));
    return readings.write(set);
  }
  const earlier = leavesOut(options) ? deciderFor(keys) : null;
  if (earlier !== null) await readings.exclude(earlier);
  const { identity, store } = keys;
  const winners = new Winners({ ...options, identity, maxBytes: memory.keyBytes, earlier });
  await readings.ask(winners);
  await writeChosen(prepared, winners.chosen(store), readings);
}

/** Returns what takes the keys of `--exclude`. */
function excludedBy(decider: RowDecider, { perKey }: RunKeys): RowDecider {
  return perKey === 1 ? decider : new ExcludedKeys(decider, perKey);
}

/** Dedupes with keys in a temporary file, and reads the inputs twice. Throws the reason of `signal`. */
export async function dedupeOnDisk(
  prepared: PreparedRun,
  keys: RunKeys,
  readings: Readings,
  signal: AbortSignal,
): Promise<void> {
  const { options, memory, tally } = prepared;
  const { SpilledKeys } = await import("../keys/spilled/spilled-keys.ts");
  const spilled = new SpilledKeys(keys, spillSetup(options, memory));
  try {
    keys.dropSet();
    await spilled.leaveOutAll(keys);
    await readings.exclude(excludedBy(spilled, keys));
    spilled.beginInputs();
    await readings.ask(spilled);
    tally.temporaryBytes = spilled.bytesOnDisk;
    await writeChosen(prepared, await spilled.chosen(keys.store, signal), readings);
  } finally {
    spilled.close();
  }
}

/** Reads the inputs again to write rows. Throws an IoError if the inputs were changed between the readings. */
async function writeChosen(
  { tally, states }: PreparedRun,
  chosen: ChosenRows,
  readings: Readings,
): Promise<void> {
  tally.readAgain();
  states.check("nothing is written");
  await readings.write(chosen);
  chosen.checkEnd();
  states.check(LACKS_LINES);
}
