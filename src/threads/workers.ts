import type { Piscina } from "piscina";
import { UrlmillError } from "../errors.ts";
import { dropTask, hasBegun, makeClaim } from "./claim.ts";
import { openReply, type Parcel, type Reply } from "./reply.ts";
import { startPool, type WorkersOptions } from "./start-pool.ts";

/** How often a task may wait at a worker that dies before it counts as the cause. */
const BYSTANDER_TRIES = 10;

/** Runs tasks on threads. A thread that dies is replaced, and its task done again, once. */
export class Workers<T, R> {
  readonly #options: WorkersOptions;
  #pool: Promise<Piscina<Parcel<T>, Reply<R>>> | null = null;
  /** The tasks given to workers, and what ends them where no worker is left. */
  readonly #underWay = new Map<Promise<Reply<R>>, (error: Error) => void>();
  #closed = false;
  /** The end of the threads; null before `close` and `stop`. */
  #ended: Promise<void> | null = null;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Throws `POOL_CLOSED` after `close`. */
  checkOpen(): void {
    if (this.#closed) throw new UrlmillError("POOL_CLOSED", "the pool is closed");
  }

  /**
   * Runs a task on a free thread. `name` says what it is in the error, `WORKER_DIED`, that a second
   * death throws; what the worker's function throws comes back with its code. An abort of `signal` throws
   * its reason where no worker has begun the task, whose memory is then free. A task that is begun is
   * answered: only the death of its worker would end it sooner. `onDeath` hears of each.
   */
  async run(task: T, name: () => string, signal?: AbortSignal, onDeath?: () => void): Promise<R> {
    let deaths = 0;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const claim = makeClaim();
      try {
        return openReply(await this.#try({ task, claim }, signal));
      } catch (error) {
        if (!(error instanceof WorkerDeath)) throw error;
        onDeath?.();
        this.checkOpen();
        // A task that only waited its turn is not suspected, unless it does so again and again.
        const isBystander = !hasBegun(claim) && !error.isHopeless;
        if (isBystander && tries < BYSTANDER_TRIES) continue;
        if (++deaths === 2) {
          const message = `a worker died twice on ${name()}: ${error.message}`;
          throw new UrlmillError("WORKER_DIED", message);
        }
      }
    }
  }

  /** Stops the threads, once they have done what they were given. Called again, it is the same end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay.keys());
    await this.#destroy();
  }

  /** Stops the threads in the middle of what they do. Tasks that wait for an answer throw `reason`. */
  async stop(reason: Error): Promise<void> {
    this.#closed = true;
    for (const reject of this.#underWay.values()) reject(reason);
    await this.#destroy();
  }

  #destroy(): Promise<void> {
    this.#ended ??= this.#pool?.then((pool) => pool.destroy()) ?? Promise.resolve();
    this.#pool = null;
    return this.#ended;
  }

  #try(parcel: Parcel<T>, signal: AbortSignal | undefined): Promise<Reply<R>> {
    this.checkOpen();
    this.#pool ??= this.#start();
    const { promise, resolve, reject } = withResolvers<Reply<R>>();
    const drop = (): void => {
      if (dropTask(parcel.claim)) reject(signal?.reason);
    };
    signal?.addEventListener("abort", drop);
    this.#underWay.set(promise, reject);
    this.#pool
      .then((pool) => pool.run(parcel))
      .then(resolve, (error: Error) => reject(new WorkerDeath(error, false)))
      .finally(() => {
        signal?.removeEventListener("abort", drop);
        this.#underWay.delete(promise);
      });
    return promise;
  }

  #start(): Promise<Piscina<Parcel<T>, Reply<R>>> {
    // One in hand and one at the door: a worker need not wait for this thread.
    const started = startPool<Parcel<T>, Reply<R>>(this.#options, 2);
    started.then((pool) => this.#watch(pool, started)).catch(() => {}); // tasks hear of it
    return started;
  }

  #watch(pool: Piscina<Parcel<T>, Reply<R>>, started: Promise<Piscina<Parcel<T>, Reply<R>>>): void {
    let death = new Error("no worker could start");
    pool.on("error", (error: Error) => {
      death = error;
    });
    // Workers that die before they are ready are not replaced, and their tasks would wait for ever.
    pool.on("workerDestroy", () =>
      setImmediate(() => {
        if (pool.threads.length > 0 || this.#pool !== started) return;
        this.#pool = null;
        for (const reject of this.#underWay.values()) reject(new WorkerDeath(death, true));
      }),
    );
  }
}

/** A worker ended before its answer. */
class WorkerDeath extends Error {
  /** Whether no worker could start at all. */
  readonly isHopeless: boolean;

  constructor(cause: Error, isHopeless: boolean) {
    super(cause.message);
    this.isHopeless = isHopeless;
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
