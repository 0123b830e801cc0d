import { expect, test } from "vitest";
import { Turns } from "../../src/threads/turns.ts";

test("a thread that waits for its turn leaves when the batch has stopped", () => {
  const turns = new Turns(Turns.memory(1, 1));
  const chunks = [turns.take(), turns.take()];
  expect(chunks).toEqual([0, 1]);
  expect(turns.waitForTurn(0)).toBe(true);
  turns.stop();
  expect(turns.waitForTurn(1)).toBe(false);
});
