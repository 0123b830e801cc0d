import { expect, test } from "vitest";
import { Status } from "../../src/index.ts";
import { toColumn } from "../shared/columns.ts";
import { describeEngines } from "../shared/engines.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, at) => at);

describeEngines("URLs of many megabytes", (create) => {
  const normalizer = create({ maxLength: 2 ** 26 });

  /** What must hold after any URL. */
  function expectSound(): void {
    expect(normalizer.normalize("HTTP://B/%7e")).toBe("http://b/~");
    expect(normalizer.normalizeBatch(["HTTP://B/%7e", "http://["]).urls).toEqual([
      "http://b/~",
      null,
    ]);
  }

  test("28 million characters are normalized, and the next URL too", () => {
    const long = `HTTP://A/${"x".repeat(28e6)}`;
    expect(normalizer.normalize(long) === `http://a/${"x".repeat(28e6)}`).toBe(true);
    expectSound();
  });

  test("48 million characters are normalized in a batch and a column, and the rows around them too", () => {
    const long = `HTTP://A/${"x".repeat(48e6)}`;
    const rows = ["HTTP://C", long, "HTTP://D"];
    const expected = ["http://c/", `http://a/${"x".repeat(48e6)}`, "http://d/"];
    const { urls, status } = normalizer.normalizeBatch(rows);
    expect(urls.map((url, row) => url === expected[row])).toEqual([true, true, true]);
    expect([...status]).toEqual([1, 1, 1]);
    const column = normalizer.normalizeColumn(toColumn(rows));
    expect(Buffer.compare(column.data, Buffer.from(expected.join("")))).toBe(0);
    expectSound();
  });

  test("the longest URL that is allowed passes, one byte more is TOO_LONG", () => {
    const longest = `http://a/${"x".repeat(2 ** 26 - 9)}`;
    const lines = Buffer.from(`http://b/\n${longest}\n${longest}x\nhttp://c/\n`);
    const { status, bytes } = normalizer.normalizeLines(lines);
    expect([...status]).toEqual([0, 0, Status.TOO_LONG, 0]);
    expect(bytes.length).toBe(lines.length - longest.length - 1);
    expectSound();
  });

  test("what becomes longer than the limit is TOO_LONG, whatever it would have been", () => {
    const url = `http://a/${" ".repeat(30e6)}x`;
    expect(normalizer.tryNormalize(url)).toMatchObject({
      ok: false,
      url: null,
      status: Status.TOO_LONG,
    });
    expect(normalizer.tryNormalize("é".repeat(2 ** 25 + 1)).status).toBe(Status.TOO_LONG);
    expect([...normalizer.fingerprintBatch([url], { key: KEY }).fingerprints]).toEqual(
      new Array(16).fill(0),
    );
    expectSound();
  });

  test("a base of 48 million characters resolves a reference", () => {
    const base = `http://a/${"x".repeat(48e6)}/y`;
    expect(normalizer.normalize("z", base) === `http://a/${"x".repeat(48e6)}/z`).toBe(true);
    expectSound();
  });
});
