import { whenAborted } from "../base/when-aborted.ts";
import { retryOnce, WorkerDeath } from "../threads/retry.ts";
import { type TurnCounts, Turns } from "../threads/turns.ts";
import type { Workers } from "../threads/workers.ts";
import { type BatchTask, CHUNK } from "./batch-task.ts";
import { toSend } from "./sent-task.ts";
import type { PoolResult, PoolTask } from "./tasks.ts";

/** Chunks after which a task ends: usually, and if the calling thread wants to hear of it or does the task itself. */
const CHUNKS = { usual: 64, answering: 4 };

/** Describes a batch in shared memory, and what its caller does with it. */
export interface SharedBatch {
  /** The parts that all tasks of the batch share. */
  readonly work: Omit<BatchTask, "task" | "turns" | "chunks">;
  /** Returns what the batch is called in messages. */
  readonly name: () => string;
  /** Is called now and then with what is done; undefined if nobody wants to know. */
  readonly report: ((done: TurnCounts) => void) | undefined;
}

/** Says how much of a batch is done. */
export interface BatchDone extends TurnCounts {
  /** Counts the bytes of the outcome of a chunk, if the batch ended because it has no room for that; else 0. */
  readonly lackingBytes: number;
}

/** The reason for which tasks that no thread has begun are dropped: nothing is left for them to do. */
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
   * Runs a batch, and returns how much of it is done. It ends early if its memory has no room for the result of the next
   * chunk, or if a thread died. Throws `WORKER_DIED` if threads died twice before anything was done. Once it has returned
   * or thrown, no thread uses the memory.
   */
  run(batch: SharedBatch, signal: AbortSignal | undefined): Promise<BatchDone> {
    const onDeath = (): void => this.#workers.checkOpen();
    return retryOnce(() => this.#attempt(batch, signal), { name: batch.name, onDeath });
  }

  async #attempt(
    { work, report }: SharedBatch,
    signal: AbortSignal | undefined,
  ): Promise<BatchDone> {
    signal?.throwIfAborted();
    const memory = Turns.memory(this.#threads, 1 + Math.floor(work.input.length / CHUNK));
    const turns = new Turns(memory);
    const leaving = new AbortController();
    const isAnswering = report !== undefined || this.#workers.isAlone;
    const chunks = isAnswering ? CHUNKS.answering : CHUNKS.usual;
    const repeat = async (task: number): Promise<void> => {
      const part = toSend({ ...work, task, chunks, turns: memory });
      while (!(await this.#workers.attempt(part, leaving.signal)) && !turns.isStopped) {
        report?.(turns.place);
      }
    };
    const tasks = Array.from({ length: this.#threads }, (_, task) => repeat(task));
    const stop = (): void => {
      turns.stop();
      leaving.abort(DONE);
    };
    for (const task of tasks) {
      task.then(
        () => leaving.abort(DONE),
        (error: unknown) => {
          // Others may wait for the turn of a worker that has died.
          if (error !== DONE) stop();
        },
      );
    }
    const unlisten = whenAborted(signal, stop);
    // Until then, threads use the memory of the batch, which may be the caller's.
    const outcomes = await Promise.allSettled(tasks);
    unlisten();
    signal?.throwIfAborted();
    const done = { ...turns.written, lackingBytes: turns.lackingBytes };
    checkOutcomes(outcomes, done.rows > 0);
    return done;
  }
}

/** Throws the error of a task. A death does no harm if it left something that is done. */
function checkOutcomes(outcomes: readonly PromiseSettledResult<void>[], isSome: boolean): void {
  let death: WorkerDeath | null = null;
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled" || outcome.reason === DONE) continue;
    if (!(outcome.reason instanceof WorkerDeath)) throw outcome.reason;
    if (death === null || outcome.reason.isSuspect) death = outcome.reason;
  }
  if (death !== null && !isSome) throw death;
}
