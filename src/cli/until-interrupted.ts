import { markHandled } from "../base/handled.ts";
import { discardUnfinished } from "../io/files/whole-file.ts";
import { Interrupt } from "../runs/base/interrupt.ts";

/** Holds the command under way: who listens to signals for it, and the signal that stops it. */
let current: { readonly interrupt: Interrupt; readonly stopped: AbortSignal } | null = null;

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
  current = { interrupt, stopped: stopping.signal };
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
 * Shells report 130 or 143 for that as well. A signal that came before is handled first: it would be lost with the listeners.
 */
export async function withoutPause<T>(compute: () => T): Promise<T> {
  const running = current;
  // The first turn may be in the middle of what came, the second has asked for all of it.
  for (let turn = 0; turn < 2; turn++) await new Promise((resume) => setImmediate(resume));
  running?.stopped.throwIfAborted();
  running?.interrupt.rest();
  try {
    return compute();
  } finally {
    running?.interrupt.resume();
  }
}
