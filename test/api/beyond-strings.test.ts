// At full length only: its inputs have half a gigabyte each.

import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";

/** A string whose bytes no string can hold. */
const WIDE = "\u00fc".repeat(constants.MAX_STRING_LENGTH - 1);
/** More bytes than a string has units. Memory that nobody writes to costs nothing. */
const BEYOND = constants.MAX_STRING_LENGTH + 10;
const KEY = new Uint8Array(16);

describeEngines("bytes that no string can hold", (create) => {
  const normalizer = create();
  const url = Buffer.from("HTTP://A/");

  test("a column of many rows is normalized", () => {
    const rows = 5000;
    const length = Math.ceil(BEYOND / rows);
    const data = new Uint8Array(rows * length + url.length);
    data.set(url, rows * length);
    const offsets = Int32Array.from({ length: rows + 2 }, (_, row) => row * length);
    offsets[rows + 1] = data.length;
    const { status, data: written } = create({ maxLength: 100 }).normalizeColumn({ data, offsets });
    expect(status[rows]).toBe(Status.CHANGED);
    expect(status.subarray(0, rows).every((code) => code === Status.TOO_LONG)).toBe(true);
    expect(Buffer.from(written).toString()).toBe("http://a/");
  });

  test("a row of a column is TOO_LONG, and the rows around it are normalized", () => {
    const data = new Uint8Array(BEYOND + 2 * url.length);
    data.set(url);
    data.set(url, data.length - url.length);
    const offsets = Int32Array.of(0, url.length, data.length - url.length, data.length);
    const { status, data: written } = normalizer.normalizeColumn({ data, offsets });
    expect([...status]).toEqual([Status.CHANGED, Status.TOO_LONG, Status.CHANGED]);
    expect(Buffer.from(written).toString()).toBe("http://a/http://a/");
    const { status: again } = normalizer.fingerprintBatch({ data, offsets }, { key: KEY });
    expect(again).toEqual(status);
  });

  test("a line is TOO_LONG, and the lines around it are normalized", () => {
    const data = new Uint8Array(BEYOND + 2 * (url.length + 1));
    data.set(Buffer.from("HTTP://A/\n"));
    data.set(Buffer.from("\nHTTP://A/"), data.length - url.length - 1);
    const { status, bytes } = normalizer.normalizeLines(data);
    expect([...status]).toEqual([Status.CHANGED, Status.TOO_LONG, Status.CHANGED]);
    expect(Buffer.from(bytes).toString()).toBe("http://a/\n\nhttp://a/\n");
  });
});

describeEngines("a string whose bytes no string can hold", (create) => {
  const normalizer = create();
  const refusal = expect.objectContaining({ code: "TOO_LONG", offset: 1 << 20 });

  test("is TOO_LONG, alone", () => {
    expect(normalizer.tryNormalize(WIDE).status).toBe(Status.TOO_LONG);
    expect(() => normalizer.normalize(WIDE)).toThrow(refusal);
    expect(normalizer.explain(WIDE)).toMatchObject({ error: "TOO_LONG", offset: 1 << 20 });
  });

  test("is TOO_LONG in a batch, and leaves the rows around it alone", () => {
    const rows = ["http://a", WIDE, "http://b/"];
    const status = [Status.CHANGED, Status.TOO_LONG, Status.UNCHANGED];
    expect([...normalizer.normalizeBatch(rows).status]).toEqual(status);
    expect([...normalizer.fingerprintBatch(rows).status]).toEqual(status);
  });

  test("is BAD_BASE as a base", () => {
    expect(normalizer.tryNormalize("x", WIDE).status).toBe(Status.BAD_BASE);
  });
});
