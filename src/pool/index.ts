import { availableParallelism } from "node:os";
import type { ResourceLimits } from "node:worker_threads";
import { checkThreads } from "../check-calls.ts";
import { compileKernel } from "../engine/wasm/instance.ts";
import { Normalizer } from "../normalizer.ts";
import type { NormalizerOptions } from "../options/options.ts";
import { prepare } from "../options/prepare.ts";
import type { NormalizerSetup } from "../threads/setup.ts";
import { Workers } from "../threads/workers.ts";
import { Pool } from "./pool.ts";
import type { Task, TaskResult } from "./tasks.ts";

export type { PoolProgress, PoolRunOptions } from "./chunk-runs.ts";
export type { Pool, PooledUrl } from "./pool.ts";

export interface PoolOptions extends NormalizerOptions {
  /** Threads that normalize. Default: as many as the machine runs at a time. */
  readonly threads?: number;
  /** Limits of each thread's memory, as `node:worker_threads` takes them. */
  readonly resourceLimits?: ResourceLimits;
}

/**
 * A pool of threads that normalize as `createNormalizer(options)` would. Throws what that throws, and
 * `BAD_OPTION` for `threads` that is not a whole number above 0.
 */
export function createPool({ threads, resourceLimits, ...options }: PoolOptions = {}): Pool {
  const count = threads ?? availableParallelism();
  checkThreads(count);
  const { resolved, plan, engine } = prepare(options);
  const local = new Normalizer(engine, plan);
  const module = local.engine === "wasm" ? compileKernel() : null;
  const setup: NormalizerSetup = { plan, module, engine: resolved.engine };
  const workers = new Workers<Task, TaskResult>({
    file: new URL("./worker.js", import.meta.url),
    threads: count,
    workerData: setup,
    resourceLimits,
  });
  return new Pool(local, workers, count, resolved.maxLength);
}
