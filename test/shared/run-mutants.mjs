import { Worker } from "node:worker_threads";

const SECOND = 1000;
/** A plan that keeps an engine busy for so many seconds hangs. */
const LONGEST = 20;

/**
 * Gives mutants of plans to both engines, on a thread of their own: `count` of them from number `first` on. Resolves to
 * how many were accepted, and what went wrong.
 */
export function runMutants(first, count) {
  const progress = new SharedArrayBuffer(4);
  const number = new Int32Array(progress);
  const worker = new Worker(new URL("plan-mutants.mjs", import.meta.url), {
    workerData: { first, count, progress },
  });
  return new Promise((resolve, reject) => {
    let last = -1;
    let since = 0;
    const watchDog = setInterval(() => {
      const now = Atomics.load(number, 0);
      since = now === last ? since + 1 : 0;
      last = now;
      if (since < LONGEST) return;
      worker.terminate();
      resolve({ accepted: 0, faults: [`mutant ${now} does not end`] });
    }, SECOND);
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => clearInterval(watchDog));
  });
}
