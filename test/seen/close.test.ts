import { beforeEach, expect, test, vi } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import type { Pool } from "../../src/pool/index.ts";
import { newIdentity, type OpenSeenStore, SeenSet, type SeenStore } from "../../src/seen/index.ts";
import { prepareSet } from "../../src/seen/set/seen-options.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

test("a second close returns when the first has let the directory go", async () => {
  const set = await SeenSet.open(folder);
  await set.addBatch(["http://a/"]);
  const first = set.close();
  await set.close();
  const again = await SeenSet.open(folder);
  expect(await again.size()).toBe(1);
  await again.close();
  await first;
});

/** A store whose end fails. */
const failing: OpenSeenStore = ({ profileId, options }) => ({
  identity: { profileId, options, key: new Uint8Array(16), bits: 128 },
  add: async (fingerprints) => new Uint8Array(fingerprints.length / 16),
  has: async (fingerprints) => new Uint8Array(fingerprints.length / 16),
  size: async () => 0,
  stats: async () => ({ store: "failing" }),
  close: async () => {
    throw new Error("the disk is full");
  },
});

test("a second close throws what the first did: nothing was made durable", async () => {
  const set = await SeenSet.open(failing);
  await expect(set.close()).rejects.toThrow("the disk is full");
  await expect(set.close()).rejects.toThrow("the disk is full");
  await expect(set.size()).rejects.toMatchObject({ code: "SEEN_CLOSED" });
});

/** Makes a set in memory whose threads start late, and counts how often they start and end. */
function setWithThreads() {
  const counts = { started: 0, ended: 0 };
  const normalizer = createNormalizer();
  const pool = {
    fingerprintBatch: async (...call: Parameters<typeof normalizer.fingerprintBatch>) =>
      normalizer.fingerprintBatch(...call),
    close: async () => {
      counts.ended++;
    },
  };
  const startPool = async (): Promise<Pool> => {
    counts.started++;
    await new Promise(setImmediate);
    return pool as unknown as Pool;
  };
  const prepared = { ...prepareSet({}), startPool };
  const set = new (SeenSet as new (options: object, parts: typeof prepared) => SeenSet)(
    {},
    prepared,
  );
  return { set, counts };
}

/** Gives one URL, and one more when `goOn` is called. It never ends. */
function slowStream() {
  let goOn = (): void => {};
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* links(): AsyncGenerator<string> {
    yield "http://a/";
    await waits;
    yield "http://b/";
    await new Promise(() => {});
  }
  return { links, goOn };
}

/** Waits longer than a stream's batch waits for more items. */
const aMoment = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

test("calls that are made at once share the threads, which end with the set", async () => {
  const { set, counts } = setWithThreads();
  async function* links(): AsyncGenerator<string> {
    yield "http://a/";
  }
  const answers = [set.addBatch(links()), set.addBatch(links()), set.addBatch(["http://b/"])];
  expect((await Promise.all(answers)).map(([answer]) => answer).toSorted()).toEqual([0, 1, 1]);
  await set.close();
  expect(counts).toEqual({ started: 1, ended: 1 });
});

test("threads that start while the set is closed end with it", async () => {
  const { set, counts } = setWithThreads();
  const { links } = slowStream();
  const call = set.addBatch(links());
  call.catch(() => {});
  while (counts.started === 0) await new Promise(setImmediate);
  await set.close();
  expect(counts).toEqual({ started: 1, ended: 1 });
});

test.each([
  ["on the calling thread", () => new SeenSet()],
  ["on threads", () => setWithThreads().set],
])("a stream that has not ended when its set is closed is refused: %s", async (_, open) => {
  const set = open();
  const { links, goOn } = slowStream();
  const call = set.addBatch(links());
  const outcome = expect(call).rejects.toMatchObject({ code: "SEEN_CLOSED" });
  await aMoment();
  await set.close();
  goOn();
  await outcome;
});

test("an abort ends a call that waits for its turn, and adds nothing", async () => {
  const identity = newIdentity({ profileId: "p", options: {}, key: undefined, bits: 64 });
  let answer: (answers: Uint8Array) => void = () => {};
  const asked: Uint8Array[] = [];
  const add = (fingerprints: Uint8Array): Promise<Uint8Array> => {
    asked.push(fingerprints);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const store = { identity, add, close: async () => {} } as unknown as SeenStore;
  const set = await SeenSet.open(() => store);
  const slow = set.addBatch(["http://a/"]);
  const leaving = new AbortController();
  const waits = set.addBatch(["http://b/"], { signal: leaving.signal });
  leaving.abort(new Error("enough"));
  await expect(waits).rejects.toThrow("enough");
  await vi.waitUntil(() => asked.length === 1);
  answer(Uint8Array.of(1));
  expect([...(await slow)]).toEqual([1]);
  await set.close();
  expect(asked).toHaveLength(1);
});
