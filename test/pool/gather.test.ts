import { EventEmitter, on, once } from "node:events";
import { PassThrough } from "node:stream";
import { createPool } from "urlmill/pool";
import { expect, test } from "vitest";
import { gather } from "../../src/base/gather.ts";

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

function* failing(count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `HTTP://A/${number}`;
  throw new Error("the source failed");
}

test.each([
  ["an iterable", () => failing(3)],
  ["an async iterable", () => later(failing(3))],
])("items that %s gave before its error are yielded before the error", async (_, source) => {
  const batches = gather(source(), () => 1, 2);
  expect(await batches.next()).toEqual({ done: false, value: ["HTTP://A/0", "HTTP://A/1"] });
  expect(await batches.next()).toEqual({ done: false, value: ["HTTP://A/2"] });
  await expect(batches.next()).rejects.toThrow("the source failed");
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

test.each([
  ["an iterable", () => failing(3)],
  ["an async iterable", () => later(failing(3))],
])("normalizeEach answers what %s gave before its error", async (_, source) => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const answered: (string | null)[] = [];
  const all = (async () => {
    for await (const { url } of pool.normalizeEach(source())) answered.push(url);
  })();
  await expect(all).rejects.toThrow("the source failed");
  expect(answered).toEqual(["http://a/0", "http://a/1", "http://a/2"]);
});

let closed = 0;
function* numbered(): Generator<string> {
  try {
    for (let number = 0; ; number++) yield String(number);
  } finally {
    closed++;
  }
}

test.each([
  ["an iterable", numbered],
  ["an async iterable", () => later(numbered())],
])("what read throws comes after the items of %s before, and closes it", async (_, source) => {
  closed = 0;
  const read = (text: string): string => {
    if (text === "2") throw new Error("not read");
    return text;
  };
  const batches = gather(source(), () => 1, 9, read);
  expect(await batches.next()).toEqual({ done: false, value: ["0", "1"] });
  await expect(batches.next()).rejects.toThrow("not read");
  expect(await batches.next()).toEqual({ done: true, value: undefined });
  expect(closed).toBe(1);
});

test("an error that closing throws at once is left as one that comes later", async () => {
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false as const, value: "http://a/" }),
      return: () => {
        throw new Error("cannot be closed");
      },
    }),
  };
  let items = 0;
  for await (const batch of gather(source, () => 1, 2)) {
    items += batch.length;
    break;
  }
  expect(items).toBe(2);
});

/** Gives one URL object again and again, as a crawler that counts pages does. */
function* pages(): Generator<URL> {
  const url = new URL("http://a/?page=1");
  yield url;
  for (const page of ["2", "%7e"]) {
    url.search = `?page=${page}`;
    yield url;
  }
}

test.each([
  ["an iterable", pages],
  ["an async iterable", () => later(pages())],
])(
  "normalizeEach answers for the text that a URL object of %s had when it came",
  async (_, source) => {
    await using pool = createPool({ preset: "crawl", threads: 1 });
    const answered: unknown[] = [];
    for await (const { url, status } of pool.normalizeEach(source())) answered.push([url, status]);
    expect(answered).toEqual([
      ["http://a/?page=1", 0],
      ["http://a/?page=2", 0],
      ["http://a/?page=~", 1],
    ]);
  },
);

test("leaving closes an iterator that is silent", async () => {
  const emitter = new EventEmitter();
  const batches = gather(on(emitter, "item"), () => 1, 2);
  const next = batches.next();
  await new Promise(setImmediate);
  batches.return();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(emitter.listenerCount("item")).toBe(0);
});

test("leaving closes a stream that is silent, and ends the wait for it", async () => {
  const source = new PassThrough({ objectMode: true });
  const batches = gather(source, () => 1, 2);
  const next = batches.next();
  await new Promise(setImmediate);
  const closed = once(source, "close");
  batches.return();
  await closed;
  expect(await next).toEqual({ done: true, value: undefined });
});

test("an abort closes a source that is silent", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const source = new PassThrough({ objectMode: true });
  const controller = new AbortController();
  const next = pool.normalizeEach(source, { signal: controller.signal }).next();
  await new Promise(setImmediate);
  const closed = once(source, "close");
  controller.abort("enough");
  await expect(next).rejects.toBe("enough");
  await closed;
});
