import { type CallErrorCode, UrlmillError } from "../errors.ts";
import type { UrlErrorCode } from "../status.ts";
import { beginTask } from "./claim.ts";

/**
 * Holds what a worker's function returned or threw. An exception crosses threads as data, so that it keeps
 * its code.
 */
export type Reply<R> =
  | { readonly value: R }
  | { readonly dropped: true }
  | { readonly error: { code: UrlErrorCode | CallErrorCode | null; message: string } };

/** Holds a task on its way to a worker. The worker claims it before it begins. */
export interface Parcel<T> {
  readonly task: T;
  readonly claim: SharedArrayBuffer;
}

/** Wraps the function of a worker: it claims a task first, and returns exceptions as data. */
export function replying<T, R>(work: (task: T) => R): (parcel: Parcel<T>) => Reply<R> {
  return ({ task, claim }) => {
    if (!beginTask(claim)) return { dropped: true };
    try {
      return { value: work(task) };
    } catch (error) {
      const code = error instanceof UrlmillError ? error.code : null;
      return { error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
  };
}

/** Returns what a worker's function returned, or throws what it threw. */
export function openReply<R>(reply: Reply<R>): R {
  if ("value" in reply) return reply.value;
  // Whoever dropped the task has its error already.
  if ("dropped" in reply) throw new Error("the task was dropped");
  const { code, message } = reply.error;
  throw code === null ? new Error(message) : new UrlmillError(code, message);
}
