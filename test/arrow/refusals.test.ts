import {
  Binary,
  Dictionary,
  Int32,
  LargeUtf8,
  makeData,
  makeVector,
  Table,
  Utf8,
  Utf8View,
  vectorFromArray,
} from "apache-arrow";
import { expect, test } from "vitest";
import { normalizeVector } from "../../src/arrow/index.ts";
import type { Normalizer } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { chunkOf, type UrlVector, vectorOf } from "../shared/vectors.ts";

const code = (name: string) => expect.objectContaining({ name: "UrlmillError", code: name });
const as = <T>(value: unknown): T => value as T;
const data = Buffer.from("http://a/http://b/");
const dictionary = vectorFromArray(["http://a/"], new Utf8());
const type = new Dictionary(new Utf8(), new Int32());

/** A view of text that is not in it. */
function viewOf(length: number, buffer: number, start: number): Uint8Array {
  return new Uint8Array(Int32Array.of(length, 0, buffer, start).buffer);
}

describeEngines("normalizeVector", (create) => {
  const normalizer = create();

  test.each([
    ["undefined", undefined],
    ["a column that a table does not have", new Table({ a: dictionary }).getChild(as<"a">("url"))],
    ["an array", ["http://a/"]],
    ["a string", "http://a/"],
    ["a column as normalizeColumn takes it", { data, offsets: Int32Array.of(0, 9) }],
    ["a vector of numbers", vectorFromArray([1, 2], new Int32())],
    ["a vector of bytes", vectorFromArray([data], new Binary())],
    ["a dictionary of numbers", vectorFromArray([1], new Dictionary(new Int32(), new Int32()))],
  ])("refuses %s: BAD_COLUMN", (_, vector) => {
    expect(() => normalizeVector(as<UrlVector>(vector), normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test.each([
    ["NaN", Float64Array.of(0, Number.NaN, 18)],
    ["fractions", Float64Array.of(0, 8.5, 18)],
    ["an array", [0, 9, 18]],
    ["64 bits", BigInt64Array.of(0n, 9n, 18n)],
    ["no sign", Uint32Array.of(0, 9, 18)],
    ["nothing", undefined],
    ["too few", Int32Array.of(0, 9)],
    ["some that go down", Int32Array.of(0, 9, 3)],
    ["one below 0", Int32Array.of(-1, 9, 18)],
    ["one beyond the data", Int32Array.of(0, 9, 19)],
  ])("refuses Utf8 whose offsets are or have %s: BAD_COLUMN", (_, offsets) => {
    const vector = vectorOf(chunkOf(new Utf8(), 2, offsets, data));
    expect(() => normalizeVector(vector, normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test.each([
    ["NaN", Float64Array.of(0, Number.NaN, 18)],
    ["32 bits", Int32Array.of(0, 9, 18)],
    ["no sign", BigUint64Array.of(0n, 9n, 18n)],
    ["too few", BigInt64Array.of(0n, 9n)],
    ["some that go down", BigInt64Array.of(0n, 9n, 3n)],
    ["one below 0", BigInt64Array.of(-1n, 9n, 18n)],
    ["one beyond the data", BigInt64Array.of(0n, 9n, 19n)],
    ["one beyond what memory can have", BigInt64Array.of(0n, 9n, 2n ** 63n - 1n)],
    ["one that 32 bits would make small", BigInt64Array.of(0n, 9n, 2n ** 32n + 18n)],
  ])("refuses LargeUtf8 whose offsets are or have %s: BAD_COLUMN", (_, offsets) => {
    const vector = vectorOf(chunkOf(new LargeUtf8(), 2, offsets, data));
    expect(() => normalizeVector(vector, normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test.each([
    ["a length below 0", viewOf(-1, 0, 0)],
    ["a buffer that is missing", viewOf(13, 7, 0)],
    ["a place below 0", viewOf(13, 0, -4)],
    ["an end beyond its buffer", viewOf(99, 0, 0)],
    ["too few bytes", new Uint8Array(15)],
  ])("refuses Utf8View with %s: BAD_COLUMN", (_, view) => {
    const chunk = chunkOf(new Utf8View(), 1, undefined, view);
    Object.assign(chunk, { variadicBuffers: [data] });
    expect(() => normalizeVector(vectorOf(chunk), normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test.each([
    ["an index beyond it", { data: Int32Array.of(1), dictionary }],
    ["an index below 0", { data: Int32Array.of(-1), dictionary }],
    ["fewer indices than rows", { data: Int32Array.of(0), length: 2, dictionary }],
  ])("refuses a dictionary with %s: BAD_COLUMN", (_, parts) => {
    const vector = makeVector(makeData({ type, ...parts }));
    expect(() => normalizeVector(vector, normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test("refuses a dictionary that is missing: BAD_COLUMN", () => {
    const chunk = makeData({ type, data: Int32Array.of(0), dictionary });
    Object.assign(chunk, { dictionary: undefined });
    expect(() => normalizeVector(vectorOf(chunk), normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test("refuses a null bitmap without a bit for each row: BAD_COLUMN", () => {
    const offsets = new Int32Array(10);
    const vector = vectorOf(chunkOf(new Utf8(), 9, offsets, data, Uint8Array.of(1)));
    expect(() => normalizeVector(vector, normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test("refuses values that are not bytes: BAD_COLUMN", () => {
    const vector = vectorOf(chunkOf(new Utf8(), 1, Int32Array.of(0, 9), "http://a/"));
    expect(() => normalizeVector(vector, normalizer)).toThrow(code("BAD_COLUMN"));
  });

  test.each([null, {}, { preset: "crawl" }, "crawl"])(
    "refuses as a normalizer %s: BAD_OPTION",
    (wrong) => {
      const call = () => normalizeVector(dictionary, as<Normalizer>(wrong));
      expect(call).toThrow(code("BAD_OPTION"));
    },
  );

  test("refuses options and a base as normalizeColumn does", () => {
    const call = (options: unknown) => () => normalizeVector(dictionary, normalizer, as(options));
    expect(call("http://a/")).toThrow(code("BAD_OPTION"));
    expect(call({ base: null })).toThrow(code("BAD_BASE"));
  });
});
