import type { BatchOptions } from "../normalizer/calls.ts";
import { CHUNK } from "../threads/chunks.ts";
import { inOrder } from "../threads/in-order.ts";
import { type Slot, Slots } from "../threads/slots.ts";
import type { Workers } from "../threads/workers.ts";
import type { Filled, PoolResult, PoolTask, TaskResult } from "./tasks.ts";

/** Chunks in progress for each thread: one that it works on, and one that waits for it. */
const AHEAD = 2;

/** Says how far a call is. Its numbers go up in the order of the input. */
export interface PoolProgress {
  /** Counts the URLs that are done. */
  readonly rows: number;
  /** Counts the bytes of input that are done, or the UTF-16 units if the input is strings. */
  readonly bytes: number;
}

/** Holds the options of all methods of a pool, besides those of the normalizer. */
export interface PoolRunOptions {
  /**
   * Ends the call if it is aborted. The call then throws the signal's reason, as soon as no thread uses memory that you
   * gave.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is called between chunks. An error that it throws ends the call.
   *
   * @default none
   */
  readonly onProgress?: ((progress: PoolProgress) => void) | undefined;
}

/** A finished chunk. Its result is in the memory of its slot. */
interface Done<T> {
  readonly item: T;
  readonly slot: Slot;
  readonly outcome: TaskResult;
}

/** Runs the chunks of streams on threads, in memory that one call uses after another. */
export class ChunkRuns {
  readonly #workers: Workers<PoolTask, PoolResult>;
  readonly #threads: number;
  readonly #slots: Slots;

  constructor(workers: Workers<PoolTask, PoolResult>, threads: number) {
    this.#workers = workers;
    this.#threads = threads;
    // A worker may still hold the chunk of a stream that has ended, while the next one uses all its own slots.
    this.#slots = Slots.shared((AHEAD + 1) * threads, CHUNK);
  }

  /** Fills a slot with each item, sends it to a worker, and yields the results in the order of the items. */
  async *run<T>(
    items: AsyncIterable<T> | Iterable<T>,
    fill: (item: T, slot: Slot) => Filled,
    { base, signal, onProgress }: BatchOptions & PoolRunOptions,
  ): AsyncGenerator<Done<T>, void, undefined> {
    let started = 0;
    // The href of a URL object may change before a later chunk.
    const baseUrl = base?.toString();
    const leaving = new AbortController();
    /** Slots whose result was not taken yet. */
    const full = new Set<Slot>();
    const send = async (item: T): Promise<Done<T> & { size: number }> => {
      const number = started++;
      const slot = this.#slots.take();
      const { kind, length, rows, size } = fill(item, slot);
      const task = { ...slot, kind, length, rows, base: baseUrl };
      const name = (): string =>
        `chunk ${number} (${length} bytes${rows > 0 ? `, ${rows} rows` : ""})`;
      try {
        const outcome = (await this.#workers.run(task, name, leaving.signal)) as TaskResult;
        slot.output = outcome.output;
        full.add(slot);
        return { item, slot, outcome, size };
      } finally {
        // The task has ended or was dropped, so no worker reads or writes its memory any more.
        if (leaving.signal.aborted) this.#slots.release(slot);
      }
    };
    let rows = 0;
    let bytes = 0;
    try {
      for await (const done of inOrder(items, AHEAD * this.#threads, send, signal)) {
        yield done;
        full.delete(done.slot);
        this.#slots.release(done.slot);
        rows += done.outcome.rows;
        bytes += done.size;
        onProgress?.({ rows, bytes });
      }
    } finally {
      for (const slot of full) this.#slots.release(slot);
      leaving.abort();
    }
  }
}
