import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GROUP, ROW } from "../../src/seen/disk/kernel/disk-kernel.ts";
import {
  calls,
  filterAt,
  freshAt,
  indexAt,
  input,
  kernel,
  output,
  PARTITION,
  rowsAt,
} from "../shared/disk-regions.ts";
import { Random } from "../shared/random.ts";

test("keys of partitions that were merged are left out", () => {
  const keys = Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) % 251);
  const numbers = Uint32Array.from({ length: 100 }, (_, row) => 1000 * row);
  const partitionOf = (row: number) => keys[10 * row + 9] as number;
  const merged = Uint8Array.from({ length: 256 }, (_, partition) => +(partition % 3 === 0));
  kernel.view(rowsAt, keys.length).set(keys);
  kernel.view(indexAt, 400).set(new Uint8Array(numbers.buffer));
  kernel.view(filterAt, 256).set(merged);
  const kept = [...numbers.keys()].filter((row) => merged[partitionOf(row)] === 0);
  expect(calls.keepUnmerged(rowsAt, indexAt, numbers.length, filterAt)).toBe(kept.length);
  expect([...kernel.view(rowsAt, 10 * kept.length)]).toEqual(
    kept.flatMap((row) => [...keys.subarray(10 * row, 10 * row + 10)]),
  );
  const left = new Uint32Array(calls.memory.buffer, indexAt, kept.length);
  expect([...left]).toEqual(kept.map((row) => 1000 * row));
});

test("rows of a partition are gathered from all groups", () => {
  const GROUPS = 3;
  const COUNT = 6000;
  const TURNS = [
    [0, 6000],
    [0, 1],
    [1999, 2],
    [2000, 2000],
    [1500, 3000],
    [5999, 9],
    [6000, 9],
  ] as const;
  kernel.reserve(output + GROUPS * GROUP);
  for (let group = 0; group < GROUPS; group++) {
    const keys = kernel.view(rowsAt, 10 * COUNT);
    for (let row = 0; row < COUNT; row++) {
      keys.set([group, row & 255, row >> 8, 1, 1, 1, 1, 1, 9, row % 3], 10 * row);
    }
    const numbers = new Uint32Array(calls.memory.buffer, indexAt, COUNT);
    for (const row of numbers.keys()) numbers[row] = group * COUNT + row;
    calls.splitGroup(rowsAt, indexAt, COUNT, output + group * GROUP);
  }
  for (let partition = 0; partition < 4; partition++) {
    const all = Array.from({ length: GROUPS * COUNT }, (_, number) => number);
    const expected = all.filter((number) => (number % COUNT) % 3 === partition);
    expect(calls.countRows(partition, output, GROUPS)).toBe(expected.length);
    // A first row and a number of rows within a group, at its ends, and over several.
    for (const [first, count] of TURNS) {
      const some = expected.slice(first, first + count);
      kernel.view(rowsAt, (some.length + 1) * ROW).fill(0xee);
      calls.gatherRows(partition, output, GROUPS, first, count, rowsAt);
      const view = new DataView(calls.memory.buffer, rowsAt, (some.length + 1) * ROW);
      expect(some.map((_, row) => view.getUint32(row * ROW + 9, true))).toEqual(some);
      expect(view.getUint32(some.length * ROW + 9, true)).toBe(0xeeeeeeee);
    }
  }
});

test("the rows that are URLs are numbered, and nothing is written after them", () => {
  const numbered = (status: readonly number[] | null, rows: number) => {
    kernel.view(rowsAt, rows + 1).fill(0);
    if (status !== null) kernel.view(rowsAt, rows).set(status);
    const room = new Uint32Array(calls.memory.buffer, indexAt, rows + 1).fill(0xffffffff);
    calls.numberRows(status === null ? 0 : rowsAt, rows, 7, indexAt);
    return [...room];
  };
  const none = 0xffffffff;
  expect(numbered([0, 1, 2, 3, 255, 1], 6)).toEqual([7, 8, 12, none, none, none, none]);
  expect(numbered(null, 4)).toEqual([7, 8, 9, 10, none]);
  expect(numbered([], 0)).toEqual([none]);
});

