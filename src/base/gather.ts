import { leaveSource } from "./handled.ts";
import { Wakeup } from "./wakeup.ts";

/** How long a batch waits for more items, in milliseconds. Items that trickle in are answered soon. */
const PATIENCE_MS = 10;

/** Yields batches of items. Ask for the next batch only after the last one has come. */
export interface Gathered<T> extends AsyncIterableIterator<T[], void, undefined> {
  /** Closes the source at once, even one that is silent. */
  return(): Promise<IteratorResult<T[], void>>;
}

/**
 * Groups items until their sizes add up to `limit`, or until no item has come for a moment. An error of the
 * source comes after the items before it. A `limit` that is a function is asked at each batch of a source that waits. `read`:
 * returns what is gathered of an item, at once when it comes: the source may change the item before the batch is full. What
 * `read` throws comes after the items before, too, and closes the source.
 */
export function gather<T, R = T>(
  items: AsyncIterable<T> | Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number | (() => number),
  read: (item: T) => R = itself,
): Gathered<R> {
  const limitNow = typeof limit === "number" ? () => limit : limit;
  return Symbol.asyncIterator in items
    ? new GatheredLater(items, sizeOf, limitNow, read)
    : gatherReady(items, sizeOf, limitNow(), read);
}

function itself<T, R>(item: T): R {
  return item as unknown as R;
}

async function* gatherReady<T, R>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number,
  read: (item: T) => R,
): AsyncGenerator<R[], void, undefined> {
  let batch: R[] = [];
  let size = 0;
  try {
    for (const item of items) {
      batch.push(read(item));
      size += sizeOf(item);
      if (size < limit) continue;
      const full = batch;
      batch = [];
      size = 0;
      yield full;
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

class GatheredLater<T, R> implements Gathered<R> {
  readonly #items: AsyncIterable<T>;
  readonly #source: AsyncIterator<T>;
  readonly #sizeOf: (item: T) => number;
  readonly #limit: () => number;
  readonly #read: (item: T) => R;
  readonly #change = new Wakeup();
  /** The answer of the source that was not taken yet. */
  #answer:
    | { readonly item: R; readonly size: number }
    | { readonly error: unknown }
    | "end"
    | null = null;
  #isAsked = false;
  #hasEnded = false;

  constructor(
    items: AsyncIterable<T>,
    sizeOf: (item: T) => number,
    limit: () => number,
    read: (item: T) => R,
  ) {
    this.#items = items;
    this.#source = items[Symbol.asyncIterator]();
    this.#sizeOf = sizeOf;
    this.#limit = limit;
    this.#read = read;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<R[], void>> {
    const batch: R[] = [];
    let size = 0;
    const limit = this.#limit();
    let isPatient = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    while (size < limit && isPatient && !this.#hasEnded) {
      const answer = this.#answer;
      if (answer === null) {
        if (!this.#isAsked) this.#ask();
        await this.#change.wait();
        continue;
      }
      if (answer !== "end" && "item" in answer) {
        this.#answer = null;
        batch.push(answer.item);
        size += answer.size;
        timer ??= setTimeout(() => {
          isPatient = false;
          this.#change.raise();
        }, PATIENCE_MS);
        continue;
      }
      // An end of the source waits until the items before it are taken.
      if (batch.length > 0) break;
      this.#hasEnded = true;
      if (answer !== "end") throw answer.error;
    }
    clearTimeout(timer);
    return this.#hasEnded ? { done: true, value: undefined } : { done: false, value: batch };
  }

  async return(): Promise<IteratorResult<R[], void>> {
    this.#hasEnded = true;
    this.#change.raise();
    // The iterator of a stream would close it only after its next item. An import statement would load the
    // streams of Node in every program.
    const streams = globalThis.process?.getBuiltinModule?.("node:stream");
    if (streams !== undefined && this.#items instanceof streams.Readable) this.#items.destroy();
    leaveSource(this.#source);
    return { done: true, value: undefined };
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    try {
      const { done, value } = await this.#source.next();
      this.#answer = done === true ? "end" : this.#taken(value);
    } catch (error) {
      this.#answer = { error };
    }
    this.#isAsked = false;
    this.#change.raise();
  }

  #taken(item: T): { readonly item: R; readonly size: number } {
    try {
      return { item: this.#read(item), size: this.#sizeOf(item) };
    } catch (error) {
      leaveSource(this.#source);
      throw error;
    }
  }
}
