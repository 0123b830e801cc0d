import { whenAborted } from "../base/when-aborted.ts";

/**
 * Passes items on until its consumer leaves. It then aborts `leaving` at once, even if the consumer waits for
 * an item. A generator alone would notice only after that item.
 */
export function abortOnLeave<T>(
  items: AsyncGenerator<T, void, undefined>,
  leaving: AbortController,
): AsyncIterableIterator<T, void, undefined> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => items.next(),
    return: () => {
      leaving.abort();
      return items.return();
    },
  };
}

/**
 * Aborts `leaving` when `signal` aborts. Returns a function that ends this. Throws the reason of a signal
 * that has already aborted.
 */
export function abortWith(signal: AbortSignal | undefined, leaving: AbortController): () => void {
  // `AbortSignal.any` would do. But on Node 20, `signal` keeps a record of each such call for as long as it
  // lives.
  signal?.throwIfAborted();
  return whenAborted(signal, () => leaving.abort(signal?.reason));
}
