import { randomBytes } from "node:crypto";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { describe, expect, test } from "vitest";
import { pageKernel } from "../../src/parquet/memory/page-kernel.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const kernel = pageKernel();
const random = new Random(7);

/** Returns bytes of few kinds, many of which repeat what came a little or a block before. */
function someBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const kinds = 1 + random.below(6);
  for (let at = 0; at < length; ) {
    const back = random.chance(3) ? 1 + random.below(20) : 65_500 + random.below(80);
    const run = 1 + random.below(90);
    const repeats = back <= at && random.chance(2);
    for (const end = Math.min(length, at + run); at < end; at++) {
      bytes[at] = repeats ? (bytes[at - back] as number) : random.below(kinds);
    }
  }
  return bytes;
}

const PAGES = [0, 1, 14, 15, 16, 17, 59, 60, 61, 256, 257, 65_535, 65_536, 65_537, 200_000]
  .map(someBytes)
  .concat([
    randomBytes(70_000),
    new Uint8Array(1 << 20),
    ...Array.from({ length: 40 }, () => someBytes(random.below(3000))),
  ]);

/** Uncompresses by the package's own reader, in JavaScript. */
function uncompressElsewhere(bytes: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length);
  if (length > 0) snappyUncompress(bytes, output);
  return output;
}

/** Lists what compressed bytes are made of: literals, and copies of two or of three bytes. */
function partsOf(compressed: Uint8Array): string[] {
  const parts: string[] = [];
  let at = 0;
  while ((compressed[at++] as number) >= 0x80);
  while (at < compressed.length) {
    const tag = compressed[at++] as number;
    const byte = (more: number) => compressed[at + more] as number;
    if (tag % 4 === 0) {
      const bytes = Math.max(0, (tag >> 2) - 59);
      const length = bytes === 0 ? tag >> 2 : byte(0) + (bytes > 1 ? 256 * byte(1) : 0);
      parts.push(`literal ${length + 1}`);
      at += bytes + length + 1;
    } else if (tag % 4 === 1) {
      parts.push(`short ${4 + ((tag >> 2) % 8)} from ${256 * (tag >> 5) + byte(0)}`);
      at += 1;
    } else {
      parts.push(`long ${1 + (tag >> 2)} from ${byte(0) + 256 * byte(1)}`);
      at += 2;
    }
  }
  return parts;
}

