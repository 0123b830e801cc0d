import type { ResourceLimits } from "node:worker_threads";
import type { Piscina } from "piscina";
import { UrlmillError } from "../base/errors.ts";
import { builtin, loadUnbundled } from "../base/peer.ts";

/** Holds the options of a group of worker threads. */
export interface WorkersOptions {
  /** Names the module whose default export is `replying(...)`. */
  readonly file: URL;
  readonly threads: number;
  /** Holds the value that each worker gets as `workerData`. It is sent once. */
  readonly workerData?: unknown;
  readonly resourceLimits?: ResourceLimits | undefined;
}

/** Starts worker threads, each of which takes up to `tasksPerThread` tasks at a time. */
export async function startPool<T, R>(
  { file, threads, workerData, resourceLimits }: WorkersOptions,
  tasksPerThread: number,
): Promise<Piscina<T, R>> {
  checkFile(file);
  // Loaded here, because piscina takes 20 ms to load and most programs need no threads.
  const { Piscina } = await loadUnbundled<typeof import("piscina")>("piscina");
  return new Piscina<T, R>({
    filename: file.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    // With atomics, a worker that sleeps on a futex is woken on the core of the thread that wakes it, while
    // that core is busy. Two tasks of 1 ms then take 1.8 ms instead of 1.1 (Linux, Node 24).
    atomics: "disabled",
    workerData,
    ...(resourceLimits === undefined ? {} : { resourceLimits }),
  });
}

/** Returns the URL of a file beside a CommonJS bundle, in which modules have no URL. */
export function besideBundle(name: string): URL {
  return builtin("node:url").pathToFileURL(`${__dirname}/${name}`);
}

/**
 * Throws if a bundler left the file out: the pool would have no threads, for a reason that is hard to see.
 */
function checkFile(file: URL): void {
  try {
    builtin("node:fs").statSync(file);
    return;
  } catch (error) {
    // Deno may not be allowed to look.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const message = `the file ${file.href} is missing, and threads need it: copy urlmill/pool/thread.cjs there, beside the bundle`;
  throw new UrlmillError("WORKER_DIED", message);
}
