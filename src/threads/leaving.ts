/**
 * Passes items on until its consumer leaves, which aborts `leaving` at once: also while the consumer waits for
 * an item. A generator alone would hear of it after that item.
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

/** Aborts `leaving` with `signal`, and returns what ends that. Throws the reason of one that has aborted. */
export function abortWith(signal: AbortSignal | undefined, leaving: AbortController): () => void {
  // `AbortSignal.any` would do, but Node 20 notes each call in `signal` for as long as that lives.
  signal?.throwIfAborted();
  const abort = (): void => leaving.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}
