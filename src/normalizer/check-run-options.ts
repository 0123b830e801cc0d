import { badOption } from "../options/options.ts";
import { checkCallOptions } from "./check-calls.ts";

/** Does what `checkCallOptions` and `checkAnswers` do. */
export function checkRunOptions(options: unknown): void {
  checkCallOptions(options);
  checkAnswers(options as object);
}

/** Throws `BAD_OPTION` for a signal or an `onProgress` of another type. */
export function checkAnswers(options: object): void {
  const { signal, onProgress } = options as { signal?: AbortSignal; onProgress?: unknown };
  // Signals may be of another realm.
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw badOption("signal", signal, "an AbortSignal");
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw badOption("onProgress", onProgress, "a function");
  }
}