test("fingerprints are cut to keys, and nothing is written after these", () => {
  for (const width of [10, 16]) {
    const bytes = Uint8Array.from({ length: 3 * width }, (_, at) => at + 1).fill(0, 0, 8);
    kernel.view(rowsAt, bytes.length).set(bytes);
    kernel.view(indexAt, 40).fill(255);
    calls.cutKeys(rowsAt, width, 3, indexAt);
    const keys = [0, 1, 2].flatMap((row) => [...bytes.subarray(row * width, row * width + 10)]);
    // The low part of a key is never 0.
    keys[0] = 1;
    expect([...kernel.view(indexAt, 40)]).toEqual([...keys, ...new Array(10).fill(255)]);
  }
});

test("rows are sorted by their keys, with no more counters than they ask for", () => {
  const random = new Random(13);
  for (const count of [0, 1, 2, 31, 32, 33, 1000]) {
    const keys = Array.from({ length: count }, () => BigInt(random.below(2 ** 32)) << 40n);
    for (const [row, key] of keys.entries()) {
      const view = new DataView(calls.memory.buffer, rowsAt + row * ROW, ROW);
      view.setBigUint64(0, BigInt.asUintN(64, key), true);
      view.setUint8(8, Number(key >> 64n));
      view.setUint32(9, row, true);
    }
    const after = kernel.view(filterAt + (4 << calls.counterBits(count)), 4 << 20).fill(255);
    calls.sortRows(rowsAt, rowsAt + count * ROW, indexAt, filterAt);
    expect(after.every((byte) => byte === 255)).toBe(true);
    const view = new DataView(calls.memory.buffer, indexAt, count * ROW);
    const numbers = keys.map((_, row) => view.getUint32(row * ROW + 9, true));
    const expected = [...keys.keys()].toSorted(
      (a, b) => Number((keys[a] as bigint) - (keys[b] as bigint)) || a - b,
    );
    expect(numbers).toEqual(expected);
  }
});

test("rows are marked by their numbers, and no others", () => {
  const numbers = [0, 6, 7, 8, 22, 1000, 0xffffffff, 24, 25, 23];
  const { markRows } = calls as unknown as Record<string, (...args: number[]) => void>;
  new Uint32Array(calls.memory.buffer, indexAt, numbers.length).set(numbers);
  for (const [first, rows] of [
    [0, 24] as const,
    [7, 17] as const,
    [8, 1] as const,
    [9, 0] as const,
  ]) {
    kernel.view(output, 4).fill(0);
    markRows?.(indexAt, numbers.length, first, rows, output);
    const bits = new DataView(calls.memory.buffer, output).getUint32(0, true);
    const marked = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => bits & (1 << bit));
    expect(marked.map((bit) => first + bit)).toEqual(
      numbers
        .filter((number) => first <= number && number < first + rows)
        .toSorted((a, b) => a - b),
    );
  }
});

test("the kernel has what the Python package calls", () => {
  const folder = new URL("../../python/src/urlmill/_disk/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".py"));
  const own = readFileSync(new URL("kernel.py", folder), "utf8");
  const called = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), "utf8").matchAll(/\bkernel\.(\w+)\(/g)].map(
      ([, call]) => call as string,
    ),
  );
  const isOwn = (call: string) => own.includes(`def ${call}(`) || own.includes(`self.${call} =`);
  const exported = called.filter((call) => !isOwn(call));
  expect(exported.length).toBeGreaterThan(20);
  expect(exported.filter((call) => !(call in calls))).toEqual([]);
});

test("tables that are emptied have no keys, in each partition", () => {
  const partitions = Array.from({ length: 256 }, (_, partition) => partition);
  const keys = kernel.view(rowsAt, 10 * partitions.length);
  for (const partition of partitions)
    keys.set([1 + partition, 2, 3, 4, 5, 6, 7, 8, 9, partition], 10 * partition);
  const answers = () => [...kernel.view(freshAt, partitions.length)];
  for (let round = 0; round < 3; round++) {
    calls.setTables(input, 4, output);
    expect([calls.fullestTable(), calls.keysInTables.value]).toEqual([0, 0]);
    calls.missingInTables(rowsAt, partitions.length, freshAt);
    expect(answers()).toEqual(partitions.map(() => 1));
    calls.addToTables(rowsAt, partitions.length, freshAt);
    expect(answers()).toEqual(partitions.map(() => 1));
    expect([calls.fullestTable(), calls.keysInTables.value]).toEqual([1, 256]);
    calls.addToTables(rowsAt, partitions.length, freshAt);
    expect(answers()).toEqual(partitions.map(() => 0));
  }
});

