import { type CallErrorCode, UrlmillError } from "../base/errors.ts";
import type { UrlErrorCode } from "../base/status.ts";
import { beginTask } from "./task-state.ts";

/**
 * Holds what a worker's function returned or threw. An exception crosses threads as data, so that it keeps
 * its code. Any other exception is a fault, and keeps its stack trace.
 */
export type Reply<R> =
  | { readonly value: R }
  | { readonly dropped: true }
  | { readonly error: { code: UrlErrorCode | CallErrorCode; message: string } }
  | { readonly fault: { message: string; stack: string | undefined } };

/** Holds a task on its way to a worker. The worker claims it before it begins. */
export interface Envelope<T> {
  readonly task: T;
  readonly state: SharedArrayBuffer;
}

/** Wraps the function of a worker: it claims a task first, and returns exceptions as data. */
export function replying<T, R>(work: (task: T) => R): (envelope: Envelope<T>) => Reply<R> {
  return ({ task, state }) => {
    if (!beginTask(state)) return { dropped: true };
    try {
      return { value: work(task) };
    } catch (error) {
      return replyOf(error);
    }
  };
}

/** Does what `replying` does for a function that waits. */
export function replyingLater<T, R>(
  work: (task: T) => Promise<R>,
): (envelope: Envelope<T>) => Promise<Reply<R>> {
  return async ({ task, state }) => {
    if (!beginTask(state)) return { dropped: true };
    return work(task).then((value) => ({ value }), replyOf);
  };
}

function replyOf(error: unknown): Reply<never> {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof UrlmillError) return { error: { code: error.code, message } };
  return { fault: { message, stack } };
}

/** Returns what a worker's function returned, or throws what it threw. */
export function openReply<R>(reply: Reply<R>): R {
  if ("value" in reply) return reply.value;
  // Whoever dropped the task has its error already.
  if ("dropped" in reply) throw new Error("the task was dropped");
  if ("error" in reply) throw new UrlmillError(reply.error.code, reply.error.message);
  const { message, stack } = reply.fault;
  throw Object.assign(new Error(message), { stack });
}
