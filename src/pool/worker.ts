// What runs on each thread of a pool.
import { workerData } from "node:worker_threads";
import { replying } from "./reply.ts";
import { fromSetup, type NormalizerSetup } from "./setup.ts";
import { runTask, type Task } from "./tasks.ts";

const normalizer = fromSetup(workerData as NormalizerSetup);

export default replying((task: Task) => runTask(normalizer, task));
