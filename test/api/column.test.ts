import { expect, test } from "vitest";
import { Status, UrlmillError } from "../../src/index.ts";
import { fromColumn, toColumn } from "../shared/columns.ts";
import { describeEngines } from "../shared/engines.ts";

describeEngines("normalizeColumn", (create) => {
  const normalizer = create();

  test("reads and writes Arrow's layout", () => {
    const result = normalizer.normalizeColumn(toColumn(["http://A", "", "http://b/", "x"]));
    expect(fromColumn(result)).toEqual(["http://a/", "", "http://b/", ""]);
    expect([...result.status]).toEqual([1, Status.EMPTY, 0, Status.NO_SCHEME]);
  });

  test("takes a slice of a larger column", () => {
    const { data, offsets } = toColumn(["http://A", "http://B", "http://C"]);
    const result = normalizer.normalizeColumn({ data, offsets: offsets.subarray(1) });
    expect(fromColumn(result)).toEqual(["http://b/", "http://c/"]);
  });

  test("takes LF inside a row", () => {
    expect(fromColumn(normalizer.normalizeColumn(toColumn(["http://a/b\nc"])))).toEqual([
      "http://a/bc",
    ]);
  });

  test("removes a TAB before it reads UTF-8, in a host as anywhere", () => {
    const rows = ["x://\xe6\x9c\t\xac/", "x://\xe6\x9c/", "x:/\xe6\x9c\t\xac"];
    const result = normalizer.normalizeColumn(toColumn(rows));
    expect(fromColumn(result)).toEqual(["x://%E6%9C%AC/", "", "x:/%E6%9C%AC"]);
  });

  test("takes no rows", () => {
    const result = normalizer.normalizeColumn({
      data: new Uint8Array(0),
      offsets: Int32Array.of(0),
    });
    expect([result.data.length, [...result.offsets], result.status.length]).toEqual([0, [0], 0]);
  });

  test("takes more rows than a window, and rows larger than one", () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => `http://H/${row}`);
    rows[5] = `http://H/${"x".repeat(700_000)}`;
    rows[6] = `http://H/${"x".repeat(1 << 20)}`;
    rows[7] = "http://H/ü";
    const result = normalizer.normalizeColumn(toColumn(rows));
    const expected = rows.map((row) => row.replace("H", "h"));
    expected[6] = "";
    expected[7] = "http://h/%FC";
    expect(fromColumn(result)).toEqual(expected);
    expect(result.status[6]).toBe(Status.TOO_LONG);
  });

  test.each([
    ["no offsets", Int32Array.of()],
    ["a negative offset", Int32Array.of(-1, 2)],
    ["falling offsets", Int32Array.of(0, 4, 2)],
    ["offsets after the data", Int32Array.of(0, 9)],
  ])("refuses %s", (_, offsets) => {
    const column = { data: Buffer.from("http://a"), offsets };
    expect(() => normalizer.normalizeColumn(column)).toThrow(UrlmillError);
    expect(() => normalizer.normalizeColumn(column)).toThrow(
      expect.objectContaining({ code: "BAD_COLUMN" }),
    );
  });
});
