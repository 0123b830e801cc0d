import { UrlmillError } from "../base/errors.ts";

/** How often a worker may die while a task waits for it before that task is suspected. */
const BYSTANDER_TRIES = 10;

/** Reports that a worker ended before its answer. */
export class WorkerDeath extends Error {
  /** Says whether the task may be the cause. A task that only waited is not. */
  readonly isSuspect: boolean;

  constructor({ message }: Error, isSuspect: boolean) {
    super(message);
    this.isSuspect = isSuspect;
  }
}

/** Describes a task for messages, and what to do when a worker dies. */
export interface DeathPlan {
  readonly name: () => string;
  /** Is called for each death. An error that it throws ends the attempts. */
  readonly onDeath?: () => void;
  /** Says what a user can do after the second death. */
  readonly advice?: string;
}

/**
 * Attempts a task that throws a `WorkerDeath` if its worker dies, and then once again. Throws `WORKER_DIED` after the
 * second death. A death while the task only waited does not count, unless that happens again and again.
 */
export async function retryOnce<R>(
  attempt: () => Promise<R>,
  { name, onDeath, advice }: DeathPlan,
): Promise<R> {
  let deaths = 0;
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WorkerDeath)) throw error;
      onDeath?.();
      if (!error.isSuspect && tries < BYSTANDER_TRIES) continue;
      if (++deaths < 2) continue;
      const message = `a worker died twice on ${name()}: ${error.message}`;
      throw new UrlmillError("WORKER_DIED", withAdvice(message, advice));
    }
  }
}

/** Returns an error of `WORKER_DIED` with what a user can do. Returns any other error as it is. */
export function advised(error: unknown, advice: string): unknown {
  if (!isWorkerDied(error)) return error;
  return new UrlmillError("WORKER_DIED", withAdvice(error.message, advice));
}

/** Returns whether an error says that workers died on a task. */
export function isWorkerDied(error: unknown): error is UrlmillError {
  return error instanceof UrlmillError && error.code === "WORKER_DIED";
}

function withAdvice(message: string, advice: string | undefined): string {
  return advice === undefined ? message : `${message}; ${advice}`;
}
