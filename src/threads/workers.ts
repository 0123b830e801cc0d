import type { Piscina } from "piscina";
import { UrlmillError } from "../base/errors.ts";
import { whenAborted } from "../base/when-aborted.ts";
import { type Envelope, openReply, type Reply } from "./reply.ts";
import { retryOnce, WorkerDeath } from "./retry.ts";
import { startPool, type WorkersOptions } from "./start-pool.ts";
import { dropTask, hasBegun, newTaskState } from "./task-state.ts";

/** One task in progress and one waiting, so that a worker need not wait for the calling thread. */
const TASKS_PER_THREAD = 2;

/** Describes workers that send messages in the middle of a task. */
export interface Asking<Q> {
  /** Is called with each message. */
  readonly hear: (question: Q) => void;
}

/** Runs tasks on threads. A thread that dies is replaced, and its task is run again once. */
export class Workers<T, R, Q = never> {
  readonly #options: WorkersOptions;
  readonly #alone: ((task: T) => R) | null;
  readonly #asking: Asking<Q> | null;
  #pool: Promise<Piscina<Envelope<T>, Reply<R>>> | null = null;
  /** The tasks that were given to workers, and the functions that reject them if no worker is left. */
  readonly #underWay = new Map<Promise<Reply<R>>, (error: Error) => void>();
  #closed = false;
  /** The promise that the threads have ended; null before `close` and `stop`. */
  #ended: Promise<void> | null = null;

  /**
   * `alone`: does a task on the calling thread, if there is no room for any other; else null. `asking`: hears workers
   * that ask in the middle of a task and wait for an answer. Such a worker takes one task at a time.
   */
  constructor(
    options: WorkersOptions,
    alone: ((task: T) => R) | null = null,
    asking: Asking<Q> | null = null,
  ) {
    this.#options = options;
    this.#alone = alone;
    this.#asking = asking;
  }

  /** Returns whether the calling thread does all tasks, one after the other. */
  get isAlone(): boolean {
    return this.#alone !== null;
  }

  /** Throws `POOL_CLOSED` after `close`. */
  checkOpen(): void {
    if (this.#closed) throw new UrlmillError("POOL_CLOSED", "the pool is closed");
  }

  /**
   * Runs a task on a free thread. After a second death it throws `WORKER_DIED`; `name` describes the task in
   * that message. An error of the worker's function keeps its code. If `signal` aborts before a worker has
   * begun the task, it throws the signal's reason, and the task's memory is free. A task that has begun runs
   * to its end, unless its worker dies.
   */
  run(task: T, name: () => string, signal?: AbortSignal): Promise<R> {
    return retryOnce(() => this.attempt(task, signal), { name, onDeath: () => this.checkOpen() });
  }

  /** Runs a task as `run` does, but throws a `WorkerDeath` after the first death. */
  async attempt(task: T, signal?: AbortSignal): Promise<R> {
    if (this.#alone !== null) return this.#runHere(this.#alone, task, signal);
    signal?.throwIfAborted();
    return openReply(await this.#try({ task, state: newTaskState() }, signal));
  }

  /** Runs a task on the calling thread, after the events that wait: one of them may abort it. */
  async #runHere(alone: (task: T) => R, task: T, signal: AbortSignal | undefined): Promise<R> {
    this.checkOpen();
    await new Promise((next) => setImmediate(next));
    signal?.throwIfAborted();
    return alone(task);
  }

  /** Stops the threads after they have done all tasks. A second call waits for the same end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay.keys());
    await this.#destroy();
  }

  /** Stops the threads while they work. Tasks in progress throw `reason`. */
  async stop(reason: Error): Promise<void> {
    this.#closed = true;
    for (const reject of this.#underWay.values()) reject(reason);
    await this.#destroy();
  }

  #destroy(): Promise<void> {
    // Each task has thrown the error of threads that did not start.
    this.#ended ??=
      this.#pool?.then(
        (pool) => pool.destroy(),
        () => {},
      ) ?? Promise.resolve();
    this.#pool = null;
    return this.#ended;
  }

  #try(envelope: Envelope<T>, signal: AbortSignal | undefined): Promise<Reply<R>> {
    this.checkOpen();
    this.#pool ??= this.#start();
    const { promise, resolve, reject } = withResolvers<Reply<R>>();
    const unlisten = whenAborted(signal, () => {
      if (dropTask(envelope.state)) reject(signal?.reason);
    });
    this.#underWay.set(promise, reject);
    this.#pool
      .then((pool) => pool.run(envelope))
      .then(resolve, (error: Error) => reject(new WorkerDeath(error, hasBegun(envelope.state))))
      .finally(() => {
        unlisten();
        this.#underWay.delete(promise);
      });
    return promise;
  }

  #start(): Promise<Piscina<Envelope<T>, Reply<R>>> {
    const tasks = this.#asking === null ? TASKS_PER_THREAD : 1;
    const started = startPool<Envelope<T>, Reply<R>>(this.#options, tasks).then((pool) => {
      if (this.#asking !== null) pool.on("message", this.#asking.hear);
      this.#watch(pool, () => this.#pool === started);
      return pool;
    });
    return started;
  }

  /** Rejects the tasks of a pool whose workers all died. `isInUse`: says whether tasks still go to it. */
  #watch(pool: Piscina<Envelope<T>, Reply<R>>, isInUse: () => boolean): void {
    let death = new Error("no worker could start");
    pool.on("error", (error: Error) => {
      death = error;
    });
    // Workers that die before they are ready are not replaced, and their tasks would wait forever.
    pool.on("workerDestroy", () =>
      setImmediate(() => {
        if (pool.threads.length > 0 || !isInUse()) return;
        this.#pool = null;
        for (const reject of this.#underWay.values()) reject(new WorkerDeath(death, true));
      }),
    );
  }
}

function withResolvers<R>(): {
  promise: Promise<R>;
  resolve: (value: R) => void;
  reject: (error: Error) => void;
} {
  let resolve!: (value: R) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<R>((give, refuse) => {
    resolve = give;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
