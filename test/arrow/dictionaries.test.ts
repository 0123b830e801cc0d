import {
  Dictionary,
  Int8,
  Int32,
  Int64,
  makeData,
  makeVector,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { expect, test, vi } from "vitest";
import { normalizeVector } from "../../src/arrow/index.ts";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";

const type = () => new Dictionary(new Utf8(), new Int8());
const values = (vector: Vector): unknown => vector.data[0]?.dictionary?.toJSON();
const indices = (vector: Vector): unknown => [...(vector.data[0]?.values ?? [])];

describeEngines("normalizeVector of a dictionary", (create) => {
  const normalizer = create();

  test("normalizes each value once, however many rows have it", () => {
    const column = vi.spyOn(normalizer, "normalizeColumn");
    const rows = Array.from({ length: 90 }, (_, row) => `HTTP://A/${row % 3}`);
    const vector = vectorFromArray(rows, type());
    const { vector: normalized } = normalizeVector(vector.concat(vector), normalizer);
    expect(column.mock.calls.map(([{ offsets }]) => offsets.length - 1)).toEqual([3]);
    expect(normalized.get(91)).toBe("http://a/1");
    column.mockRestore();
  });

  test("gives rows with equal URLs equal indices, and lists no value that is not a URL", () => {
    const vector = vectorFromArray(["http://b/", "HTTP://A", "x", "http://a/", "HTTP://B"], type());
    const { vector: normalized, status } = normalizeVector(vector, normalizer);
    expect(values(normalized)).toEqual(["http://b/", "http://a/"]);
    expect(indices(normalized)).toEqual([0, 1, 0, 1, 0]);
    expect(normalized.toJSON()).toEqual(["http://b/", "http://a/", null, "http://a/", "http://b/"]);
    expect([...status]).toEqual([0, 1, Status.NO_SCHEME, 0, 1]);
  });

  test("keeps the indices where no two values become one", () => {
    const vector = vectorFromArray(["HTTP://A", "http://b/", "HTTP://A"], type());
    const { vector: normalized } = normalizeVector(vector, normalizer);
    expect(normalized.data[0]?.values).toBe(vector.data[0]?.values);
  });

  test("gives null to a row whose value is null in the dictionary", () => {
    const dictionary = vectorFromArray(["HTTP://A", null], new Utf8());
    const data = makeData({ type: type(), data: Int8Array.of(1, 0), dictionary });
    const { vector: normalized, status } = normalizeVector(makeVector(data), normalizer);
    expect(normalized.toJSON()).toEqual([null, "http://a/"]);
    expect([...status]).toEqual([Status.NOT_A_STRING, Status.CHANGED]);
  });

  test("does not follow the index of a null", () => {
    const dictionary = vectorFromArray(["HTTP://A"], new Utf8());
    const nullBitmap = Uint8Array.of(0b01);
    const parts = { data: Int8Array.of(0, 99), nullCount: 1, nullBitmap, dictionary };
    const vector = makeVector(makeData({ type: type(), ...parts }));
    expect(normalizeVector(vector, normalizer).vector.toJSON()).toEqual(["http://a/", null]);
  });

  test("takes indices of 64 bits", () => {
    const dictionary = vectorFromArray(["HTTP://A", "http://a/", "HTTP://B"], new Utf8());
    // The types of the library leave them out.
    const long = new Dictionary(new Utf8(), new Int64() as unknown as Int32);
    const places = BigInt64Array.of(2n, 1n, 0n) as unknown as Int32Array;
    const data = makeData({ type: long, data: places, dictionary });
    const { vector: normalized } = normalizeVector(makeVector(data), normalizer);
    expect(indices(normalized)).toEqual([1n, 0n, 0n]);
    expect(values(normalized)).toEqual(["http://a/", "http://b/"]);
  });

  test("reads each chunk by its own dictionary", () => {
    const first = vectorFromArray(["HTTP://A", "http://b/"], type());
    const second = vectorFromArray(["HTTP://C", "HTTP://A"], first.type);
    const { vector: normalized } = normalizeVector(first.concat(second), normalizer);
    expect(normalized.toJSON()).toEqual(["http://a/", "http://b/", "http://c/", "http://a/"]);
  });

  test("goes on from a dictionary that grew, and keeps its chunks", () => {
    const old = vectorFromArray(["HTTP://A", "http://b/"], new Utf8());
    const grown = old.concat(vectorFromArray(["HTTP://B", "http://c/"], new Utf8()));
    const dictionary = new Dictionary(new Utf8(), new Int32());
    const chunk = (data: Int32Array, of: Vector<Utf8>) =>
      makeData({ type: dictionary, data, dictionary: of });
    const vector = makeVector([
      chunk(Int32Array.of(1, 0), old),
      chunk(Int32Array.of(2, 3, 0), grown),
    ]);
    const { vector: normalized } = normalizeVector(vector, normalizer);
    expect(normalized.toJSON()).toEqual([
      "http://b/",
      "http://a/",
      "http://b/",
      "http://c/",
      "http://a/",
    ]);
    const [before, after] = normalized.data.map(({ dictionary }) => dictionary?.data);
    expect(before).toHaveLength(1);
    expect(after?.[0]).toBe(before?.[0]);
    expect(after).toHaveLength(2);
  });
});
