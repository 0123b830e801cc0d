import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { inOrder } from "../../src/threads/in-order.ts";
import { collectGarbage } from "../shared/collect-garbage.ts";

function* numbers(count: number): Generator<number> {
  for (let number = 0; number < count; number++) yield number;
}

test("an outcome that was taken is let go while the run goes on", async () => {
  const refs: WeakRef<object>[] = [];
  const run = async (number: number): Promise<object> => ({ number });
  for await (const outcome of inOrder(numbers(1001), 4, run)) {
    refs.push(new WeakRef(outcome));
    if (refs.length < 1000) continue;
    await collectGarbage();
    expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10);
    break;
  }
  expect(refs).toHaveLength(1000);
});

test("an abort is heard while outcomes are ready", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const taken: number[] = [];
  const all = (async () => {
    for await (const number of inOrder(numbers(10), 4, async (n) => n, controller.signal)) {
      taken.push(number);
      await new Promise(setImmediate);
      if (number === 1) controller.abort(reason);
    }
  })();
  await expect(all).rejects.toBe(reason);
  expect(taken).toEqual([0, 1]);
});

test("an abort is heard while a task runs that never ends", async () => {
  const controller = new AbortController();
  const outcomes = inOrder(numbers(1), 4, () => new Promise(() => {}), controller.signal);
  const next = outcomes.next();
  await new Promise(setImmediate);
  controller.abort("enough");
  await expect(next).rejects.toBe("enough");
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("outcomes come in the order of the items, whichever is ready first", async () => {
  const run = async (number: number): Promise<number> => {
    for (let turn = 0; turn < 5 - (number % 5); turn++) await new Promise(setImmediate);
    return number;
  };
  const taken: number[] = [];
  for await (const number of inOrder(numbers(50), 7, run)) taken.push(number);
  expect(taken).toEqual([...numbers(50)]);
});

test("an error of a task comes after the outcomes before it", async () => {
  const taken: number[] = [];
  const all = (async () => {
    const run = async (number: number): Promise<number> => {
      if (number === 3) throw new Error("the task failed");
      await new Promise(setImmediate);
      return number;
    };
    for await (const number of inOrder(numbers(9), 9, run)) taken.push(number);
  })();
  await expect(all).rejects.toThrow("the task failed");
  expect(taken).toEqual([0, 1, 2]);
});
