import { describe, expect, test } from "vitest";
import { ShardKernel } from "../../src/engine/wasm/shard-kernel.ts";
import { JsSplitter } from "../../src/fingerprints/js-splitter.ts";
import {
  SHARDS,
  type ShardSplitter,
  SPLIT_ROWS,
  SPLITTER_BYTES,
} from "../../src/fingerprints/shard-splitter.ts";
import type { FingerprintBits } from "../../src/fingerprints/table.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { ENGINES } from "../shared/engines.ts";
import { Random } from "../shared/random.ts";

function newSplitter(engine: "wasm" | "js", bits: FingerprintBits): ShardSplitter {
  return engine === "wasm"
    ? new ShardKernel(bits, SHARDS, SPLIT_ROWS, KERNEL)
    : new JsSplitter(bits);
}

/** Fingerprints whose first bytes are given; the others are random. */
function rowsOf(bits: FingerprintBits, count: number, firstByte: (row: number) => number): Buffer {
  const random = new Random(count + bits);
  const width = bits / 8;
  const rows = Buffer.alloc(count * width);
  for (let at = 0; at < rows.length; at += 4) rows.writeUInt32LE(random.below(2 ** 32), at);
  for (let row = 0; row < count; row++) rows[row * width] = firstByte(row);
  return rows;
}

const BATCHES: [string, number, (row: number) => number][] = [
  ["no row", 0, () => 0],
  ["one row", 1, () => 31],
  ["rows of all tables", 5_000, (row) => (row * 37) & 255],
  ["rows of the first table alone", 300, () => 224],
  ["rows of the last table alone", 300, () => 63],
  ["as many rows as there is room for", SPLIT_ROWS, (row) => (row >> 3) & 255],
];

describe.each(ENGINES.flatMap((engine) => ([128, 64] as const).map((bits) => ({ engine, bits }))))(
  "dividing fingerprints of $bits bits ($engine)",
  ({ engine, bits }) => {
    const splitter = newSplitter(engine, bits);

    test.each(BATCHES)(
      "gives each table its rows, and each row its answer: %s",
      (_, count, byte) => {
        const width = bits / 8;
        const rows = rowsOf(bits, count, byte);
        const placesOf = Array.from({ length: SHARDS }, (): number[] => []);
        for (let row = 0; row < count; row++) placesOf[byte(row) & (SHARDS - 1)]?.push(row);
        splitter.split(rows);
        for (const [shard, places] of placesOf.entries()) {
          const own = places.map((row) => rows.subarray(row * width, (row + 1) * width));
          expect(Buffer.compare(splitter.rowsOf(shard), Buffer.concat(own))).toBe(0);
          splitter.answer(
            shard,
            Uint8Array.from(places, (row) => row % 7),
          );
        }
        const expected = Uint8Array.from({ length: count }, (_, row) => row % 7);
        expect(Buffer.compare(splitter.answers(), expected)).toBe(0);
      },
    );

    test("takes no more memory than is counted for it", () => {
      expect(splitter.bytes).toBeGreaterThan(SPLIT_ROWS * (bits / 8));
      expect(splitter.bytes).toBeLessThanOrEqual(SPLITTER_BYTES);
    });
  },
);
