import { expect, test } from "vitest";
import { copyBytes } from "../../src/base/copy-bytes.ts";

const LENGTHS = [0, 1, 7, 8, 9, 100, (1 << 16) - 1, 1 << 16, (1 << 16) + 13];

test("bytes are copied from and to any place, shared or not", () => {
  const makers = [
    (size: number) => new ArrayBuffer(size),
    (size: number) => new SharedArrayBuffer(size),
  ];
  for (const makeSource of makers) {
    for (const makeTarget of makers) {
      for (const length of LENGTHS) {
        for (const [from, to, at] of [
          [0, 0, 0],
          [3, 0, 0],
          [0, 5, 2],
          [7, 1, 9],
          [4, 4, 4],
        ] as const) {
          const source = new Uint8Array(makeSource(from + length), from);
          for (let index = 0; index < length; index++) source[index] = index * 31 + 7;
          const target = new Uint8Array(makeTarget(to + at + length + 4), to).fill(1);
          copyBytes(target, source, at);
          const expected = Buffer.concat([Buffer.alloc(at, 1), source, Buffer.alloc(4, 1)]);
          expect(Buffer.compare(target, expected)).toBe(0);
        }
      }
    }
  }
});

test("bytes beyond the target are an error, as they are to set", () => {
  const shared = new Uint8Array(new SharedArrayBuffer(64), 1);
  expect(() => copyBytes(new Uint8Array(16), shared.subarray(0, 32), 0)).toThrow(RangeError);
});
