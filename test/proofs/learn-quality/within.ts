import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { Fold } from "./hold-out.ts";
import type { LabelledSite } from "./labelled-site.ts";
import { methodsOf } from "./methods.ts";

/** Names a method of `methodsOf`, and what it is measured on. */
export interface Task {
  readonly method: string;
  readonly budget: number;
  readonly site: LabelledSite;
  readonly seed: string;
  readonly fold: Fold;
}

/**
 * Measures a method on a site as `evaluate` does, on a thread of its own. Returns null if it has not finished after so many
 * seconds of the processor: then the thread is ended. Throws what the method throws.
 */
export function evaluateWithin(seconds: number, task: Task): Promise<Evaluation[] | null> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  const { user: begun } = process.cpuUsage();
  const timer = setInterval(() => {
    if (process.cpuUsage().user - begun > 1e6 * seconds) worker.terminate();
  }, 500);
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => {
      clearInterval(timer);
      resolve(null); // unless it has sent its result
    });
  });
}

if (!isMainThread) {
  const { method: name, budget, site, ...options } = workerData as Task;
  const method = methodsOf(budget).find((each) => each.name === name);
  if (method === undefined) throw new Error(`${name} is not a method`);
  parentPort?.postMessage(await evaluate(method, site, options));
}