describe("Snappy", () => {
  /** Bytes of which no four are the same as four others. */
  const part = (from: number, length: number) => Array.from({ length }, (_, at) => from + at);
  const compressed = (...bytes: number[]) => partsOf(kernel.compress(Uint8Array.from(bytes)));

  test.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 23, 24, 25])(
    "copies %i bytes that are the same, and no more",
    (length) => {
      const copy = `${length < 12 ? "short" : "long"} ${length} from 30`;
      const parts = compressed(...part(0, 30), ...part(0, length), ...part(200, 20));
      expect(parts).toEqual(["literal 30", copy, "literal 20"]);
    },
  );

  test.each([
    [64, ["long 64"]],
    [65, ["long 60", "short 5"]],
    [67, ["long 60", "short 7"]],
    [68, ["long 64", "short 4"]],
    [69, ["long 64", "short 5"]],
    [75, ["long 64", "short 11"]],
    [76, ["long 64", "long 12"]],
    [128, ["long 64", "long 64"]],
    [131, ["long 64", "long 60", "short 7"]],
    [132, ["long 64", "long 64", "short 4"]],
  ])("divides a copy of %i bytes", (length, copies) => {
    const parts = compressed(...new Uint8Array(length + 1));
    expect(parts).toEqual(["literal 1", ...copies.map((copy) => `${copy} from 1`)]);
  });

  test.each([2047, 2048])("writes an offset of %i", (offset) => {
    const zeros = offset - 40;
    const bytes = [...part(100, 40), ...new Uint8Array(zeros), ...part(100, 8), ...part(200, 20)];
    const [copy] = compressed(...bytes).filter((each) => each.endsWith(`from ${offset}`));
    expect(copy).toBe(`${offset < 2048 ? "short" : "long"} 8 from ${offset}`);
  });

  test("looks for copies up to the last 15 bytes, also after a copy", () => {
    expect(compressed(...part(0, 20), ...part(0, 15))).toEqual(["literal 20", "long 15 from 20"]);
    expect(compressed(...part(0, 20), ...part(0, 14))).toEqual(["literal 34"]);
    const twice = [...part(0, 30), ...part(0, 8), ...part(10, 15)];
    expect(compressed(...twice)).toEqual(["literal 30", "short 8 from 30", "long 15 from 28"]);
    expect(compressed(...twice.slice(0, -1))).toEqual([
      "literal 30",
      "short 8 from 30",
      "literal 14",
    ]);
  });

  test("is read by another reader, and by this one", () => {
    for (const page of PAGES) {
      const compressed = kernel.compress(page).slice();
      expect(Buffer.compare(kernel.uncompress(compressed, page.length), page)).toBe(0);
      expect(Buffer.compare(uncompressElsewhere(compressed, page.length), page)).toBe(0);
    }
  });

  test("of another writer is read", () => {
    for (const page of PAGES) {
      const compressed = snappyCompress(page).slice();
      expect(Buffer.compare(kernel.uncompress(compressed, page.length), page)).toBe(0);
    }
  });

  test("of equal bytes is equal, whatever was compressed before", () => {
    const first = PAGES.map((page) => kernel.compress(page).slice());
    for (const [at, page] of [...PAGES.entries()].reverse()) {
      expect(Buffer.compare(kernel.compress(page), first[at] as Uint8Array)).toBe(0);
    }
  });

  test("is no longer than bytes that do not repeat, by more than their literals", () => {
    const page = randomBytes(1 << 20);
    expect(kernel.compress(page).length).toBeLessThan(page.length + 100);
  });

  test("reads lengths of literals of up to four bytes, and offsets of four", () => {
    const literal = [...Uint8Array.from({ length: 70 }, (_, at) => at)];
    for (const head of [
      [60 << 2, 69],
      [61 << 2, 69, 0],
      [62 << 2, 69, 0, 0],
      [63 << 2, 69, 0, 0, 0],
    ]) {
      const bytes = Uint8Array.from([74, ...head, ...literal, (3 << 2) | 3, 70, 0, 0, 0]);
      expect([...kernel.uncompress(bytes, 74)]).toEqual([...literal, 0, 1, 2, 3]);
    }
  });

  test.each([
    ["a length that is another", [5, 0, 1], 4, "its length is wrong"],
    ["a length without an end", [0x80, 0x80, 0x80, 0x80, 0x80, 1], 4, "its length is wrong"],
    ["no bytes", [], 4, "its length is wrong"],
    ["a literal that is cut off", [4, 3 << 2, 1, 2], 4, "it ends too early"],
    ["a literal longer than any", [4, 63 << 2, 255, 255, 255, 255], 4, "it is not Snappy"],
    ["a literal that is too long", [2, 3 << 2, 1, 2, 3, 4], 2, "it is not Snappy"],
    ["a copy from before the start", [8, 0, 1, 1, 2], 8, "it is not Snappy"],
    ["a copy from nowhere", [8, 0, 1, 1, 0], 8, "it is not Snappy"],
    ["a copy that is too long", [3, 0, 1, 1, 1], 3, "it is not Snappy"],
    ["an offset that is cut off", [8, 0, 1, 2, 1], 8, "it ends too early"],
    ["too few bytes", [8, 0, 1], 8, "it ends too early"],
  ])("with %s is an error", (_, bytes, size, message) => {
    expect(() => kernel.uncompress(Uint8Array.from(bytes), size)).toThrow(message);
  });

  test("that is damaged is an error or other bytes, and nothing hangs", () => {
    for (let round = 0; round < atLength(2000, 100_000); round++) {
      const page = someBytes(random.below(500));
      const compressed = kernel.compress(page).slice();
      for (let change = 0; change < 3; change++) {
        compressed[random.below(compressed.length)] = random.below(256);
      }
      try {
        expect(kernel.uncompress(compressed, page.length)).toHaveLength(page.length);
      } catch (error) {
        expect((error as Error).message).toMatch(/^its length is wrong$|^it /);
      }
    }
  });
});

