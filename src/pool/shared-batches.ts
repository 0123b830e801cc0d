import { isWorkerDied } from "../threads/retry.ts";
import { type TurnCounts, Turns } from "../threads/turns.ts";
import type { Workers } from "../threads/workers.ts";
import type { BatchTask } from "./batch-task.ts";
import type { PoolResult, PoolTask } from "./tasks.ts";

/** Describes a batch in shared memory, and what its caller does with it. */
export interface SharedBatch<R> {
  /** The parts that all tasks of the batch share. */
  readonly work: Omit<BatchTask, "task" | "turns">;
  /** Writes the input and publishes it piece by piece. Returns false for an input that cannot be written. */
  readonly feed: (turns: Turns) => boolean;
  /** Reads the result. */
  readonly read: (totals: TurnCounts) => R;
  /** Is called when the result was read and no thread uses the memory any more. */
  readonly release: () => void;
}

/** The reason for which tasks that no thread has begun are dropped: other tasks have done all the work. */
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
   * Runs a batch. Returns the result of `read`, or null for a batch that must be done in another way. Then
   * its input cannot be written, its memory has no room for the result, a thread died while it worked, or the
   * calling thread is alone and would wait for itself. Once it has returned or thrown, no thread uses the memory.
   */
  async run<R>(
    { work, feed, read, release }: SharedBatch<R>,
    signal: AbortSignal | undefined,
  ): Promise<R | null> {
    if (this.#workers.isAlone) {
      release();
      return null;
    }
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
    const stop = (): void => {
      turns.stop();
      leaving.abort(DONE);
    };
    signal?.addEventListener("abort", stop);
    try {
      if (!feed(turns)) turns.stop();
      const outcomes = await ended;
      signal?.throwIfAborted();
      for (const outcome of outcomes) {
        if (outcome.status === "fulfilled" || outcome.reason === DONE) continue;
        if (isWorkerDied(outcome.reason)) return null;
        throw outcome.reason;
      }
      return turns.isStopped ? null : read(turns.totals);
    } catch (error) {
      turns.stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      // Until then, threads use the memory of the batch, which may be the caller's.
      await ended;
      release();
    }
  }

  /** Sends a task again and again until nothing of its batch is left. */
  async #repeat(task: BatchTask, turns: Turns, signal: AbortSignal): Promise<void> {
    const name = (): string => `a batch of ${task.input.length} bytes`;
    // Others may wait for the turn of a worker that has died, and the task may wait for one of them.
    const onDeath = (): void => turns.stop();
    while (!(await this.#workers.run(task, name, signal, onDeath)));
  }
}
