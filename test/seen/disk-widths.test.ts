import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BLOCK, DiskKernel, GROUP, ROW } from "../../src/seen/disk/kernel/disk-kernel.ts";
import { sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const SET = 5;
const PARTITION = 7;
/** What `merge` answers. */
const [NEEDS_INPUT, NEEDS_OUTPUT, DONE, DAMAGED] = [0, 1, 2, 3];
/** Room of each region. */
const REGION = 1 << 23;
const LARGEST = (1n << 72n) - 1n;
/** Lines of the filters, and their bytes. */
const LINES = 64;
const FILTER_BYTES = 64 * LINES;

const kernel = new DiskKernel();
const { calls } = kernel;
const start = Math.ceil(calls.memoryStart() / 16) * 16;
const [rowsAt, indexAt, filterAt, freshAt, input, output] = Array.from(
  { length: 6 },
  (_, region) => start + region * REGION,
) as [number, number, number, number, number, number];
kernel.reserve(output + REGION + BLOCK);

/** Ascending keys of 72 bits, most of whose distances have so many bytes or fewer. */
function keysOfWidth(random: Random, width: number): bigint[] {
  const limit = 1n << BigInt(8 * width);
  const keys: bigint[] = [];
  let key = BigInt(random.below(1000));
  for (let left = width < 8 ? 1_500 : 150; left > 0 && key <= LARGEST; left--) {
    keys.push(key);
    const bytes = Array.from({ length: width }, () =>
      random.below(256).toString(16).padStart(2, "0"),
    );
    const edge = random.pick([1n, limit - 1n, limit, limit + 1n]);
    const distance = random.chance(20) ? edge : BigInt(`0x${bytes.join("")}`) + 1n;
    // Keys of the widest distances would end after a few.
    key += width < 9 ? distance : (distance >> BigInt(random.below(20) + 2)) + 1n;
  }
  return keys;
}

/**
 * Merges keys, whose rows have their numbers from 0 on, into the blocks of a file. Returns those of the next file. Blocks are
 * read and written at most `atATime` at a time.
 */
function merged(
  blocks: Uint8Array,
  generation: number,
  keys: readonly bigint[],
  width: number,
  atATime = REGION / BLOCK,
) {
  for (const [row, key] of keys.entries()) {
    const view = new DataView(calls.memory.buffer, rowsAt + row * ROW, ROW);
    view.setBigUint64(0, BigInt.asUintN(64, key), true);
    view.setUint8(8, Number(key >> 64n));
    view.setUint32(9, row, true);
  }
  calls.setFiles(SET, PARTITION, generation, generation + 1);
  calls.beginMerge(rowsAt, rowsAt + keys.length * ROW, width, indexAt, filterAt, LINES, freshAt);
  let given = 0;
  const give = () => {
    const piece = blocks.subarray(given, given + atATime * BLOCK);
    given += piece.length;
    kernel.view(input, piece.length).set(piece);
    calls.setInput(input, input + piece.length, given === blocks.length);
  };
  const pieces: Uint8Array[] = [];
  const take = () => {
    pieces.push(kernel.view(output, calls.outputWritten() - output).slice());
    calls.setOutput(output, output + atATime * BLOCK);
  };
  give();
  calls.setOutput(output, output + atATime * BLOCK);
  for (let state = calls.merge(); state !== DONE; state = calls.merge()) {
    expect([NEEDS_INPUT, NEEDS_OUTPUT]).toContain(state);
    if (state === NEEDS_INPUT) give();
    else take();
    expect(pieces.length).toBeLessThan(10_000);
  }
  take();
  const fresh = new Uint32Array(calls.memory.buffer, freshAt, (calls.freshEnd() - freshAt) / 4);
  const written = Uint8Array.from(Buffer.concat(pieces));
  return {
    blocks: written,
    index: new BigUint64Array(kernel.view(indexAt, (8 * written.length) / BLOCK).slice().buffer),
    fresh: [...fresh],
    filter: kernel.view(filterAt, FILTER_BYTES).slice(),
  };
}

/** Returns the 64 highest bits of the first key of each block. */
function prefixesOf(blocks: Uint8Array): bigint[] {
  const view = new DataView(blocks.buffer);
  return Array.from({ length: blocks.length / BLOCK }, (_, number) => {
    const key =
      (BigInt(view.getUint8(number * BLOCK + 16)) << 64n) |
      view.getBigUint64(number * BLOCK + 8, true);
    return key >> 8n;
  });
}

/** Returns the filter that keys have on disk (assembly/disk/filter.ts). */
function filterFor(keys: readonly bigint[]): Uint8Array {
  const filter = new Uint8Array(FILTER_BYTES);
  const mix = 0x9e3779b97f4a7c15n;
  for (const key of keys) {
    const line = Number(((key & 0xffff_ffffn) * BigInt(LINES)) >> 32n);
    const bits = BigInt.asUintN(64, BigInt.asUintN(64, key >> 32n) * mix);
    for (let bit = 0n; bit < 6n; bit++) {
      const nine = Number((bits >> (55n - 9n * bit)) & 511n);
      const at = 64 * line + (nine >> 3);
      filter[at] = (filter[at] as number) | (1 << (nine & 7));
    }
  }
  return filter;
}

/** Returns the filter that the keys of blocks have. Nothing beside it may be written. */
function filterOf(blocks: Uint8Array, generation: number): Uint8Array {
  kernel.view(input, blocks.length).set(blocks);
  const around = kernel.view(filterAt - FILTER_BYTES, 3 * FILTER_BYTES).fill(0);
  calls.setFiles(SET, PARTITION, generation, 0);
  for (let number = 0; number < blocks.length / BLOCK; number++) {
    expect(calls.addBlockToFilter(input + number * BLOCK, number, filterAt, LINES)).toBe(1);
  }
  const filter = around.slice(FILTER_BYTES, 2 * FILTER_BYTES);
  expect(around.fill(0, FILTER_BYTES, 2 * FILTER_BYTES).every((byte) => byte === 0)).toBe(true);
  return filter;
}

/** Returns how many blocks keys take: a block ends where a distance has more bytes, or there is no room for it. */
function blocksFor(keys: readonly bigint[], width: number): number {
  const most = Math.floor((BLOCK - 32) / width);
  let blocks = 1;
  let distances = 0;
  for (const [at, key] of keys.entries()) {
    if (at === 0) continue;
    const fits = key - (keys[at - 1] as bigint) < 1n << BigInt(8 * width);
    if (fits && distances < most) distances++;
    else {
      blocks++;
      distances = 0;
    }
  }
  return blocks;
}

/** Reads the keys of blocks, and looks for each in its block, as well as for those before and after. */
function keysOf(blocks: Uint8Array, generation: number): bigint[] {
  kernel.view(input, blocks.length).set(blocks);
  calls.setFiles(SET, PARTITION, generation, 0);
  const all: bigint[] = [];
  for (let number = 0; number < blocks.length / BLOCK; number++) {
    const block = input + number * BLOCK;
    const count = calls.keysOfBlock(block, number, rowsAt);
    expect(count).toBeGreaterThan(0);
    const view = new DataView(calls.memory.buffer, rowsAt, 10 * count);
    const keys = Array.from({ length: count }, (_, at) => {
      expect(view.getUint8(10 * at + 9)).toBe(PARTITION);
      return (BigInt(view.getUint8(10 * at + 8)) << 64n) | view.getBigUint64(10 * at, true);
    });
    const known = new Set(keys);
    for (const key of keys) {
      for (const asked of [key - 1n, key, key + 1n]) {
        if (asked < 0n || asked > LARGEST) continue;
        const wanted = new DataView(calls.memory.buffer, freshAt, 10);
        wanted.setBigUint64(0, BigInt.asUintN(64, asked), true);
        wanted.setUint8(8, Number(asked >> 64n));
        const expected = asked < (keys[0] as bigint) ? 2 : Number(known.has(asked));
        expect(calls.findInRead(freshAt, block, number)).toBe(expected);
      }
    }
    all.push(...keys);
  }
  return all;
}

test.each(sampleOf(WIDTHS, 4))(
  "blocks whose distances have %i bytes keep all keys, whatever is merged into them",
  (width) => {
    const random = new Random(width);
    const keys = keysOfWidth(random, width);
    const old = keys.filter(() => random.chance(2));
    const first = merged(new Uint8Array(0), 1, old, width);
    expect(first.fresh).toEqual([...old.keys()]);
    expect(keysOf(first.blocks, 2)).toEqual(old);
    expect([...first.index]).toEqual(prefixesOf(first.blocks));
    expect(Buffer.compare(first.filter, filterFor(old))).toBe(0);
    expect(Buffer.compare(filterOf(first.blocks, 2), first.filter)).toBe(0);
    expect(first.blocks.length / BLOCK).toBe(blocksFor(old, width));
    const known = new Set(old);
    const added = keys.filter((key) => !known.has(key) || random.chance(3));
    for (const next of [width, (width % 9) + 1, Math.max(1, width - 1)]) {
      const second = merged(first.blocks, 2, added, next);
      expect(second.fresh).toEqual(
        [...added.keys()].filter((row) => !known.has(added[row] as bigint)),
      );
      expect(keysOf(second.blocks, 3)).toEqual(keys);
      expect([...second.index]).toEqual(prefixesOf(second.blocks));
      for (const atATime of [1, 2, 3]) {
        const { blocks, filter, ...others } = merged(first.blocks, 2, added, next, atATime);
        expect(Buffer.compare(blocks, second.blocks)).toBe(0);
        expect(Buffer.compare(filter, second.filter)).toBe(0);
        expect(others).toEqual({ index: second.index, fresh: second.fresh });
      }
      expect(Buffer.compare(filterOf(second.blocks, 3), second.filter)).toBe(0);
      expect(second.blocks.length / BLOCK).toBe(blocksFor(keys, next));
    }
  },
);

test("a filter passes all its keys, and few others", () => {
  const random = new Random(10);
  const someKeys = (count: number) =>
    Array.from({ length: count }, () =>
      Uint8Array.from({ length: 10 }, (_, at) => (at === 9 ? PARTITION : random.below(256))),
    );
  const [own, others] = [someKeys(3000), someKeys(3000)];
  const numbers = own.map((key) =>
    BigInt(`0x${Buffer.from(key.subarray(0, 9)).reverse().toString("hex")}`),
  );
  kernel.view(filterAt, FILTER_BYTES).set(filterFor(numbers));
  const finder = new Uint32Array(calls.memory.buffer, input + 16 * PARTITION, 4);
  finder.set([indexAt, 1, filterAt, LINES]);
  const passed = (keys: readonly Uint8Array[]) => {
    for (const [row, key] of keys.entries()) kernel.view(rowsAt + 10 * row, 10).set(key);
    kernel.view(freshAt, keys.length).fill(1);
    return calls.findBlocks(rowsAt, keys.length, freshAt, input, output);
  };
  expect(passed(own)).toBe(own.length);
  expect(passed(others)).toBeLessThan(others.length / 20);
});

test.each([1, 2, 3, 4, 7, 100])(
  "a key is looked for in the last of %i blocks whose first key is not greater",
  (blocks) => {
    const random = new Random(blocks);
    const word = () => (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));
    const firsts = Array.from({ length: blocks }, word).toSorted((a, b) => (a < b ? -1 : 1));
    // What lies around an index is greater than all of it, or less.
    for (const around of [0n, 2n ** 64n - 1n]) {
      new BigUint64Array(calls.memory.buffer, indexAt - 800, blocks + 200).fill(around);
      new BigUint64Array(calls.memory.buffer, indexAt, blocks).set(firsts);
      new Uint32Array(calls.memory.buffer, input + 16 * PARTITION, 4).set([indexAt, blocks, 0, 0]);
      const asked = firsts
        .flatMap((first) => [first - 1n, first, first + 1n, word()])
        .map((prefix) => BigInt.asUintN(64, prefix));
      for (const [row, prefix] of asked.entries()) {
        const key = new DataView(calls.memory.buffer, rowsAt + 10 * row, 10);
        key.setBigUint64(0, BigInt.asUintN(64, prefix << 8n) | 0xffn, true);
        key.setUint16(8, Number(prefix >> 56n) | (PARTITION << 8), true);
      }
      kernel.view(freshAt, asked.length).fill(1);
      expect(calls.findBlocks(rowsAt, asked.length, freshAt, input, output)).toBe(asked.length);
      const found = new Uint32Array(calls.memory.buffer, output, 2 * asked.length);
      const expected = asked.flatMap((prefix, row) => {
        const block = Math.max(
          0,
          firsts.findLastIndex((first) => first <= prefix),
        );
        return [PARTITION * 2 ** 24 + block, row];
      });
      expect([...found]).toEqual(expected);
    }
  },
);

