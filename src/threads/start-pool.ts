import type { ResourceLimits } from "node:worker_threads";
import type { Piscina } from "piscina";
import { UrlmillError } from "../errors.ts";

/** Holds the options of a group of worker threads. */
export interface WorkersOptions {
  /** The module whose default export is `replying(...)`. */
  readonly file: URL;
  readonly threads: number;
  /** What each worker finds as `workerData`: sent once. */
  readonly workerData: unknown;
  readonly resourceLimits?: ResourceLimits | undefined;
}

/** Starts worker threads that take so many tasks each at a time. */
export async function startPool<T, R>(
  { file, threads, workerData, resourceLimits }: WorkersOptions,
  tasksPerThread: number,
): Promise<Piscina<T, R>> {
  checkFile(file);
  // What needs no threads does not wait 20 ms for it.
  const { Piscina } = await import("piscina");
  return new Piscina<T, R>({
    filename: file.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    // Workers that sleep on a futex are woken on the core that wakes them, where the calling thread or
    // another worker is busy: two tasks of 1 ms then take 1.8 ms, not 1.1 (Linux, Node 24).
    atomics: "disabled",
    workerData,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
  });
}

/** A bundler that does not take the file along would leave a pool without threads, for a reason that is hard to see. */
function checkFile(file: URL): void {
  if (process.getBuiltinModule("node:fs").existsSync(file)) return;
  const message = `the file ${file.href} is missing, and threads begin with it: copy urlmill/pool/thread.cjs there, beside the bundle`;
  throw new UrlmillError("WORKER_DIED", message);
}
