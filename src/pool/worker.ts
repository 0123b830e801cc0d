// Runs on each thread of a pool.
import { workerData } from "node:worker_threads";
import type { Normalizer } from "../normalizer/normalizer.ts";
import { fromSetup, type NormalizerSetup } from "../normalizers.ts";
import { replying } from "../threads/reply.ts";
import { type PoolResult, type PoolTask, runTask } from "./tasks.ts";

let normalizer: Normalizer | null = null;

// The first task makes the normalizer. An error is then an answer, while a worker that cannot start would
// count as dead.
export default replying((task: PoolTask): PoolResult => {
  normalizer ??= fromSetup(workerData as NormalizerSetup);
  return runTask(normalizer, task);
});
