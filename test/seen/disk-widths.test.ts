import { expect, test } from "vitest";
import { BLOCK, DiskKernel, ROW } from "../../src/seen/disk/kernel/disk-kernel.ts";
import { Random } from "../shared/random.ts";

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const SET = 5;
const PARTITION = 7;
const DONE = 2;
/** Room of each region. */
const REGION = 1 << 23;
const LARGEST = (1n << 72n) - 1n;

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

/** Merges keys, whose rows have their numbers from 0 on, into the blocks of a file. Returns those of the next file. */
function merged(blocks: Uint8Array, generation: number, keys: readonly bigint[], width: number) {
  for (const [row, key] of keys.entries()) {
    const view = new DataView(calls.memory.buffer, rowsAt + row * ROW, ROW);
    view.setBigUint64(0, BigInt.asUintN(64, key), true);
    view.setUint8(8, Number(key >> 64n));
    view.setUint32(9, row, true);
  }
  kernel.view(input, blocks.length).set(blocks);
  calls.setFiles(SET, PARTITION, generation, generation + 1);
  calls.beginMerge(rowsAt, rowsAt + keys.length * ROW, width, indexAt, filterAt, 64, freshAt);
  calls.setInput(input, input + blocks.length, true);
  calls.setOutput(output, output + REGION);
  expect(calls.merge()).toBe(DONE);
  const fresh = new Uint32Array(calls.memory.buffer, freshAt, (calls.freshEnd() - freshAt) / 4);
  return {
    blocks: kernel.view(output, calls.outputWritten() - output).slice(),
    fresh: [...fresh],
  };
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

test.each(WIDTHS)(
  "blocks whose distances have %i bytes keep all keys, whatever is merged into them",
  (width) => {
    const random = new Random(width);
    const keys = keysOfWidth(random, width);
    const old = keys.filter(() => random.chance(2));
    const first = merged(new Uint8Array(0), 1, old, width);
    expect(first.fresh).toEqual([...old.keys()]);
    expect(keysOf(first.blocks, 2)).toEqual(old);
    expect(first.blocks.length / BLOCK).toBe(blocksFor(old, width));
    const known = new Set(old);
    const added = keys.filter((key) => !known.has(key) || random.chance(3));
    for (const next of [width, (width % 9) + 1, Math.max(1, width - 1)]) {
      const second = merged(first.blocks, 2, added, next);
      expect(second.fresh).toEqual(
        [...added.keys()].filter((row) => !known.has(added[row] as bigint)),
      );
      expect(keysOf(second.blocks, 3)).toEqual(keys);
      expect(second.blocks.length / BLOCK).toBe(blocksFor(keys, next));
    }
  },
);
