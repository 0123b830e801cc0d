import { expect, test } from "vitest";
import { type ThreadSlot, ThreadSlots } from "../../src/runs/parquet/threads/thread-slots.ts";

test("slots are given in the order in which they are asked for, the one here first", async () => {
  const slots = new ThreadSlots(2);
  const given: string[] = [];
  const takeAs = (name: string) =>
    slots.take().then((slot: ThreadSlot) => {
      given.push(`${name} ${slot}`);
      return slot;
    });
  const first = takeAs("a");
  takeAs("b");
  takeAs("c");
  takeAs("d");
  takeAs("e");
  await first;
  await new Promise((next) => setImmediate(next));
  expect(given).toEqual(["a here", "b worker", "c worker"]);
  slots.leave("worker");
  slots.leave("here");
  await new Promise((next) => setImmediate(next));
  expect(given.slice(3)).toEqual(["d worker", "e here"]);
});
