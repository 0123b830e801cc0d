/**
 * Marks a promise as handled, and returns it. Its error must come to its owner later or in another way, which a comment
 * at each call names. Without the mark, Node ends the process if it fails before that.
 */
export function markHandled<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => {});
  return promise;
}

/** Waits until all promises have ended. Then throws the error of the first in the list that failed. */
export async function allEnded(promises: Iterable<Promise<unknown>>): Promise<void> {
  for (const ended of await Promise.allSettled(promises)) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/**
 * Closes a source whose items nobody needs any more. Does not wait for it: it may be waiting for an item that never
 * comes. So nobody is there to take an error of closing, and no item depends on it.
 */
export function leaveSource(source: AsyncIterator<unknown> | Iterator<unknown>): void {
  markHandled((async () => source.return?.())());
}
