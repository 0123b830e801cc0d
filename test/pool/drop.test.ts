import { once } from "node:events";
import { createPool, type Pool } from "urlmill/pool";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";

const lines = readCorpus();
const urls = Buffer.from(lines).toString("latin1").trim().split("\n");
const ROUNDS = atLength(20, 60);
/** The bytes of chunks that may be asked for: a call asks for 4.3 MB, and a slow worker has chunks of a few calls in hand. */
const MOST = 40e6;

/** Lets a call send its first chunks; no worker can answer before this is over. */
async function letSend(): Promise<void> {
  for (let step = 0; step < 20; step++) await null;
}

/** What a call that is aborted throws. */
async function abortedCall(pool: Pool, input: Uint8Array): Promise<unknown> {
  const controller = new AbortController();
  const call = pool.normalizeLines(input, { signal: controller.signal }).then(
    () => "it was answered",
    (error: unknown) => error,
  );
  await letSend();
  controller.abort("enough");
  return call;
}

/** Bytes of shared memory that were asked for, which is where chunks wait for workers. */
let asked = 0;
const Original = SharedArrayBuffer;
beforeEach(() => {
  asked = 0;
  globalThis.SharedArrayBuffer = class extends Original {
    constructor(length: number) {
      super(length);
      asked += length;
    }
  } as SharedArrayBufferConstructor;
});
afterEach(() => {
  globalThis.SharedArrayBuffer = Original;
});

test("calls that are aborted leave no chunks waiting for a worker", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    expect(await abortedCall(pool, lines)).toBe("enough");
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(MOST);
});

test("consumers of normalizeEach that leave early leave no chunks waiting for a worker", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    for await (const { input } of pool.normalizeEach(urls)) {
      expect(input).toBe(urls[0]);
      break;
    }
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(MOST);
});

test("streams that are destroyed leave no chunks waiting for a worker", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    const stream = pool.transform();
    const before = asked;
    stream.resume();
    for (let at = 0; at < lines.length; at += 1 << 19) {
      stream.write(lines.subarray(at, at + (1 << 19)));
    }
    while (asked === before) await new Promise(setImmediate);
    stream.destroy();
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(MOST);
});

test("memory of dropped chunks does not mix calls that go on with it", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 2 });
  const expected = createNormalizer().normalizeLines(lines).bytes;
  const other = Buffer.alloc(lines.length, "x\n");
  const going = (async () => {
    for (let round = 0; round < atLength(3, 5); round++) {
      const { bytes } = await pool.normalizeLines(lines);
      expect(Buffer.compare(bytes, expected)).toBe(0);
    }
  })();
  let isGoing = true;
  going.finally(() => {
    isGoing = false;
  });
  while (isGoing) {
    expect(await abortedCall(pool, other)).toBe("enough");
    await new Promise(setImmediate);
  }
  await going;
});

test("a stream that is destroyed closes at once, also while its source is silent", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  const stream = pool.transform().resume();
  stream.write(Buffer.from("http://a/"));
  await new Promise(setImmediate);
  const closed = once(stream, "close");
  stream.destroy();
  await closed;
  expect(stream.closed).toBe(true);
});
