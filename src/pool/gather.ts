/** How long a batch waits for more, in milliseconds: items that trickle in are answered soon. */
const PATIENCE_MS = 10;

/**
 * Groups items until their sizes add up to `limit`, or until the source has had none for a moment. An
 * error of the source comes behind the items before it.
 */
export async function* gather<T>(
  items: AsyncIterable<T> | Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number,
): AsyncGenerator<T[], void, undefined> {
  if (!(Symbol.asyncIterator in items)) {
    yield* gatherReady(items, sizeOf, limit);
    return;
  }
  const source = items[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const advance = (): Promise<IteratorResult<T>> => {
    const next = source.next();
    next.catch(() => {}); // whoever awaits it in its turn hears of it
    return next;
  };
  try {
    let next = advance();
    for (;;) {
      // Between two batches nothing is left to hand out, so waiting is no harm.
      const first = await next;
      if (first.done === true) return;
      const batch = [first.value];
      let size = sizeOf(first.value);
      const patience = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS, null);
      });
      next = advance();
      while (size < limit) {
        const more = await Promise.race([next.catch(() => null), patience]);
        if (more === null || more.done === true) break;
        batch.push(more.value);
        size += sizeOf(more.value);
        next = advance();
      }
      clearTimeout(timer);
      yield batch;
    }
  } finally {
    clearTimeout(timer);
    Promise.resolve(source.return?.()).catch(() => {});
  }
}

function* gatherReady<T>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  limit: number,
): Generator<T[], void, undefined> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    batch.push(item);
    size += sizeOf(item);
    if (size < limit) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