describe("values", () => {
  /** Values of BYTE_ARRAY, with the start of each. */
  function someValues(count: number) {
    const values = Array.from({ length: count }, () =>
      someBytes(random.chance(20) ? 300 + random.below(300) : random.below(40)),
    );
    const parts = values.map((value) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(value.length);
      return Buffer.concat([length, value]);
    });
    const starts = [0];
    for (const part of parts) starts.push((starts.at(-1) as number) + part.length);
    return { values, parts, starts, bytes: Buffer.concat(parts) };
  }

  test("begin where their lengths say", () => {
    for (const count of [0, 1, 2, 1000]) {
      const { bytes, starts } = someValues(count);
      const found = new Int32Array(count + 1);
      expect(kernel.findStarts(bytes, found)).toBe(0);
      expect([...found]).toEqual(starts);
      expect(kernel.findStarts(Buffer.concat([bytes, Buffer.of(0)]), found)).toBe(2);
      if (count > 0) expect(kernel.findStarts(bytes.subarray(0, -1), found)).toBe(1);
    }
    for (const count of [1, 2, 3]) {
      const found = new Int32Array(count + 1);
      const empty = new Uint8Array(4 * count);
      expect(kernel.findStarts(empty, found)).toBe(0);
      expect([...found]).toEqual(Array.from({ length: count + 1 }, (_, at) => 4 * at));
      expect(kernel.findStarts(empty.subarray(1), found)).toBe(1);
    }
    const huge = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
    expect(kernel.findStarts(huge, new Int32Array(3))).toBe(1);
  });

  test("of any width are chosen by ascending numbers", () => {
    const { parts, starts, bytes } = someValues(1000);
    const numbers = Int32Array.from(parts.keys()).filter((at) => at > 5 && random.chance(3));
    const first = starts[numbers[0] as number];
    const chosen = [...numbers].map((number) => parts[number] as Buffer);
    const joined = kernel.chooseValues(bytes.subarray(first), numbers, 0);
    expect(Buffer.compare(joined, Buffer.concat(chosen))).toBe(0);
    for (const width of [1, 4, 8, 12, 16]) {
      const fixed = randomBytes(1000 * width);
      const some = [...numbers].map((at) => fixed.subarray(at * width, (at + 1) * width));
      const from = (numbers[0] as number) * width;
      const found = kernel.chooseValues(fixed.subarray(from), numbers, width);
      expect(Buffer.compare(found, Buffer.concat(some)), `${width}`).toBe(0);
    }
  });

  test("of 64 bits have the bounds of those that are chosen", () => {
    const longs = new BigInt64Array(randomBytes(8000).buffer.slice(0, 8000));
    longs.set([-(2n ** 63n), 2n ** 63n - 1n, 0n], 5);
    const bytes = new Uint8Array(longs.buffer);
    for (const numbers of [[7], [5, 6], [900, 20, 20, 300], [...longs.keys()]]) {
      const chosen = numbers.map((number) => longs[number] as bigint);
      const sorted = chosen.toSorted((a, b) => (a < b ? -1 : 1));
      expect(kernel.boundLongs(bytes, Int32Array.from(numbers))).toEqual([
        sorted[0],
        sorted.at(-1),
      ]);
    }
  });

  test("are joined without their lengths", () => {
    const { values, bytes } = someValues(500);
    const ends = new Int32Array(500);
    const joined = kernel.joinContents(bytes, 10, ends);
    expect(Buffer.compare(joined, Buffer.concat(values))).toBe(0);
    let end = 10;
    expect([...ends]).toEqual(values.map(({ length }) => (end += length)));
  });
});
