import type { WorkersOptions } from "../../threads/start-pool.ts";
import { passesInBulk } from "../call/job.ts";
import type { LineOptions } from "../call/options.ts";
import type { PreparedRun } from "./prepare.ts";

/**
 * The bytes of input from which more threads are worth their start, if no number of threads is given. `bulk` is for
 * lines that pass in bulk, `slow` for lines that take ten times as long.
 */
const WORTH_THREADS = { bulk: 1 << 26, slow: 1 << 23 };
/** The memory of a thread for young objects. Node 24 takes several times as much, and is not faster. */
const YOUNG_MB = 48;

/** Returns the options of a run's worker threads. */
export function workersOf({ setup, job, memory }: PreparedRun): WorkersOptions {
  return {
    file: new URL("./thread.cjs", import.meta.url),
    threads: memory.threads,
    workerData: { setup, job },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  };
}

/** Returns whether the calling thread does all work of a run whose inputs have at least so many bytes. */
export function worksAlone(
  { options, job, memory, facts, keys }: PreparedRun<LineOptions>,
  bytes: number,
): boolean {
  if (memory.threads === 1) return true;
  if (options.threads !== undefined) return false;
  const isBulk = passesInBulk(job, keys !== null) && facts.engine === "wasm";
  return bytes < (isBulk ? WORTH_THREADS.bulk : WORTH_THREADS.slow);
}
