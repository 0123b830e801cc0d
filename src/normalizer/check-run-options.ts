import { badOption } from "../options/options.ts";
import { checkCallOptions } from "./check-calls.ts";

/** Does what `checkCallOptions` does. Throws `BAD_OPTION` also for a signal or an `onProgress` of another type. */
export function checkRunOptions(options: unknown): void {
  checkCallOptions(options);
  const { signal, onProgress } = options as { signal?: AbortSignal; onProgress?: unknown };
  // Signals may be of another realm.
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw badOption("signal", signal, "an AbortSignal");
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw badOption("onProgress", onProgress, "a function");
  }
}
