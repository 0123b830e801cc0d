import { expect, test } from "vitest";
import { Turns } from "../../src/threads/turns.ts";

test("a thread that saw input before it was whole does not sleep through its end", () => {
  const turns = new Turns(Turns.memory(1, 1));
  turns.publish(100, false);
  const { available } = turns;
  turns.publish(100, true);
  // A thread that slept here would sleep for good: nothing is published after the end.
  expect(turns.waitForMore(available)).toBe(true);
  expect(turns.available).toMatchObject({ bytes: 100, isWhole: true });
});

test("a thread that waits for its turn leaves when the batch has stopped", () => {
  const turns = new Turns(Turns.memory(1, 1));
  const chunks = [turns.take(), turns.take()];
  expect(chunks).toEqual([0, 1]);
  expect(turns.waitForTurn(0)).toBe(true);
  turns.stop();
  expect(turns.waitForTurn(1)).toBe(false);
  expect(turns.waitForMore(turns.available)).toBe(false);
});
