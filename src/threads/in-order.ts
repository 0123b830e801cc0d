import { leaveSource } from "../base/handled.ts";
import { Wakeup } from "../base/wakeup.ts";
import { whenAborted } from "../base/when-aborted.ts";

/**
 * The place of an item in the order. It holds the item's outcome or its error, or null while its task runs.
 */
interface Place<R> {
  ended: { readonly outcome: R } | { readonly error: unknown } | null;
}

/**
 * Runs a task for each item and yields the outcomes in the order of the items. Reads at most `limit` items
 * ahead of its consumer, so a slow consumer stops the source. An error comes in its turn, after the outcomes
 * before it. An abort comes at once, with the signal's reason. In both cases, and when the consumer leaves,
 * the source is closed.
 *
 * `Readable.map` of Node does the same, but is experimental, and notices an abort only when the source moves.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  run: (item: T) => Promise<R>,
  signal?: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  signal?.throwIfAborted();
  const places: Place<R>[] = [];
  const change = new Wakeup();
  const room = new Wakeup();
  let ended = false;
  let left = false;
  const source = iterate(items);

  const read = async (): Promise<void> => {
    while (!left) {
      if (places.length >= limit) {
        await room.wait();
        continue;
      }
      const next = await source.next();
      if (next.done === true || left) return;
      add(run(next.value));
    }
  };
  const add = (task: Promise<R>): void => {
    const place: Place<R> = { ended: null };
    places.push(place);
    const end = (how: Place<R>["ended"]): void => {
      place.ended = how;
      change.raise();
    };
    task.then(
      (outcome) => end({ outcome }),
      (error: unknown) => end({ error }),
    );
  };
  const unlisten = whenAborted(signal, () => change.raise());
  read()
    .catch((error: unknown) => add(Promise.reject(error)))
    .finally(() => {
      ended = true;
      change.raise();
    });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const first = places[0];
      if (first === undefined && ended) return;
      if (first === undefined || first.ended === null) {
        await change.wait();
        continue;
      }
      if ("error" in first.ended) throw first.ended.error;
      yield first.ended.outcome;
      places.shift();
      room.raise();
    }
  } finally {
    unlisten();
    left = true;
    room.raise();
    leaveSource(source);
  }
}

function iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
