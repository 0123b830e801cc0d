import { createRequire } from "node:module";
import { Utf8, Utf8View, Vector, vectorFromArray } from "apache-arrow";
import { describe, expect, test } from "vitest";
import { normalizeVector } from "../../src/arrow/index.ts";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { chunkOf, oneByOne, type Row, VECTORS, vectorOf } from "../shared/vectors.ts";

const random = new Random(19);
const PLAIN = ["http://a/", "HTTP://A", "", "x", "http://[", "http://b/\u00fc\u6587?b&a#c", "../x"];
const HOSTILE = hostileUrls(19, 300).map((url) => Buffer.from(url, "latin1").toString());
const rows: Row[] = Array.from({ length: 400 }, () => {
  if (random.chance(9)) return null;
  return random.chance(2) ? random.pick(PLAIN) : random.pick(HOSTILE);
});

describeEngines("normalizeVector", (create) => {
  const normalizer = create({ preset: "crawl" });

  describe.each(Object.entries(VECTORS))("of %s", (_, make) => {
    const vector = make(rows);
    const given = vector.toArray() as unknown as Row[];

    test("gives each row what it gives alone, and the same type", () => {
      const expected = oneByOne(normalizer, [...given]);
      const { vector: normalized, status } = normalizeVector(vector, normalizer);
      expect(normalized).toBeInstanceOf(Vector);
      expect(String(normalized.type)).toBe(String(vector.type));
      expect(normalized.toJSON()).toEqual(expected.urls);
      expect([...status]).toEqual(expected.status);
      expect(normalized.nullCount).toBe(expected.urls.filter((url) => url === null).length);
    });

    test("gives slices, chunks and slices of chunks what the rows give", () => {
      const chunked = vector.concat(vector.slice(7, 7), vector.slice(3), vector.slice(50, 90));
      for (let count = 0; count < atLength(5, 20); count++) {
        const begin = random.below(chunked.length);
        const slice = chunked.slice(begin, begin + 1 + random.below(200));
        const expected = oneByOne(normalizer, slice.toJSON() as Row[]);
        const { vector: normalized, status } = normalizeVector(slice, normalizer);
        expect(normalized.toJSON()).toEqual(expected.urls);
        expect([...status]).toEqual(expected.status);
        expect(normalized.data.map(({ length }) => length)).toEqual(
          slice.data.map(({ length }) => length),
        );
      }
    });

    test("takes no rows, and rows that are all null", () => {
      expect(normalizeVector(vector.slice(4, 4), normalizer).vector.length).toBe(0);
      const { vector: nulls, status } = normalizeVector(make([null, null]), normalizer);
      expect(nulls.toJSON()).toEqual([null, null]);
      expect([...status]).toEqual([Status.NOT_A_STRING, Status.NOT_A_STRING]);
    });

    test("resolves against a base", () => {
      const options = { base: "http://h/a/b/" };
      const expected = oneByOne(normalizer, [...given], options.base);
      const { vector: normalized } = normalizeVector(vector, normalizer, options);
      expect(normalized.toJSON()).toEqual(expected.urls);
    });

    test("takes a memoized vector", () => {
      const expected = oneByOne(normalizer, [...given]);
      const { vector: normalized } = normalizeVector(vector.memoize(), normalizer);
      expect(normalized.toJSON()).toEqual(expected.urls);
    });

    test("leaves the vector as it was", () => {
      normalizeVector(vector, normalizer);
      expect(vector.toJSON()).toEqual([...given]);
    });
  });

  test("writes no bytes of a null, whatever it has", () => {
    const data = Buffer.from("HTTP://AHTTP://SECRETHTTP://B");
    const offsets = Int32Array.of(0, 8, 21, 29);
    const vector = vectorOf(chunkOf(new Utf8(), 3, offsets, data, Uint8Array.of(0b101)));
    const { vector: normalized, status } = normalizeVector(vector, normalizer);
    expect(normalized.toJSON()).toEqual(["http://a/", null, "http://b/"]);
    expect([...status]).toEqual([Status.CHANGED, Status.NOT_A_STRING, Status.CHANGED]);
    expect(Buffer.from(normalized.data[0]?.values ?? []).toString()).toBe("http://a/http://b/");
  });

  test("keeps chunks apart where the options of a column are given", () => {
    const chunk = (url: string) => vectorFromArray([url], new Utf8());
    const options = { base: "http://h/", into: new Uint8Array(64) };
    const { vector: normalized } = normalizeVector(
      chunk("a").concat(chunk("b")),
      normalizer,
      options,
    );
    expect(normalized.toJSON()).toEqual(["http://h/a", "http://h/b"]);
  });

  test("reads no view of a null, whatever it is", () => {
    const views = Buffer.alloc(48);
    Buffer.from("\x08\0\0\0HTTP://A").copy(views);
    views.set(new Uint8Array(Int32Array.of(-1, 0, 7, -9, 99, 0, 7, 9).buffer), 16);
    const chunk = chunkOf(new Utf8View(), 3, undefined, views, Uint8Array.of(0b001));
    const { vector: normalized, status } = normalizeVector(vectorOf(chunk), normalizer);
    expect(normalized.toJSON()).toEqual(["http://a/", null, null]);
    expect([...status]).toEqual([Status.CHANGED, Status.NOT_A_STRING, Status.NOT_A_STRING]);
  });

  test("does not resolve a null against the base", () => {
    const vector = vectorFromArray(["x", null, ""], new Utf8());
    const { vector: normalized } = normalizeVector(vector, normalizer, { base: "http://h/y" });
    expect(normalized.toJSON()).toEqual(["http://h/x", null, "http://h/y"]);
    expect(Buffer.from(normalized.data[0]?.values ?? []).toString()).toBe("http://h/xhttp://h/y");
  });

  test("takes buffers with more than the rows need", () => {
    const data = Buffer.from("HTTP://A____");
    const offsets = Int32Array.of(0, 8, 99, -1);
    const vector = vectorOf(chunkOf(new Utf8(), 1, offsets, data, Uint8Array.of(255, 0, 0)));
    expect(normalizeVector(vector, normalizer).vector.toJSON()).toEqual(["http://a/"]);
  });

  test("makes a vector of the caller's copy of apache-arrow", () => {
    const other = createRequire(import.meta.url)("apache-arrow") as typeof import("apache-arrow");
    const vector = other.vectorFromArray(["HTTP://A"], new other.Utf8());
    const { vector: normalized } = normalizeVector(vector, normalizer);
    expect(Object.getPrototypeOf(vector).constructor).not.toBe(Vector);
    expect(normalized.constructor).toBe(vector.constructor);
    expect(normalized.data[0]?.constructor).toBe(vector.data[0]?.constructor);
  });
});

test("without a normalizer, a vector is normalized as preset safe does it", () => {
  const vector = vectorFromArray(["HTTP://A/#b"], new Utf8());
  expect(normalizeVector(vector).vector.toJSON()).toEqual(["http://a/#b"]);
});

describeEngines("a vector as a batch of strings", (create) => {
  const normalizer = create();
  const vector = vectorFromArray(["HTTP://A", null, "http://b/"], new Utf8());

  test("is a batch as any other that can be iterated", () => {
    const { urls, status } = normalizer.normalizeBatch(vector as Iterable<string>);
    expect(urls).toEqual(["http://a/", null, "http://b/"]);
    expect([...status]).toEqual([Status.CHANGED, Status.NOT_A_STRING, Status.UNCHANGED]);
  });
});
