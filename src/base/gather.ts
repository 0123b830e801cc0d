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
 * source comes after the items before it.
 */
export function gather<T>(
  items: AsyncIterable<T> | Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number,
): Gathered<T> {
  return Symbol.asyncIterator in items
    ? new GatheredLater(items, sizeOf, limit)
    : gatherReady(items, sizeOf, limit);
}

async function* gatherReady<T>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number,
): AsyncGenerator<T[], void, undefined> {
  let batch: T[] = [];
  let size = 0;
  try {
    for (const item of items) {
      batch.push(item);
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

class GatheredLater<T> implements Gathered<T> {
  readonly #items: AsyncIterable<T>;
  readonly #source: AsyncIterator<T>;
  readonly #sizeOf: (item: T) => number;
  readonly #limit: number;
  readonly #change = new Wakeup();
  /** The answer of the source that was not taken yet. */
  #answer:
    | { readonly result: IteratorResult<T>; readonly size: number }
    | { readonly error: unknown }
    | null = null;
  #isAsked = false;
  #hasEnded = false;

  constructor(items: AsyncIterable<T>, sizeOf: (item: T) => number, limit: number) {
    this.#items = items;
    this.#source = items[Symbol.asyncIterator]();
    this.#sizeOf = sizeOf;
    this.#limit = limit;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T[], void>> {
    const batch: T[] = [];
    let size = 0;
    let isPatient = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    while (size < this.#limit && isPatient && !this.#hasEnded) {
      const answer = this.#answer;
      if (answer === null) {
        if (!this.#isAsked) this.#ask();
        await this.#change.wait();
        continue;
      }
      if ("result" in answer && answer.result.done !== true) {
        this.#answer = null;
        batch.push(answer.result.value);
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
      if ("error" in answer) throw answer.error;
    }
    clearTimeout(timer);
    return this.#hasEnded ? { done: true, value: undefined } : { done: false, value: batch };
  }

  async return(): Promise<IteratorResult<T[], void>> {
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
      const result = await this.#source.next();
      this.#answer = { result, size: result.done === true ? 0 : this.#sizeOf(result.value) };
    } catch (error) {
      this.#answer = { error };
    }
    this.#isAsked = false;
    this.#change.raise();
  }
}
