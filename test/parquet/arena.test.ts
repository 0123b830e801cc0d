import { expect, test } from "vitest";
import { Arena } from "../../src/parquet/memory/arena.ts";

test("memory that is taken between resets does not overlap, and is aligned", () => {
  const arena = new Arena();
  for (let round = 0; round < 3; round++) {
    arena.reset();
    const parts = [3, 0, 8, 1000, 17].map((length) => arena.take(length));
    for (const [at, part] of parts.entries()) part.fill(at + 1);
    for (const [at, part] of parts.entries()) {
      expect(part.every((byte) => byte === at + 1)).toBe(true);
      expect(part.byteOffset % 8).toBe(0);
    }
  }
});

test("memory is used again after a reset, once there was room for as much", () => {
  const arena = new Arena();
  arena.take(100);
  arena.reset();
  const { buffer } = arena.take(100);
  arena.reset();
  expect(arena.take(40).buffer).toBe(buffer);
  expect(arena.take(50).buffer).toBe(buffer);
  expect(arena.take(1000).buffer).not.toBe(buffer);
});
