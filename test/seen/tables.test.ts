import { describe, expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { FingerprintSet } from "../../src/fingerprints/fingerprint-set.ts";
import { JsTable } from "../../src/fingerprints/js-table.ts";
import { KernelTable } from "../../src/fingerprints/kernel-table.ts";
import type { FingerprintBits, FingerprintTable } from "../../src/fingerprints/table.ts";
import { KERNEL } from "../shared/engine-parts.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, IS_LONG, sampleOf, shareOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const ROWS = 10_000;
const BITS = [128, 64] as const;

/** The kernel that an engine keeps tables in. */
const kernelOf = (engine: "wasm" | "js") => (engine === "wasm" ? KERNEL : null);

function newTable(engine: "wasm" | "js", bits: FingerprintBits): FingerprintTable {
  return engine === "wasm" ? new KernelTable(bits, KERNEL) : new JsTable(bits);
}

/** Fingerprints from a small range come again; `first` and `second` give both halves. */
function rowsOf(bits: FingerprintBits, first: () => bigint, second: () => bigint): BigUint64Array {
  const perRow = bits / 64;
  const words = new BigUint64Array(perRow * ROWS);
  for (let at = 0; at < words.length; at += perRow) {
    words[at] = first();
    if (perRow === 2) words[at + 1] = second();
  }
  return words;
}

/** What names a fingerprint in a Set. 0 in the first half is taken for 1. */
function nameOf(words: BigUint64Array, row: number, bits: FingerprintBits): string {
  const first = words[(row * bits) / 64] || 1n;
  return bits === 64 ? String(first) : `${first} ${words[2 * row + 1]}`;
}

const spread = (random: Random, range: number) => () =>
  BigInt.asUintN(64, BigInt(random.below(range)) * 0x9e3779b97f4a7c15n);

const FIRST_HALVES: [string, (random: Random) => () => bigint][] = [
  ["spread", (random) => spread(random, 300_000)],
  ["in long runs", (random) => () => BigInt(random.below(40)) << 59n],
  ["at both ends", (random) => () => (random.chance(2) ? 0n : 0xffffffffffffffffn)],
];

// Short runs try each engine, each width and each kind of first halves once.
describe.each(
  sampleOf(
    ENGINES.flatMap((engine) =>
      BITS.flatMap((bits) => FIRST_HALVES.map(([name, first]) => ({ engine, bits, name, first }))),
    ),
    5,
  ),
)("a table of $bits bits ($engine), first halves $name", ({ engine, bits, first: firstOf }) => {
  test("takes fingerprints out, as a Set does, and finds all others", () => {
    const random = new Random(6);
    const table = newTable(engine, bits);
    const seen = new Set<string>();
    const first = firstOf(random);
    const second = (): bigint => BigInt(random.below(25));
    for (let batch = 0; batch < atLength(3, 12); batch++) {
      const words = rowsOf(bits, first, second);
      const rows = new Uint8Array(words.buffer);
      const names = Array.from({ length: ROWS }, (_, row) => nameOf(words, row, bits));
      if (batch % 3 === 2) {
        expect([...table.delete(rows)]).toEqual(names.map((name) => Number(seen.delete(name))));
        expect([...table.has(rows)].includes(1)).toBe(false);
      } else {
        expect([...(table.add(rows) as Uint8Array)]).toEqual(
          names.map((name) => Number(!seen.has(name) && Boolean(seen.add(name)))),
        );
      }
      expect(table.size).toBe(seen.size);
    }
    let found = 0;
    for (const block of table.blocks()) {
      found += block.length / (bits / 8);
      expect([...table.has(block)].includes(0)).toBe(false);
    }
    expect(found).toBe(seen.size);
  });

  test("says of each fingerprint whether it is new, as a Set does", () => {
    const random = new Random(5);
    const table = newTable(engine, bits);
    const seen = new Set<string>();
    const first = firstOf(random);
    const second = (): bigint => BigInt(random.below(25));
    for (let batch = 0; batch < atLength(2, 16); batch++) {
      const words = rowsOf(bits, first, second);
      const bytes = new Uint8Array(words.buffer);
      const isThere = Uint8Array.from({ length: ROWS }, (_, row) =>
        seen.has(nameOf(words, row, bits)) ? 1 : 0,
      );
      expect(Buffer.compare(table.has(bytes), isThere)).toBe(0);
      const isNew = Uint8Array.from({ length: ROWS }, (_, row) => {
        const name = nameOf(words, row, bits);
        if (seen.has(name)) return 0;
        seen.add(name);
        return 1;
      });
      expect(Buffer.compare(table.add(bytes) as Uint8Array, isNew)).toBe(0);
      expect(table.size).toBe(seen.size);
    }
    const names = new Set<string>();
    for (const block of table.blocks()) {
      const words = new BigUint64Array(block.slice().buffer);
      for (let row = 0; row < block.length / (bits / 8); row++) names.add(nameOf(words, row, bits));
    }
    expect(names).toEqual(seen);
  });

  test("is as new after it is cleared", () => {
    const rows = new Uint8Array(rowsOf(bits, firstOf(new Random(6)), () => 3n).buffer);
    const table = newTable(engine, bits);
    const answers = (table.add(rows) as Uint8Array).slice();
    table.clear();
    expect(table.size).toBe(0);
    expect(table.has(rows).includes(1)).toBe(false);
    expect(Buffer.compare(table.add(rows) as Uint8Array, answers)).toBe(0);
  });
});

function distinctRows(random: Random, bits: FingerprintBits): Uint8Array {
  const words = new Uint32Array((bits / 32) * ROWS);
  for (let at = 0; at < words.length; at++) words[at] = random.below(2 ** 32);
  return new Uint8Array(words.buffer);
}

const distinct = (random: Random) => (): bigint =>
  (BigInt(random.below(2 ** 31)) << 33n) | BigInt(random.below(2 ** 31));

test.each(
  sampleOf(
    ENGINES.flatMap((engine) =>
      BITS.map((bits) => [bits, engine, bits === 128 ? 24 : 12] as const),
    ),
    4,
  ),
)(
  "a table of %i bits (%s) takes at most %i bytes a fingerprint from a million on",
  (bits, engine, most) => {
    const COUNT = atLength(1_060_000, 1_600_000);
    const random = new Random(9);
    const table = newTable(engine, bits);
    for (let count = ROWS; count <= COUNT; count += ROWS) {
      table.add(distinctRows(random, bits));
      if (count >= 1_000_000) expect(table.bytes / table.size).toBeLessThan(most);
    }
    expect(table.size).toBe(COUNT);
  },
);

describe.each(ENGINES)("a set of many tables (%s)", (engine) => {
  test.each(shareOf(BITS, engine))("says the same as one table, %i bits", (bits) => {
    const random = new Random(3);
    const one = new FingerprintSet({ bits, engine, kernel: kernelOf(engine), maxBytes: 1e9 });
    const many = new FingerprintSet({
      bits,
      engine,
      kernel: kernelOf(engine),
      maxBytes: 1e9,
      shardFrom: 20_000,
    });
    const half = spread(random, 200_000);
    for (let batch = 0; batch < atLength(7, 14); batch++) {
      const rows = new Uint8Array(rowsOf(bits, half, half).buffer);
      expect(Buffer.compare(many.has(rows), one.has(rows))).toBe(0);
      expect(Buffer.compare(many.add(rows), one.add(rows))).toBe(0);
      expect(many.size).toBe(one.size);
    }
    expect(many.size).toBeGreaterThan(atLength(50_000, 100_000));
  });
});

/** Batches that are hard to divide: rows by their number, from a start that is new in each batch. */
const HARD: [string, (row: number, start: bigint) => [first: bigint, second: bigint]][] = [
  ["all equal", (_, start) => [start, 1n]],
  ["of one table", (row, start) => [mixed(1 + (row % 90_000)) & ~31n, start]],
  ["each twice, far apart", (row, start) => [start ^ mixed(row % 70_000), 5n]],
  ["with equal first halves", (row, start) => [mixed(1 + (row % 3)), start + BigInt(row % 400)]],
];

function mixed(row: number): bigint {
  return BigInt.asUintN(64, BigInt(row) * 0x9e3779b97f4a7c15n);
}

const KINDS = ENGINES.flatMap((engine) => BITS.map((bits) => ({ engine, bits })));

// Short runs try each engine and each width once.
describe.each(sampleOf(KINDS, 3))(
  "a set of many tables of $bits bits ($engine)",
  ({ engine, bits }) => {
    // How large they are is nothing of an engine.
    test.runIf(IS_LONG || engine === "wasm")(
      "answers for batches larger than it divides at a time as a Set does",
      () => {
        const kernel = kernelOf(engine);
        const set = new FingerprintSet({ bits, engine, kernel, maxBytes: 1e9, shardFrom: 5_000 });
        const seen = new Set<string>();
        const perRow = bits / 64;
        for (const [at, [, rowAt]] of HARD.slice(...atLength([1, 3], [0])).entries()) {
          const words = new BigUint64Array(perRow * 140_001);
          const start = mixed(at + 1_000_000);
          for (let row = 0; row < words.length / perRow; row++) {
            const [first, second] = rowAt(row, start);
            words[row * perRow] = BigInt.asUintN(64, first);
            if (perRow === 2) words[row * perRow + 1] = BigInt.asUintN(64, second);
          }
          const bytes = Buffer.from(words.buffer);
          const width = bits / 8;
          const isNew = Uint8Array.from({ length: words.length / perRow }, (_, row) => {
            const name = bytes.toString("latin1", row * width, (row + 1) * width);
            if (seen.has(name)) return 0;
            seen.add(name);
            return 1;
          });
          expect(Buffer.compare(set.add(bytes), isNew)).toBe(0);
          expect(set.has(bytes).includes(0)).toBe(false);
          expect(set.size).toBe(seen.size);
        }
        expect(set.rowsAtOnce).toBeGreaterThan(0);
      },
    );

    test.each([4_999, 5_000, 5_001])("keeps what one table had, %i fingerprints", (count) => {
      const kernel = kernelOf(engine);
      const set = new FingerprintSet({ bits, engine, kernel, maxBytes: 1e9, shardFrom: 5_000 });
      const words = BigUint64Array.from({ length: (count * bits) / 64 }, (_, word) =>
        mixed(word + 1),
      );
      const rows = new Uint8Array(words.buffer);
      expect(set.add(rows).includes(0)).toBe(false);
      expect(set.add(rows).includes(1)).toBe(false);
      expect(set.rowsAtOnce > 0).toBe(count >= 5_000);
      expect(set.size).toBe(count);
    });
  },
);

// Found by hand with 40 million: tables that grow with entries in the order of their homes take forever.
test("many fingerprints move from one table to many in a time by their number", () => {
  const random = new Random(6);
  const shardFrom = atLength(200_000, 2_000_000);
  const set = new FingerprintSet({
    bits: 128,
    engine: "wasm",
    kernel: KERNEL,
    maxBytes: 1e9,
    shardFrom,
  });
  const half = distinct(random);
  const words = rowsOf(128, half, half);
  for (let count = 0; count <= shardFrom; count += ROWS) {
    for (let word = 0; word < words.length; word++) {
      words[word] = BigInt.asUintN(64, (words[word] as bigint) * 0x9e3779b97f4a7c15n);
    }
    set.add(new Uint8Array(words.buffer));
  }
  expect(set.size).toBe(shardFrom + ROWS);
  const isThere = set.has(new Uint8Array(words.buffer));
  expect(isThere.includes(0)).toBe(false);
});

describe.each(ENGINES)("a set that is full (%s)", (engine) => {
  const random = new Random(4);
  const rows = distinctRows(random, 128);

  test("refuses a batch with a code, adds nothing of it, and goes on answering", () => {
    const set = new FingerprintSet({
      bits: 128,
      engine,
      kernel: kernelOf(engine),
      maxBytes: 16 * 2 ** 14,
    });
    expect(set.capacity).toBe(7040);
    const half = rows.subarray(0, rows.length / 2);
    expect(set.add(half).includes(0)).toBe(false);
    expect(() => set.add(rows)).toThrow(UrlmillError);
    expect(() => set.add(rows)).toThrow(
      expect.objectContaining({ code: "SET_FULL", message: expect.stringContaining("7040") }),
    );
    expect(set.size).toBe(ROWS / 2);
    expect(set.has(rows).reduce((sum, isThere) => sum + isThere, 0)).toBe(ROWS / 2);
    expect(set.add(half).includes(1)).toBe(false);
  });

  // From 4 MiB on, kernels keep the tables.
  test.each([16 * 2 ** 14, 5_000_000])(
    "of %i bytes takes a batch of repeats that fit, and adds nothing of one that does not",
    (maxBytes) => {
      const set = new FingerprintSet({ bits: 128, engine, kernel: kernelOf(engine), maxBytes });
      const { capacity } = set;
      const words = BigUint64Array.from({ length: 2 * capacity + 2 }, (_, at) =>
        BigInt.asUintN(64, BigInt(at + 1) * 0x9e3779b97f4a7c15n),
      );
      const all = new Uint8Array(words.buffer);
      const half = all.subarray(0, 16 * (capacity >> 1));
      const fitting = Buffer.concat([half, half, all.subarray(0, 16 * capacity), half]);
      for (const known of [0, capacity >> 1]) {
        const given = Buffer.concat([half, all, half]);
        expect(() => set.add(given)).toThrow(expect.objectContaining({ code: "SET_FULL" }));
        expect(set.size).toBe(known);
        expect(set.has(given).indexOf(1)).toBe(known === 0 ? -1 : 0);
        if (known === 0) set.add(half);
      }
      const added = set.add(fitting).reduce((sum, isNew) => sum + isNew, 0);
      expect([added, set.size]).toEqual([capacity - (capacity >> 1), capacity]);
      expect(set.add(half).includes(1)).toBe(false);
      expect(set.bytes).toBeLessThanOrEqual(maxBytes);
    },
  );

  test("takes a batch of which most is there", () => {
    const set = new FingerprintSet({
      bits: 128,
      engine,
      kernel: kernelOf(engine),
      maxBytes: 16 * 2 ** 15,
    });
    set.add(rows.subarray(0, rows.length - 160));
    expect(set.add(rows).reduce((sum, isNew) => sum + isNew, 0)).toBe(10);
    expect(set.size).toBe(ROWS);
    expect(set.bytes).toBeLessThanOrEqual(16 * 2 ** 15);
  });

  test.each([
    [2 ** 17, 2 ** 25],
    // One table, and many.
    ...atLength(
      [[5_000_000, 10_000]],
      [
        [2 ** 20, 2 ** 25],
        [5_000_000, 2 ** 25],
        [18_000_000, 10_000],
        [2 ** 25, 2 ** 25],
        [60_000_000, 2 ** 25],
        [130_000_000, 100_000],
      ],
    ),
  ])("takes no more than it may: of %i bytes, many tables from %i on", (maxBytes, shardFrom) => {
    const random = new Random(11);
    const set = new FingerprintSet({
      bits: 128,
      engine,
      kernel: kernelOf(engine),
      maxBytes,
      shardFrom,
    });
    const fill = (): void => {
      for (;;) {
        set.add(distinctRows(random, 128));
        expect(set.bytes).toBeLessThanOrEqual(maxBytes);
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: "SET_FULL" }));
    expect(set.bytes).toBeLessThanOrEqual(maxBytes);
    expect(set.size).toBeGreaterThan(set.capacity - ROWS);
    expect(set.size).toBeLessThanOrEqual(set.capacity);
  });

  test("says for how many fingerprints its memory is", () => {
    const capacity = (maxBytes: number, bits: FingerprintBits): number =>
      new FingerprintSet({ bits, engine, kernel: kernelOf(engine), maxBytes }).capacity;
    expect(24e9 / capacity(24e9, 128)).toBeLessThan(24);
    expect(12e9 / capacity(12e9, 64)).toBeLessThan(12);
  });
});
