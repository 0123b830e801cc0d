import { expect, test } from "vitest";
import { BLOCK, ROW } from "../../src/seen/disk/kernel/disk-kernel.ts";
import {
  calls,
  filterAt,
  freshAt,
  indexAt,
  input,
  kernel,
  output,
  PARTITION,
  REGION,
  rowsAt,
} from "../shared/disk-regions.ts";
import { sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const SET = 5;
/** What `merge` answers. */
const [NEEDS_INPUT, NEEDS_OUTPUT, DONE, DAMAGED] = [0, 1, 2, 3];
const LARGEST = (1n << 72n) - 1n;
/** Lines of the filters, and their bytes. */
const LINES = 64;
const FILTER_BYTES = 64 * LINES;

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
