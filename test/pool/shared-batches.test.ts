import { expect, test } from "vitest";
import { type SharedBatch, SharedBatches } from "../../src/pool/shared-batches.ts";
import type { PoolResult, PoolTask } from "../../src/pool/tasks.ts";
import type { Workers } from "../../src/threads/workers.ts";

const bytes = new Uint8Array(new SharedArrayBuffer(8));
const words = new Int32Array(bytes.buffer);
const memory = { input: bytes, offsets: words, output: bytes, status: bytes, places: words };
const call = { start: 0, base: undefined, key: undefined, bits: 128 } as const;
const work: SharedBatch["work"] = { kind: "lines", ...memory, ...call };

/** Runs a batch on a thread that ends its task when `end` is called, and aborts it. */
function abortedBatch() {
  const steps: unknown[] = [];
  let end = (): void => {};
  const task = new Promise<boolean>((resolve) => {
    end = () => resolve(true);
  });
  const workers = { attempt: () => task } as unknown as Workers<PoolTask, PoolResult>;
  const controller = new AbortController();
  const call = new SharedBatches(workers, 1).run(
    { work, name: () => "a batch", report: undefined },
    controller.signal,
  );
  call.catch((error: unknown) => steps.push(error));
  controller.abort("enough");
  return { steps, end };
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

test("an aborted batch ends after the threads that may write to the caller's memory", async () => {
  const { steps, end } = abortedBatch();
  await turn();
  expect(steps).toEqual([]);
  end();
  await turn();
  expect(steps).toEqual(["enough"]);
});

test("a batch is not reported again after its report threw", async () => {
  const ends: ((isDone: boolean) => void)[] = [];
  const attempt = () => new Promise<boolean>((resolve) => ends.push(resolve));
  const workers = { attempt } as unknown as Workers<PoolTask, PoolResult>;
  let reports = 0;
  const report = (): never => {
    reports++;
    throw new RangeError("enough");
  };
  const call = new SharedBatches(workers, 2).run({ work, name: () => "", report }, undefined);
  call.catch(() => {});
  for (const end of ends) {
    end(false);
    await turn();
  }
  await expect(call).rejects.toThrow("enough");
  expect([reports, ends.length]).toEqual([1, 2]);
});

test("the message of a batch has no array, because Deno reads each element of those that it receives", async () => {
  const sent: PoolTask[] = [];
  const attempt = (task: PoolTask) => Promise.resolve(sent.push(task) > 0);
  const workers = { attempt } as unknown as Workers<PoolTask, PoolResult>;
  await new SharedBatches(workers, 1).run({ work, name: () => "", report: undefined }, undefined);
  const views = Object.values(sent[0] as PoolTask).filter((value) => ArrayBuffer.isView(value));
  expect(views).toEqual(Array.from({ length: 5 }, () => expect.any(DataView)));
});
