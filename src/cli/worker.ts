// What runs on each thread of a command.
import { workerData } from "node:worker_threads";
import { replying } from "../pool/reply.ts";
import { fromSetup, type NormalizerSetup } from "../pool/setup.ts";
import type { ChunkTask, Job } from "./job.ts";
import { Work } from "./work.ts";

const { setup, job } = workerData as { setup: NormalizerSetup; job: Job };
const work = new Work(fromSetup(setup), job);

export default replying((task: ChunkTask) => work.run(task));
