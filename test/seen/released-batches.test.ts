import { expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";

test("the URLs of a held batch that is released are new again", async () => {
  await using seen = new SeenSet();
  const held = await seen.addBatch(["http://a/", "http://b/"], { hold: true });
  await seen.release(held);
  expect([...(await seen.hasBatch(["http://a/", "http://b/"]))]).toEqual([0, 0]);
  expect([...(await seen.addBatch(["http://a/", "http://b/"]))]).toEqual([1, 1]);
  expect(await seen.stats()).toMatchObject({ size: 2, held: 0 });
});

test("to release one batch leaves others held, and those that are recorded seen", async () => {
  await using seen = new SeenSet();
  await seen.addBatch(["http://a/"]);
  const first = await seen.addBatch(["http://a/", "http://b/"], { hold: true });
  const second = await seen.addBatch(["http://b/", "http://c/"], { hold: true });
  await seen.release(first);
  expect([...(await seen.hasBatch(["http://a/", "http://b/", "http://c/"]))]).toEqual([1, 0, 1]);
  await seen.commit(second);
  expect([...(await seen.addBatch(["http://b/", "http://c/"]))]).toEqual([1, 0]);
});

test("a batch that is committed, or released, cannot be released", async () => {
  await using seen = new SeenSet();
  const committed = await seen.addBatch(["http://a/"], { hold: true });
  await seen.commit(committed);
  const refusal = { code: "BAD_OPTION", message: expect.stringContaining("not committed") };
  await expect(seen.release(committed)).rejects.toMatchObject(refusal);
  const released = await seen.addBatch(["http://b/"], { hold: true });
  await seen.release(released);
  await expect(seen.release(released)).rejects.toMatchObject(refusal);
  await expect(seen.commit(released)).rejects.toMatchObject({ code: "BAD_OPTION" });
});
