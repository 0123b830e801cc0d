import type { WorkersOptions } from "../../threads/start-pool.ts";
import type { LineOptions } from "../call/options.ts";
import type { PreparedRun } from "./prepare.ts";
import { kindOfWork } from "./run-memory.ts";

/** The bytes of input from which more threads are worth their start, if no number of threads is given. */
const WORTH_THREADS = 1 << 26;
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
export function worksAlone({ options, memory }: PreparedRun<LineOptions>, bytes: number): boolean {
  return memory.threads === 1 || (options.threads === undefined && bytes < WORTH_THREADS);
}

/**
 * Returns whether one thread is as fast as two in the chunked mode, if no number of threads is given: the calling one reads
 * and writes, and kernels do the rest faster than chunks go to another thread.
 */
export function isOneEnough({ options, memory, facts, keys }: PreparedRun<LineOptions>): boolean {
  if (options.threads !== undefined || memory.threads !== 2) return false;
  return kindOfWork(options, keys !== null, facts.engine) !== "records";
}
