/** Something to wait for, again and again. */
class Signal {
  #wake: (() => void) | null = null;

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  raise(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

/**
 * Runs a task for each item and yields the outcomes in the order of the items. Reads no further than
 * `limit` items ahead of its consumer, so a slow consumer stops the source. An error comes in its turn,
 * behind the outcomes before it; an abort comes at once, with the signal's reason. Either way, and when
 * the consumer leaves, the source is closed.
 *
 * `Readable.map` of Node would do, but is experimental, and hears an abort only when the source moves.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  run: (item: T) => Promise<R>,
  signal?: AbortSignal,
): AsyncGenerator<R, void, undefined> {
  signal?.throwIfAborted();
  const outcomes: Promise<R>[] = [];
  const arrival = new Signal();
  const room = new Signal();
  let ended = false;
  let left = false;
  const source = iterate(items);

  const read = async (): Promise<void> => {
    while (!left) {
      if (outcomes.length >= limit) {
        await room.wait();
        continue;
      }
      const next = await source.next();
      if (next.done === true || left) return;
      add(run(next.value));
    }
  };
  const add = (outcome: Promise<R>): void => {
    outcome.catch(() => {}); // whoever awaits it in its turn hears of it
    outcomes.push(outcome);
    arrival.raise();
  };
  let hearAbort = (): void => {};
  const abort = new Promise<never>((_, reject) => {
    hearAbort = () => reject(signal?.reason);
  });
  signal?.addEventListener("abort", hearAbort);
  abort.catch(() => {});
  read()
    .catch((error: unknown) => add(Promise.reject(error)))
    .finally(() => {
      ended = true;
      arrival.raise();
    });
  try {
    for (;;) {
      const outcome = outcomes[0];
      if (outcome !== undefined) {
        yield await Promise.race([outcome, abort]);
        outcomes.shift();
        room.raise();
      } else if (ended) {
        return;
      } else {
        await Promise.race([arrival.wait(), abort]);
      }
    }
  } finally {
    signal?.removeEventListener("abort", hearAbort);
    left = true;
    room.raise();
    // Not awaited: a source may be waiting for what never comes.
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

function iterate<T>(items: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
