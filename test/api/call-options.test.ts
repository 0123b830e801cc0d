import { createPool, type PoolOptions } from "urlmill/pool";
import { type SeenOptions, SeenSet } from "urlmill/seen";
import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";

const refusal = expect.objectContaining({
  code: "BAD_OPTION",
  message: expect.stringMatching(
    /option "baseUrl" is not known here: calls take base, .*; did you mean base\?$/,
  ),
});
/** A misspelt base would leave all links of a page without one. */
const misspelt = { baseUrl: "http://a/" } as object;
const lines = Buffer.from("x\n");
const column = { data: Buffer.from("x"), offsets: Int32Array.of(0, 1) };

describeEngines("calls with an option that no call knows", (create) => {
  const n = create();

  test("are refused by a normalizer", () => {
    expect(() => n.normalizeBatch(["x"], misspelt)).toThrow(refusal);
    expect(() => n.normalizeLines(lines, misspelt)).toThrow(refusal);
    expect(() => n.normalizeColumn(column, misspelt)).toThrow(refusal);
    expect(() => n.fingerprintBatch(["x"], misspelt)).toThrow(refusal);
    expect(() => n.normalizeWindows(lines, true, misspelt, () => {})).toThrow(refusal);
  });
});

test("calls of a set and of a pool with an option that no call knows are refused", async () => {
  const seen = new SeenSet();
  await expect(seen.addBatch(["x"], misspelt)).rejects.toThrow(refusal);
  await expect(seen.hasBatch(["x"], misspelt)).rejects.toThrow(refusal);
  const pool = createPool({ threads: 1 });
  await expect(pool.normalizeBatch(["x"], misspelt)).rejects.toThrow(refusal);
  await expect(pool.fingerprintBatch(["x"], misspelt)).rejects.toThrow(refusal);
  await expect(pool.normalizeEach(["x"], misspelt).next()).rejects.toThrow(refusal);
  await pool.close();
});

test.each([
  [{ thread: 2 }, /no option "thread"; did you mean threads\?/],
  [{ stripTracking: true }, /no option "stripTracking"; did you mean trackingParams\?/],
])("a pool and a set say what %j most likely means", (options, message) => {
  expect(() => createPool(options as PoolOptions)).toThrow(message);
  expect(() => new SeenSet(options as SeenOptions)).toThrow(message);
});
