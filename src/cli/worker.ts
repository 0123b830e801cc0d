// What runs on each thread of a command.
import { workerData } from "node:worker_threads";
import { replying } from "../threads/reply.ts";
import type { NormalizerSetup } from "../threads/setup.ts";
import { ChunkProcessor } from "./chunk-processor.ts";
import { type LaneResult, type LaneTask, runLane } from "./direct/lane-task.ts";
import type { Job, WorkerResult, WorkerTask } from "./job.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job };
let processor: ChunkProcessor | null = null;

// The first task makes it: what it throws is an answer, while a worker that cannot start is a death.
export default replying((task: WorkerTask | LaneTask): WorkerResult | LaneResult => {
  if ("lane" in task) return runLane(task);
  processor ??= new ChunkProcessor(setup, job);
  if ("isChosen" in task) return processor.choose(task);
  return "isMerged" in task ? processor.list(task) : processor.run(task);
});
