/**
 * Marks a promise as handled, and returns it. Its error must come to its owner later or in another way, which a comment
 * at each call names. Without the mark, Node ends the process if it fails before that.
 */
export function markHandled<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => {});
  return promise;
}

/**
 * Closes a source whose items nobody needs any more. Does not wait for it: it may be waiting for an item that never
 * comes. So nobody is there to take an error of closing, and no item depends on it.
 */
export function leaveSource(source: AsyncIterator<unknown> | Iterator<unknown>): void {
  markHandled(Promise.resolve(source.return?.()));
}
