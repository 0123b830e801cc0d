import { UrlmillError } from "../errors.ts";
import { type TurnCounts, Turns } from "../threads/turns.ts";
import type { Workers } from "../threads/workers.ts";
import type { BatchTask } from "./batch-task.ts";
import type { PoolResult, PoolTask } from "./tasks.ts";

/** Describes a batch in shared memory, and what its caller does with it. */
export interface SharedBatch<R> {
  /** What all tasks of the batch have. */
  readonly work: Omit<BatchTask, "task" | "turns">;
  /** Writes the input and publishes what is there; returns false for one that cannot be written. */
  readonly feed: (turns: Turns) => boolean;
  /** Reads what came of it. */
  readonly read: (totals: TurnCounts) => R;
  /** Hears when no thread uses the memory any more, and it was read. */
  readonly release: () => void;
}

/** Why tasks that no thread has begun are dropped: others have done all. */
const DONE = Symbol("the batch is done");

/** Runs batches in shared memory, each on all threads at once. */
export class SharedBatches {
  readonly #workers: Workers<PoolTask, PoolResult>;
  readonly #threads: number;

  constructor(workers: Workers<PoolTask, PoolResult>, threads: number) {
    this.#workers = workers;
    this.#threads = threads;
  }

  /**
   * Runs a batch. Returns what `read` does, or null for a batch that must be done in another way: its input cannot
   * be written, its memory has no room for the outcome, or a thread died in the middle.
   */
  async run<R>(
    { work, feed, read, release }: SharedBatch<R>,
    signal: AbortSignal | undefined,
  ): Promise<R | null> {
    const memory = Turns.memory(this.#threads);
    const turns = new Turns(memory);
    const leaving = new AbortController();
    const tasks = Array.from({ length: this.#threads }, (_, task) =>
      this.#repeat({ ...work, task, turns: memory }, turns, leaving.signal),
    );
    for (const task of tasks) {
      task.then(
        () => leaving.abort(DONE),
        (error: unknown) => {
          if (error !== DONE) turns.stop();
        },
      );
    }
    const ended = Promise.allSettled(tasks);
    const aborted = abortOf(signal, () => {
      turns.stop();
      leaving.abort(DONE);
    });
    try {
      if (!feed(turns)) turns.stop();
      for (const outcome of await Promise.race([ended, aborted.promise])) {
        if (outcome.status === "fulfilled" || outcome.reason === DONE) continue;
        if (isDeath(outcome.reason)) return null;
        throw outcome.reason;
      }
      return turns.isStopped ? null : read(turns.totals);
    } catch (error) {
      turns.stop();
      throw error;
    } finally {
      aborted.end();
      ended.then(release);
    }
  }

  /** Sends a task until nothing is left of its batch. */
  async #repeat(task: BatchTask, turns: Turns, signal: AbortSignal): Promise<void> {
    const name = (): string => `a batch of ${task.input.length} bytes`;
    // Others may wait for the turn of a worker that has died, and the task for one of these.
    const onDeath = (): void => turns.stop();
    while (!(await this.#workers.run(task, name, signal, onDeath)));
  }
}

/** A promise that is rejected with the signal's reason, after `stop`. */
function abortOf(
  signal: AbortSignal | undefined,
  stop: () => void,
): { promise: Promise<never>; end: () => void } {
  let hear = (): void => {};
  const promise = new Promise<never>((_, reject) => {
    hear = () => {
      stop();
      reject(signal?.reason);
    };
  });
  promise.catch(() => {}); // it may come after the batch
  signal?.addEventListener("abort", hear);
  return { promise, end: () => signal?.removeEventListener("abort", hear) };
}

function isDeath(error: unknown): boolean {
  return error instanceof UrlmillError && error.code === "WORKER_DIED";
}
