import { markHandled } from "../base/handled.ts";
import { discardUnfinished } from "../io/files/whole-file.ts";
import { Interrupt } from "../runs/interrupt.ts";

let current: Interrupt | null = null;

/**
 * Runs a command, or a part of one, that writes each of its files at the end, complete or not at all. After SIGINT, SIGTERM
 * or SIGHUP it throws at once, aborts the signal that `run` gets, and the process ends soon with 130 or 143.
 */
export async function untilInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  let reject: (reason: Error) => void = () => {};
  const stopping = new AbortController();
  const stopped = new Promise<never>((_, fail) => {
    reject = fail;
  });
  markHandled(stopped); // the race throws the reason, unless it is over
  const interrupt = Interrupt.listen({
    outputState: "nothing",
    stop(reason) {
      discardUnfinished();
      stopping.abort(reason);
      reject(reason);
    },
    abandon: discardUnfinished,
  });
  current = interrupt;
  try {
    return await Promise.race([run(stopping.signal), stopped]);
  } catch (error) {
    throw interrupt.explain(error);
  } finally {
    current = null;
    interrupt.end();
  }
}

/**
 * Runs a long computation without a pause. Signals could not be handled during it, so they end the process directly.
 * Shells report 130 or 143 for that as well.
 */
export function withoutPause<T>(compute: () => T): T {
  current?.rest();
  try {
    return compute();
  } finally {
    current?.resume();
  }
}
