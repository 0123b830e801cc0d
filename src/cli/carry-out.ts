import { ClosedPipe } from "../io/output.ts";
import { say } from "../io/say.ts";
import type { SeenRequest } from "../seen/request.ts";
import { checkFiles, filesIn, totalBytes } from "./files.ts";
import { Interrupt, type Remains } from "./interrupt.ts";
import { KeySet } from "./key-set.ts";
import type { CommandOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import type { Tally } from "./tally.ts";

/** Does the work of `normalize` or `dedupe` on inputs of one kind. */
export interface Run {
  readonly tally: Tally;
  /** Does all. Throws what ends the run early, the reason of a stop included. */
  all(): Promise<void>;
  /** Ends the run with `reason` soon. `close` is called then. */
  stop(reason: Error): void;
  /** Closes all files, also after an error. */
  close(): Promise<void>;
  /** Says what a stop leaves of the outputs. */
  readonly remains: Remains;
  /** Removes what must not be left; the process ends at once after it. */
  abandon(): void;
  /** Says what the run has to say at its end. */
  report(): void;
}

/**
 * Returns the size of all inputs in bytes, 0 where that is not known. Throws where a run would write a file that it
 * reads.
 */
export async function checkedBytes(options: CommandOptions): Promise<number> {
  const { files, optionFiles, out = "-", errors, map, report, shadow, seen } = options;
  const kept = seen === undefined ? [] : await filesIn(seen);
  await checkFiles([...files, ...optionFiles, ...kept], [out, errors, map, report, shadow]);
  return totalBytes(files);
}

/** Opens the keys of a run of `dedupe`, with those of earlier runs if they are kept, and tells what was done to these. */
export async function openKeys(request: SeenRequest, seen: string | undefined): Promise<KeySet> {
  const keys = await KeySet.open(request, seen);
  for (const notice of keys.notices) say(`${seen}: ${notice}`);
  return keys;
}

/** Carries out a run with its progress, until its end or a signal. `total`: bytes of all inputs, 0 where unknown. */
export async function carryOut(
  run: Run,
  { progress: wanted, out = "-", format }: CommandOptions,
  total: number,
): Promise<void> {
  const progress = Progress.start(wanted, run.tally, {
    total,
    record: format === "parquet" ? "row" : "line",
    out,
  });
  const interrupt = Interrupt.listen(run);
  try {
    try {
      await run.all();
    } finally {
      progress?.stop();
      await run.close();
    }
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    throw interrupt.explain(error);
  } finally {
    interrupt.end();
  }
  run.report();
}
