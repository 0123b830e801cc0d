// What runs on each thread of a command.
import { workerData } from "node:worker_threads";
import { replying } from "../threads/reply.ts";
import type { NormalizerSetup } from "../threads/setup.ts";
import type { Job, WorkerOutcome, WorkerTask } from "./job.ts";
import { Work } from "./work.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job };
let work: Work | null = null;

// The first task makes it: what it throws is an answer, while a worker that cannot start is a death.
export default replying((task: WorkerTask): WorkerOutcome => {
  work ??= new Work(setup, job);
  if ("isChosen" in task) return work.choose(task);
  return "isMerged" in task ? work.list(task) : work.run(task);
});
