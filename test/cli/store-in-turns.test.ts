import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { StoreInTurns } from "../../src/runs/keys/store-in-turns.ts";
import type { SeenStore } from "../../src/seen/contract/store.ts";

/** A store that notes its calls, and fails if one begins before the last has ended. */
function strictStore(calls: string[]): SeenStore {
  let isBusy = false;
  const call = async (name: string, rows: Uint8Array): Promise<Uint8Array> => {
    if (isBusy) throw new Error("called while it was busy");
    isBusy = true;
    calls.push(`${name} ${rows[0]}`);
    await setImmediate();
    isBusy = false;
    if (rows[0] === 9) throw new Error("refused");
    return rows;
  };
  return {
    identity: { bits: 64 } as never,
    add: (rows) => call("add", rows),
    has: (rows) => call("has", rows),
    size: async () => (await call("size", Uint8Array.of(0))).length,
    stats: async () => ({ store: "strict" }),
    close: async () => {
      await call("close", Uint8Array.of(0));
    },
  };
}

test("a store is called once at a time, in the order of the calls, also after a call that failed", async () => {
  const calls: string[] = [];
  const store = new StoreInTurns(strictStore(calls));
  const results = await Promise.allSettled([
    store.has(Uint8Array.of(1)),
    store.add(Uint8Array.of(2)),
    store.add(Uint8Array.of(9)),
    store.has(Uint8Array.of(3)),
    store.size(),
    store.close(),
  ]);
  expect(calls).toEqual(["has 1", "add 2", "add 9", "has 3", "size 0", "close 0"]);
  expect(results.map(({ status }) => status === "fulfilled")).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
  ]);
  expect(results[2]).toMatchObject({ reason: new Error("refused") });
});
