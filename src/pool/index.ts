import type { ResourceLimits } from "node:worker_threads";
import { builtin } from "../base/peer.ts";
import { checkThreads } from "../normalizer/check-calls.ts";
import { prepare } from "../normalizers.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { badOption, checkOptionNames, checkOptionsObject } from "../options/options.ts";
import { processCores } from "../threads/process-cores.ts";
import { besideBundle } from "../threads/start-pool.ts";
import { HEAP_SPACE, KERNEL_SPACE, threadsThatFit } from "../threads/threads-that-fit.ts";
import { Workers } from "../threads/workers.ts";
import { Pool } from "./pool.ts";
import { type PoolResult, type PoolTask, runTask } from "./tasks.ts";

export type { PoolProgress, PoolRunOptions } from "./chunk-runs.ts";
export type { Pool, PooledUrl } from "./pool.ts";

/** Holds the options of a pool: those of its normalizers, and those of its threads. */
export interface PoolOptions extends NormalizerOptions {
  /**
   * Sets how many threads normalize. Where a limit on address space (`ulimit -v`) has no room for all, fewer do, and at
   * least one: `Pool.threads` says how many.
   *
   * @default `availableParallelism()` of `node:os`, or the CPUs that a control group allows
   */
  readonly threads?: number;
  /**
   * Sets how large a batch must be to go to the threads, in bytes or in UTF-16 units. The calling thread does
   * smaller batches itself. 0 sends all batches. Streams and `normalizeEach` always use the threads.
   *
   * @default from where two threads were faster: 16 MiB of strings or shared memory, 64 MiB of other bytes; 4 MiB with
   * the JavaScript engine; 1 MiB where the call has a `signal` or `onProgress`
   */
  readonly minBatchBytes?: number;
  /**
   * Limits the memory of each thread, as `Worker` of `node:worker_threads` takes it.
   *
   * @default the limits of Node
   */
  readonly resourceLimits?: ResourceLimits;
}

const OWN_OPTIONS = ["threads", "minBatchBytes", "resourceLimits"];

/**
 * Creates a pool of threads that normalize as `createNormalizer(options)` would. Throws what that throws, and
 * `BAD_OPTION` if `threads` is not a whole number above 0. Its threads run until `close`, but do not keep the
 * process alive.
 *
 * @example
 * import { createPool } from "urlmill/pool";
 * const pool = createPool({ preset: "crawl" });
 * (await pool.normalizeBatch(["http://a/#b"])).urls; // ["http://a/"]
 * await pool.close(); // undefined
 */
export function createPool(given: PoolOptions = {}): Pool {
  checkOptionsObject(given, "{ threads: 2 }");
  checkOptionNames(given, [...OWN_OPTIONS, "module"]);
  const { threads: asked, resourceLimits, minBatchBytes, ...options } = given;
  builtin("node:worker_threads");
  const wanted = asked ?? processCores();
  checkThreads(wanted);
  checkLeast(minBatchBytes);
  const { normalizer: local, resolved, setup } = prepare(options);
  const threads = threadsThatFit(wanted, setup.module === null ? HEAP_SPACE : KERNEL_SPACE);
  const file =
    import.meta.url === undefined
      ? besideBundle("thread.cjs")
      : new URL("./thread.cjs", import.meta.url);
  const workers = new Workers<PoolTask, PoolResult>(
    { file, threads, workerData: setup, resourceLimits },
    threads === 0 ? (task) => runTask(local, task) : null,
  );
  const limits = { maxLength: resolved.maxLength, minBatchBytes };
  return new Pool(local, workers, Math.max(1, threads), limits);
}

function checkLeast(bytes: number | undefined): void {
  if (bytes === undefined || (Number.isInteger(bytes) && bytes >= 0)) return;
  throw badOption("minBatchBytes", bytes, "a whole number from 0 on");
}
