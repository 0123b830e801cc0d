import { expect, test } from "vitest";
import { FingerprintSet } from "../../src/fingerprints/fingerprint-set.ts";
import { KeyForecast, type Shortage } from "../../src/runs/keys/key-forecast.ts";
import type { RunKeys } from "../../src/runs/keys/run-keys.ts";
import { deciderFor } from "../../src/runs/keys/stored-keys.ts";
import { collectGarbage } from "../shared/collect-garbage.ts";

/** The room that is asked for while an input brings `keys` new keys at an even rate. */
function reservedFor(
  keys: number,
  sizeBefore = 0,
  capacity = Number.POSITIVE_INFINITY,
  warn: (shortage: Shortage) => void = () => {},
): { room: number; size: number }[] {
  const reserved: { room: number; size: number }[] = [];
  const set = {
    size: sizeBefore,
    capacity,
    reserve: (room: number): void => {
      reserved.push({ room, size: set.size });
    },
  };
  const forecast = new KeyForecast(sizeBefore, warn);
  for (let done = 1; done <= 1000; done++) {
    set.size = sizeBefore + Math.round((keys * done) / 1000);
    forecast.expect(set, done / 1000);
  }
  return reserved;
}

test("few keys need no forecast", () => {
  expect(reservedFor(99_000)).toEqual([]);
});

test.each([200_000, 500_000, 3_000_000, 7_000_000, 20_000_000])(
  "room for %i keys is made in even steps, of five times what is there at most",
  (keys) => {
    const reserved = reservedFor(keys);
    for (const { room, size } of reserved) expect(room).toBeLessThanOrEqual(5 * size + 1);
    expect(reserved.length).toBeLessThanOrEqual(1 + Math.log(keys / 100_000) / Math.log(5));
    expect(reserved.at(-1)?.room).toBeGreaterThanOrEqual(0.99 * keys);
    // What moves last is a part of it.
    expect(reserved.at(-1)?.size).toBeLessThan(0.6 * keys);
  },
);

test("keys of earlier runs count for nothing", () => {
  const reserved = reservedFor(1_000_000, 5_000_000);
  expect(reserved.at(-1)?.room).toBeGreaterThanOrEqual(5_990_000);
  expect(reserved.at(-1)?.room).toBeLessThan(6_100_000);
});

/** What is said of a set that has room for so many keys, and how many it has by then. */
function shortagesFor(keys: number, capacity: number, sizeBefore = 0): Shortage[] {
  const shortages: Shortage[] = [];
  reservedFor(keys, sizeBefore, capacity, (shortage) => shortages.push(shortage));
  return shortages;
}

test("keys that have no room are told once", () => {
  const [shortage, another] = shortagesFor(3_000_000, 2_000_000);
  expect(another).toBe(undefined);
  expect(shortage?.capacity).toBe(2_000_000);
  expect(shortage?.expected).toBeGreaterThan(2_990_000);
  expect(shortage?.expected).toBeLessThan(3_010_000);
});

test("keys that have room are not told, and neither are those of a set that has hardly begun to fill", () => {
  expect(shortagesFor(3_000_000, 3_010_000)).toEqual([]);
  expect(shortagesFor(3_000_000, 30_000_000)).toEqual([]);
});

test("keys of earlier runs take room too", () => {
  expect(shortagesFor(1_000_000, 1_500_000)).toEqual([]);
  expect(shortagesFor(1_000_000, 1_500_000, 900_000)).toHaveLength(1);
});

test.each([
  ["in memory", null],
  ["that a store is asked about", { has: async () => new Uint8Array(0) }],
])("the set of keys %s is freed after it is handed over", async (_, earlier) => {
  const handedOver = () => {
    const set = new FingerprintSet({ bits: 128, kernel: null, engine: "js", maxBytes: 1 << 24 });
    const sets = [set];
    const takeSet = (): FingerprintSet => sets.pop() as FingerprintSet;
    const keys = deciderFor({ identity: { bits: 128 }, takeSet, earlier } as unknown as RunKeys);
    keys.handOver();
    return { keys, set: new WeakRef(set) };
  };
  const { keys, set } = handedOver();
  await collectGarbage();
  expect(set.deref()).toBe(undefined);
  keys.expect(0.5);
});
