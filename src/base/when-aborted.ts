import { entryOf } from "./tallies.ts";

interface Hearing {
  readonly calls: Set<() => void>;
  /** Calls them all. */
  readonly hear: () => void;
}

/** Holds what is heard of signals that calls have in common. */
const HEARINGS = new WeakMap<AbortSignal, Hearing>();

/**
 * Calls `leave` when a signal aborts. Returns a function that ends this. A signal gets one listener for all calls that have it:
 * Node 20 warns of a leak from the eleventh on.
 */
export function whenAborted(signal: AbortSignal | undefined, leave: () => void): () => void {
  if (signal === undefined) return () => {};
  const { calls, hear } = entryOf(HEARINGS, signal, newHearing);
  if (calls.size === 0) signal.addEventListener("abort", hear);
  calls.add(leave);
  return () => {
    calls.delete(leave);
    if (calls.size === 0) signal.removeEventListener("abort", hear);
  };
}

function newHearing(): Hearing {
  const calls = new Set<() => void>();
  const hear = (): void => {
    for (const leave of calls) leave();
  };
  return { calls, hear };
}
