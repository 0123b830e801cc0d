import { Interrupt } from "./interrupt.ts";
import { discardUnfinished } from "./whole-file.ts";

let current: Interrupt | null = null;

/**
 * Runs a command that writes its files at its end, each whole or not at all. After SIGINT or SIGTERM it
 * throws at once, and the process ends soon with 130 or 143.
 */
export async function untilInterrupted(run: () => Promise<void>): Promise<void> {
  let reject: (reason: Error) => void = () => {};
  const stopped = new Promise<never>((_, fail) => {
    reject = fail;
  });
  stopped.catch(() => {}); // without a race that is still on, nobody else catches it
  const interrupt = Interrupt.listen({
    remains: "nothing",
    stop(reason) {
      discardUnfinished();
      reject(reason);
    },
    abandon: discardUnfinished,
  });
  current = interrupt;
  try {
    await Promise.race([run(), stopped]);
  } catch (error) {
    throw interrupt.explain(error);
  } finally {
    current = null;
    interrupt.end();
  }
}

/**
 * Computes something long without a pause. A signal could not be heard meanwhile, so it ends the process by itself,
 * which shells call 130 or 143 as well.
 */
export function withoutPause<T>(compute: () => T): T {
  current?.rest();
  try {
    return compute();
  } finally {
    current?.resume();
  }
}
