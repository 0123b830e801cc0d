import { expect, test } from "vitest";
import { memoryForParquet, shareMemory } from "../../src/runs/run-memory.ts";

const MB = 1 << 20;
const LARGEST = 50 * MB;
const work = { kind: "parquet", engine: "wasm", more: 2 * LARGEST } as const;
const share = (free: number, threads: number) =>
  shareMemory({ limit: 4 * free, free }, work, threads);

test("threads for row groups take at most a quarter of what is free, with their row groups", () => {
  expect(share(8000 * MB, 4).threads).toBe(4);
  expect(share(2000 * MB, 4).threads).toBe(2);
  expect(share(500 * MB, 4).threads).toBe(1);
});

test("keys get less where more threads have row groups", () => {
  const [one, two] = [1, 2].map((threads) => share(3000 * MB, threads).keyBytes);
  expect((one as number) - (two as number)).toBe(2 * (128 * MB + 2 * LARGEST));
});

test("one thread works on a small file, and no more threads than there are row groups", () => {
  const sizes = { groups: 3, largest: MB };
  expect(memoryForParquet({ threads: undefined }, sizes, MB, "wasm").threads).toBe(1);
  expect(memoryForParquet({ threads: 2 }, sizes, MB, "wasm").threads).toBe(2);
  expect(memoryForParquet({ threads: 8 }, { groups: 2, largest: MB }, MB, "wasm").threads).toBe(2);
  expect(memoryForParquet({ threads: 8 }, { groups: 0, largest: 0 }, 0, "wasm").threads).toBe(1);
});
