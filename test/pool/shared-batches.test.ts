import { expect, test } from "vitest";
import { SharedBatches } from "../../src/pool/shared-batches.ts";
import type { PoolResult, PoolTask } from "../../src/pool/tasks.ts";
import type { Workers } from "../../src/threads/workers.ts";

/** Runs a batch on a thread that ends its task when `end` is called, and aborts it. */
function abortedBatch(feed: () => boolean) {
  const steps: unknown[] = [];
  let end = (): void => {};
  const task = new Promise<boolean>((resolve) => {
    end = () => resolve(true);
  });
  const workers = { isAlone: false, run: () => task } as unknown as Workers<PoolTask, PoolResult>;
  const work = { kind: "lines" } as Parameters<SharedBatches["run"]>[0]["work"];
  const controller = new AbortController();
  const call = new SharedBatches(workers, 1).run(
    { work, feed, read: () => null, release: () => steps.push("released") },
    controller.signal,
  );
  call.catch((error: unknown) => steps.push(error));
  controller.abort("enough");
  return { steps, end };
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

test("an aborted batch ends after the threads that may write to the caller's memory", async () => {
  const { steps, end } = abortedBatch(() => true);
  await turn();
  expect(steps).toEqual([]);
  end();
  await turn();
  expect(steps).toEqual(["released", "enough"]);
});

test("so does a batch whose input cannot be written", async () => {
  const { steps, end } = abortedBatch(() => {
    throw new RangeError("the text is too long");
  });
  await turn();
  expect(steps).toEqual([]);
  end();
  await turn();
  expect(steps).toEqual(["released", new RangeError("the text is too long")]);
});
