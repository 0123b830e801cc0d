// Runs the tasks of a command on a worker thread.
import { workerData } from "node:worker_threads";
import type { NormalizerSetup } from "../normalizers.ts";
import { type Envelope, replying, replyingLater } from "../threads/reply.ts";
import type { Job, WorkerResult, WorkerTask } from "./call/job.ts";
import { type DirectResult, type DirectTask, runDirectWorker } from "./direct/direct-worker.ts";
import type { GroupRunner } from "./parquet/threads/group-runner.ts";
import type { GroupResult, GroupTask } from "./parquet/threads/group-task.ts";
import { ChunkProcessor } from "./rows/chunk-processor.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job | Job<"parquet"> };
// Created by the first task, so that its error becomes an answer. An error at startup would end the worker.
let processor: ChunkProcessor | null = null;
let groups: Promise<GroupRunner> | null = null;

const doLines = replying((task: WorkerTask | DirectTask): WorkerResult | DirectResult => {
  if ("worker" in task) return runDirectWorker(task);
  processor ??= new ChunkProcessor(setup, job as Job);
  if ("counts" in task) return processor.count(task);
  return "isMerged" in task ? processor.list(task) : processor.run(task);
});

const doGroup = replyingLater(async (task: GroupTask): Promise<GroupResult> => {
  groups ??= loadGroups();
  return (await groups).run(task);
});

/** Loads what reads Parquet, which lines do not need. */
async function loadGroups(): Promise<GroupRunner> {
  const { groupRunnerOf } = await import("./parquet/threads/group-worker.ts");
  return groupRunnerOf(setup, job as Job<"parquet">);
}

export default (envelope: Envelope<WorkerTask | DirectTask> | Envelope<GroupTask>): unknown =>
  "group" in envelope.task
    ? doGroup(envelope as Envelope<GroupTask>)
    : doLines(envelope as Envelope<WorkerTask | DirectTask>);
