import { LargeUtf8 } from "apache-arrow";
import { expect, test } from "vitest";
import { normalizeVector } from "../../src/arrow/index.ts";
import { Status } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { chunkOf, vectorOf } from "../shared/vectors.ts";

const GIB = 2 ** 30;

describeEngines("LargeUtf8 of more bytes than 32 bits can count", (create) => {
  test("is normalized, and a row of more than a GiB is TOO_LONG", () => {
    const url = Buffer.from("HTTP://A/");
    // Memory that nobody writes to costs nothing.
    const data = new Uint8Array(3 * GIB + 2 * url.length);
    data.set(url);
    data.set(url, 3 * GIB + url.length);
    const ends = [0, url.length, GIB, 1.4 * GIB, 3 * GIB + url.length, data.length];
    const offsets = BigInt64Array.from(ends, (end) => BigInt(Math.floor(end)));
    const vector = vectorOf(chunkOf(new LargeUtf8(), 5, offsets, data));
    const { vector: normalized, status } = normalizeVector(vector, create({ maxLength: 100 }));
    const { CHANGED, TOO_LONG } = Status;
    expect([...status]).toEqual([CHANGED, TOO_LONG, TOO_LONG, TOO_LONG, CHANGED]);
    expect(normalized.toJSON()).toEqual(["http://a/", null, null, null, "http://a/"]);
  });
});
