import { IoError } from "../../io/io-error.ts";
import type { WorkerTotals } from "../rows/worker-counts.ts";
import { type DirectWork, DirectWorker } from "./direct-worker.ts";
import { SharedProgress } from "./shared-progress.ts";

/** Asks a worker to be one of the threads of a run. */
export interface DirectTask {
  readonly work: DirectWork;
  /** The number of the thread, from 0 on. */
  readonly worker: number;
}

/** Holds the result of a worker. */
export interface DirectResult {
  /** Its counts, or null if nothing is counted. */
  readonly totals: WorkerTotals | null;
  /** The message of the IoError that ended it, or null. The class of an error is lost between threads. */
  readonly failure: string | null;
}

/** Does the work of a direct run on a worker thread. */
export function runDirectWorker({ work, worker: number }: DirectTask): DirectResult {
  const worker = new DirectWorker(work, number);
  try {
    worker.run();
    return { totals: worker.totals, failure: null };
  } catch (error) {
    new SharedProgress(work.progress).stop();
    if (error instanceof IoError) return { totals: null, failure: error.message };
    throw error;
  } finally {
    worker.close();
  }
}
