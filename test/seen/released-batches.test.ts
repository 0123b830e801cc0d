import { expect, test } from "vitest";
import { type HeldBatch, newIdentity, type OpenSeenStore, SeenSet } from "../../src/seen/index.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

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

/** Opens sets that share one store, as sets of several processes do. */
function sharedStore(): OpenSeenStore {
  const rows = new Set<string>();
  const identity = newIdentity({ profileId: "p", options: {}, key: undefined, bits: 64 });
  const each = (
    fingerprints: Uint8Array,
    answer: (row: string) => boolean,
  ): Promise<Uint8Array> => {
    const text = Buffer.from(fingerprints).toString("latin1").match(/.{8}/gs) ?? [];
    return Promise.resolve(Uint8Array.from(text, (row) => Number(answer(row))));
  };
  return () => ({
    identity,
    add: (fingerprints) => each(fingerprints, (row) => rows.size < rows.add(row).size),
    has: (fingerprints) => each(fingerprints, (row) => rows.has(row)),
    delete: (fingerprints) => each(fingerprints, (row) => rows.delete(row)),
    size: async () => rows.size,
    stats: async () => ({ store: "shared" }),
    close: async () => {},
  });
}

test("what was held and committed is new again once another process has deleted it", async () => {
  const store = sharedStore();
  await using seen = await SeenSet.open(store);
  await using other = await SeenSet.open(store);
  const inFlight = await seen.addBatch(["http://x/1", "http://x/2"], { hold: true });
  await seen.commit(await seen.addBatch(["http://a/"], { hold: true }));
  expect([...(await other.delete(["http://a/"]))]).toEqual([1]);
  expect([...(await seen.hasBatch(["http://a/", "http://x/1"]))]).toEqual([0, 1]);
  expect([...(await seen.addBatch(["http://a/"]))]).toEqual([1]);
  expect([...(await other.hasBatch(["http://a/"]))]).toEqual([1]);
  await seen.commit(inFlight);
  expect(await seen.stats()).toMatchObject({ size: 3, held: 0 });
});

test("batches that are held, committed and released at random are answered as a plain set answers", async () => {
  const random = new Random(3);
  await using seen = new SeenSet();
  const recorded = new Set<string>();
  const held = new Map<HeldBatch, string[]>();
  for (let step = 0; step < atLength(400, 4_000); step++) {
    const urls = Array.from({ length: 1 + random.below(9) }, () => `http://a/${random.below(60)}`);
    const isSeen = (url: string): boolean =>
      recorded.has(url) || [...held.values()].some((own) => own.includes(url));
    const expected = urls.map((url, row) => Number(!isSeen(url) && urls.indexOf(url) === row));
    const [batch] = held.keys();
    const kind = random.below(5);
    if (kind === 0) {
      expect([...(await seen.addBatch(urls))]).toEqual(expected);
      for (const [row, url] of urls.entries()) if (expected[row] === 1) recorded.add(url);
    } else if (kind < 3 || batch === undefined) {
      const made = await seen.addBatch(urls, { hold: true });
      expect([...made.answers]).toEqual(expected);
      held.set(
        made,
        urls.filter((_, row) => expected[row] === 1),
      );
    } else {
      if (kind === 3) for (const url of held.get(batch) ?? []) recorded.add(url);
      await (kind === 3 ? seen.commit(batch) : seen.release(batch));
      held.delete(batch);
    }
    if (recorded.size > 30) {
      await seen.delete([...recorded]);
      recorded.clear();
    }
  }
});
