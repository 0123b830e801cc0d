import { expect, test } from "vitest";
import { createNormalizer, Status } from "../../src/index.ts";
import { toColumn } from "../shared/columns.ts";
import { describeEngines } from "../shared/engines.ts";
import { expectEqual } from "../shared/equal.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { sipHash128 } from "../shared/siphash.ts";

const key = Uint8Array.from({ length: 16 }, (_, index) => index);

// The first and last vectors of the reference implementation (vectors_sip128, SipHash-2-4).
test.each([
  [0, "a3817f04ba25a8e66df67214c7550293"],
  [1, "da87c1d86b99af44347659119b22fc45"],
  [63, "5150d1772f50834a503e069a973fbd7c"],
])("the reference of these tests agrees with the authors' on %i bytes", (length, expected) => {
  const input = Uint8Array.from({ length }, (_, index) => index);
  expect(Buffer.from(sipHash128(key, input, 2, 4)).toString("hex")).toBe(expected);
});

describeEngines("fingerprintBatch", (create) => {
  const normalizer = create();

  test("is SipHash-1-3-128 of the normalized bytes, for every length", () => {
    const urls = Array.from(
      { length: 200 },
      (_, length) => `HTTP://Example.com/${"x".repeat(length)}`,
    );
    const { fingerprints, status } = normalizer.fingerprintBatch(urls, { key });
    expect(status.every((code) => code === Status.CHANGED)).toBe(true);
    for (const [row, url] of urls.entries()) {
      const expected = sipHash128(key, Buffer.from(normalizer.normalize(url)), 1, 3);
      expectEqual(fingerprints.subarray(row * 16, row * 16 + 16), expected);
    }
  });

  test("is the same for strings and a column, and 64 bits are the first half", () => {
    const urls = hostileUrls(5, 2_000).map((url) => Buffer.from(url, "latin1").toString());
    const rows = toColumn(urls.map((url) => Buffer.from(url).toString("latin1")));
    const column = normalizer.fingerprintBatch(rows, { key });
    expectEqual(normalizer.fingerprintBatch(urls, { key }), column);
    const { fingerprints } = normalizer.fingerprintBatch(rows, { key, bits: 64 });
    expect(fingerprints).toHaveLength(8 * urls.length);
    for (const row of [0, 1, 1_999]) {
      const half = column.fingerprints.subarray(row * 16, row * 16 + 8);
      expectEqual(fingerprints.subarray(row * 8, row * 8 + 8), half);
    }
  });

  test("is the same for lines, whichever end they have", () => {
    const urls = hostileUrls(6, 2_000)
      .map((url) =>
        Buffer.from(url, "latin1")
          .toString()
          .replaceAll(/[\r\n]/g, ""),
      )
      .concat("http://a/last");
    const lines = Buffer.from(
      urls.map((url, row) => url + (row % 2 ? "\r\n" : "\n")).join(""),
    ).subarray(0, -1);
    for (const bits of [128, 64] as const) {
      const expected = normalizer.fingerprintBatch(urls, { key, bits });
      const { fingerprints, status } = normalizer.fingerprintBatch(lines, { key, bits });
      expect(Buffer.compare(status, expected.status)).toBe(0);
      for (const [row, code] of status.entries()) {
        if (code > Status.CHANGED) continue;
        const [start, end] = [row * (bits / 8), (row + 1) * (bits / 8)];
        expect(fingerprints.subarray(start, end)).toEqual(
          expected.fingerprints.subarray(start, end),
        );
      }
    }
  });

  test("tells URLs apart, joins equal ones, and resolves against a base", () => {
    const urls = ["http://a/b", "HTTP://A/./b", "b", "http://a/c"];
    const { fingerprints } = normalizer.fingerprintBatch(urls, { base: "http://a/", key });
    const [one, two, three, four] = urls.map((_, row) =>
      Buffer.from(fingerprints.subarray(row * 16, row * 16 + 16)).toString("hex"),
    );
    expect([two, three]).toEqual([one, one]);
    expect(four).not.toBe(one);
  });

  test("depends on the key, which is random for each normalizer", () => {
    const other = create();
    expect(other.fingerprintKey).not.toEqual(normalizer.fingerprintKey);
    expectEqual(other.fingerprintKey, other.fingerprintKey);
    const own = other.fingerprintBatch(["http://a/"]);
    expectEqual(own, normalizer.fingerprintBatch(["http://a/"], { key: other.fingerprintKey }));
    expect(own).not.toEqual(normalizer.fingerprintBatch(["http://a/"]));
  });

  test("gives each row a status, and takes no key of another size", () => {
    const { status } = normalizer.fingerprintBatch(["x", "http://a", "http://a/"]);
    expectEqual([...status], [Status.NO_SCHEME, Status.CHANGED, Status.UNCHANGED]);
    const short = { key: new Uint8Array(8) };
    expect(() => normalizer.fingerprintBatch([], short)).toThrow(
      expect.objectContaining({ code: "BAD_OPTION" }),
    );
    expect(normalizer.fingerprintBatch([]).fingerprints).toHaveLength(0);
  });
});

test("engines agree on hostile input", () => {
  const urls = toColumn(hostileUrls(6, 5_000));
  const [wasm, js] = (["wasm", "js"] as const).map((engine) => createNormalizer({ engine }));
  expectEqual(js?.fingerprintBatch(urls, { key }), wasm?.fingerprintBatch(urls, { key }));
});
