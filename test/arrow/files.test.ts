import {
  Dictionary,
  Field,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, test } from "vitest";
import { normalizeVector } from "../../src/arrow/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { oneByOne, type Row, type UrlVector, VECTORS } from "../shared/vectors.ts";

describeEngines("normalizeVector of an Arrow file", (create) => {
  const normalizer = create({ preset: "crawl" });
  const rows: Row[] = [
    ...linesOf(readCorpus()).slice(0, 180),
    null,
    "nothing",
    null,
    "",
    "HTTP://A",
  ];
  const expected = oneByOne(normalizer, rows);

  describe.each(["file", "stream"] as const)("in the form of a %s", (format) => {
    test.each(Object.entries(VECTORS))("reads %s, and what it gives can be written", (_, make) => {
      const written = tableToIPC(new Table({ url: make(rows) }), format);
      const url = tableFromIPC(written).getChild("url") as UrlVector;
      const { vector, status } = normalizeVector(url, normalizer);
      expect([...status]).toEqual(expected.status);
      const again = tableFromIPC(tableToIPC(new Table({ url, key: vector }), format));
      expect(again.getChild("key")?.toJSON()).toEqual(expected.urls);
      expect(again.getChild("url")?.toJSON()).toEqual(rows);
    });

    test("reads several batches", () => {
      const table = new Table({ url: VECTORS["Utf8"]?.(rows) as Vector<Utf8> });
      const batches = table.concat(table.slice(3, 40), table).batches;
      const url = tableFromIPC(tableToIPC(new Table(batches), format)).getChild("url") as UrlVector;
      expect(url.data.length).toBe(3);
      const { vector } = normalizeVector(url, normalizer);
      const { urls } = expected;
      expect(vector.toJSON()).toEqual([...urls, ...urls.slice(3, 40), ...urls]);
    });
  });

  test("reads and writes a stream whose dictionary grows", () => {
    const old = vectorFromArray(["HTTP://A", "http://b/"], new Utf8());
    const grown = old.concat(vectorFromArray(["HTTP://B", "http://c/"], new Utf8()));
    const type = new Dictionary(new Utf8(), new Int32());
    const first = makeData({ type, data: Int32Array.of(1, 0), dictionary: old });
    const second = makeData({ type, data: Int32Array.of(2, 3, 0), dictionary: grown });
    const urls = ["http://b/", "http://a/", "http://b/", "http://c/", "http://a/"];
    const url = readBack(makeVector([first, second]));
    expect(url.toJSON()).toEqual(["http://b/", "HTTP://A", "HTTP://B", "http://c/", "HTTP://A"]);
    const { vector } = normalizeVector(url, normalizer);
    expect(vector.toJSON()).toEqual(urls);
    expect(readBack(vector).toJSON()).toEqual(urls);
  });
});

/** A vector after a stream of one batch a chunk. */
function readBack(vector: UrlVector): UrlVector {
  const schema = new Schema([new Field("url", vector.type, true)]);
  const writer = new RecordBatchStreamWriter();
  for (const data of vector.data) {
    const type = new Struct(schema.fields);
    writer.write(
      new RecordBatch(schema, makeData({ type, length: data.length, children: [data] })),
    );
  }
  writer.finish();
  return tableFromIPC(writer.toUint8Array(true)).getChild("url") as UrlVector;
}
