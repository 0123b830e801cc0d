// What runs on each thread of a command.
import { workerData } from "node:worker_threads";
import { replying } from "../pool/reply.ts";
import type { NormalizerSetup } from "../pool/setup.ts";
import type { Job, WorkerOutcome, WorkerTask } from "./job.ts";
import { Work } from "./work.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job };
const work = new Work(setup, job);

export default replying(
  (task: WorkerTask): WorkerOutcome => ("isChosen" in task ? work.choose(task) : work.run(task)),
);
