import { expect, test } from "vitest";
import { UniqueLines } from "../../playground/worker/unique-lines.ts";
import { atLength } from "../shared/length.ts";

/** The words of a fingerprint; those of many numbers begin alike. */
function fingerprintOf(value: number): Uint32Array {
  return Uint32Array.of(value & 7, value & 0xff, 0, value);
}

test("finds each key by its whole fingerprint, however many begin alike", () => {
  const count = atLength(1000, 5000);
  const unique = new UniqueLines(count * 8);
  for (let value = 0; value < count; value++) {
    expect(unique.find(fingerprintOf(value), 0)).toBe(-1);
    unique.add(fingerprintOf(value), 0, Buffer.from(`line ${value}`.slice(0, 7)));
  }
  for (let value = 0; value < count; value++) {
    expect(unique.find(fingerprintOf(value), 0)).toBe(value);
  }
  expect(unique.find(fingerprintOf(count), 0)).toBe(-1);
  expect(unique.length).toBe(count);
});

test("a list that no memory is given for is an error with a remedy", () => {
  expect(() => new UniqueLines(2 ** 53 - 2)).toThrow(/^This list has .* GB, .*npx urlmill dedupe/);
});

test("holds lines to the letter", () => {
  const unique = new UniqueLines(10);
  unique.add(fingerprintOf(1), 0, Buffer.from("ab"));
  unique.add(fingerprintOf(2), 0, Buffer.from(""));
  unique.add(fingerprintOf(3), 0, Buffer.from("cd"));
  expect(Buffer.from(unique.bytes).toString()).toBe("ab\n\ncd\n");
  expect([0, 1, 2].map((key) => Buffer.from(unique.line(key)).toString())).toEqual([
    "ab",
    "",
    "cd",
  ]);
  expect(unique.isLine(0, Buffer.from("ab"))).toBe(true);
  expect(unique.isLine(0, Buffer.from("aB"))).toBe(false);
  expect(unique.isLine(0, Buffer.from("a"))).toBe(false);
});