test("tables that grow keep their keys, the least ones too, and are never full", () => {
  const lows = [1, 2, 255, 256, 65_536, 2 ** 32 - 1];
  const put = (low: number, row: number) => {
    const key = new DataView(calls.memory.buffer, rowsAt + 10 * row, 10);
    key.setBigUint64(0, BigInt(low), true);
    key.setUint16(8, PARTITION << 8, true);
  };
  for (const [row, low] of lows.entries()) put(low, row);
  const missing = () => {
    calls.missingInTables(rowsAt, lows.length, freshAt);
    return [...kernel.view(freshAt, lows.length)];
  };
  calls.setTables(input, 8, output);
  calls.addToTables(rowsAt, lows.length, freshAt);
  expect(missing()).toEqual(lows.map(() => 0));
  for (const places of [16, 64]) {
    calls.growTables(places, indexAt);
    expect(missing()).toEqual(lows.map(() => 0));
  }
  // A look-up of a key that is not there would never end in a full table.
  calls.setTables(input, 4, output);
  calls.addToTables(rowsAt, 3, freshAt);
  expect(() => calls.addToTables(rowsAt + 30, 1, freshAt)).toThrow(WebAssembly.RuntimeError);
});

/** XXH64 with seed 0 of bytes whose number is a multiple of 8, as its specification writes it. */
function xxh64(bytes: Uint8Array): bigint {
  const [one, two, three, four, five] = [
    ...[0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n],
    ...[0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n],
  ] as [bigint, bigint, bigint, bigint, bigint];
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  const turn = (value: bigint, by: bigint) => wrap(value << by) | (wrap(value) >> (64n - by));
  const round = (lane: bigint, word: bigint) => wrap(turn(lane + word * two, 31n) * one);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = Array.from({ length: bytes.length / 8 }, (_, at) =>
    view.getBigUint64(8 * at, true),
  );
  let hash = five;
  if (bytes.length >= 32) {
    const lanes = [one + two, two, 0n, -one];
    while (words.length >= 4) {
      for (const [at, word] of words.splice(0, 4).entries())
        lanes[at] = round(lanes[at] as bigint, word);
    }
    hash = lanes.reduce((sum, lane, at) => sum + turn(lane, [1n, 7n, 12n, 18n][at] as bigint), 0n);
    for (const lane of lanes) hash = wrap((wrap(hash) ^ round(0n, lane)) * one + four);
  }
  hash = wrap(hash + BigInt(bytes.length));
  for (const word of words) hash = wrap(turn(hash ^ round(0n, word), 27n) * one + four);
  hash = wrap((hash ^ (hash >> 33n)) * two);
  hash = wrap((hash ^ (hash >> 29n)) * three);
  return hash ^ (hash >> 32n);
}

test("checksums are XXH64", () => {
  // Of no bytes, as xxHash itself tests.
  expect(xxh64(new Uint8Array(0))).toBe(0xef46db3751d8e999n);
  const random = new Random(64);
  for (const length of [0, 8, 16, 24, 32, 40, 56, 64, 72, 4088]) {
    const bytes = kernel.view(input, length);
    for (const at of bytes.keys()) bytes[at] = random.below(256);
    const written = xxh64(bytes).toString(16).padStart(16, "0");
    expect(kernel.checksum(input, length)).toBe(written);
  }
});

test("rows whose keys begin alike are sorted, however they came, and equal ones stay in their order", () => {
  const COUNT = 200_000;
  const scratch = output + COUNT * ROW;
  kernel.reserve(scratch + (1 << 22));
  const random = new Random(58);
  for (const lowOf of [
    (row: number) => COUNT - row,
    (row: number) => (COUNT - row) >> 3,
    () => random.below(1000),
  ]) {
    const rows = new DataView(kernel.view(rowsAt, COUNT * ROW).buffer, rowsAt, COUNT * ROW);
    const expected = Array.from({ length: COUNT }, (_, row) => [lowOf(row), row] as const);
    for (const [low, row] of expected) {
      rows.setBigUint64(row * ROW, BigInt(low), true);
      rows.setUint8(row * ROW + 8, 7);
      rows.setUint32(row * ROW + 9, row, true);
    }
    calls.sortRows(rowsAt, rowsAt + COUNT * ROW, output, scratch);
    const sorted = new DataView(calls.memory.buffer, output, COUNT * ROW);
    const numbers = expected.map((_, at) => sorted.getUint32(at * ROW + 9, true));
    expected.sort(([a, first], [b, second]) => a - b || first - second);
    expect(numbers).toEqual(expected.map(([, row]) => row));
  }
}, 20_000);