test("blocks that are damaged, or are of another set, partition or file, are not merged", () => {
  const { blocks } = merged(new Uint8Array(0), 1, [1n, 5n, 1n << 70n], 9);
  const merge = (bytes: Uint8Array, set: number, partition: number, generation: number) => {
    kernel.view(input, bytes.length).set(bytes);
    calls.setFiles(set, partition, generation, generation + 1);
    calls.beginMerge(rowsAt, rowsAt, 9, indexAt, filterAt, LINES, freshAt);
    calls.setInput(input, input + bytes.length, true);
    calls.setOutput(output, output + REGION);
    return calls.merge();
  };
  expect(merge(blocks, SET, PARTITION, 2)).toBe(DONE);
  expect(merge(blocks, SET + 1, PARTITION, 2)).toBe(DAMAGED);
  expect(merge(blocks, SET, PARTITION + 1, 2)).toBe(DAMAGED);
  expect(merge(blocks, SET, PARTITION, 1)).toBe(DAMAGED);
  for (const at of [0, 7, 8, 16, 17, 18, 20, 21, 24, 28, 32, 40, 41, BLOCK - 1]) {
    const damaged = blocks.slice();
    damaged[at] = (damaged[at] as number) ^ 16;
    expect(merge(damaged, SET, PARTITION, 2)).toBe(DAMAGED);
  }
});

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
    const end = calls.gatherRows(partition, output, GROUPS, rowsAt);
    const view = new DataView(calls.memory.buffer, rowsAt, end - rowsAt);
    const numbers = Array.from({ length: (end - rowsAt) / ROW }, (_, row) =>
      view.getUint32(row * ROW + 9, true),
    );
    const expected = Array.from({ length: GROUPS * COUNT }, (_, number) => number);
    expect(numbers).toEqual(expected.filter((number) => (number % COUNT) % 3 === partition));
    expect(calls.countRows(partition, output, GROUPS)).toBe(numbers.length);
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
