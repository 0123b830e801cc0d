import { type CallErrorCode, UrlmillError } from "../errors.ts";
import type { UrlErrorCode } from "../status.ts";

/** What a worker's function returns: an exception crosses threads as data, so that it keeps its code. */
export type Reply<R> =
  | { readonly value: R }
  | { readonly error: { code: UrlErrorCode | CallErrorCode | null; message: string } };

/** Wraps what a worker does with a task. */
export function replying<T, R>(work: (task: T) => R): (task: T) => Reply<R> {
  return (task) => {
    try {
      return { value: work(task) };
    } catch (error) {
      const code = error instanceof UrlmillError ? error.code : null;
      return { error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
  };
}
