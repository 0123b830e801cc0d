// Runs the tasks of a command on a worker thread.
import { workerData } from "node:worker_threads";
import type { NormalizerSetup } from "../../normalizers.ts";
import { replying } from "../../threads/reply.ts";
import { type DirectResult, type DirectTask, runDirectWorker } from "../direct/direct-task.ts";
import type { Job, WorkerResult, WorkerTask } from "../job.ts";
import { ChunkProcessor } from "./chunk-processor.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job };
let processor: ChunkProcessor | null = null;

// Created by the first task, so that its error becomes an answer. An error at startup would end the worker.
export default replying((task: WorkerTask | DirectTask): WorkerResult | DirectResult => {
  if ("worker" in task) return runDirectWorker(task);
  processor ??= new ChunkProcessor(setup, job);
  if ("isChosen" in task) return processor.choose(task);
  return "isMerged" in task ? processor.list(task) : processor.run(task);
});
