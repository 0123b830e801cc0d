import { expect, test } from "vitest";
import { disk, journal, newIdentity, SeenSet, type SeenStore } from "../../src/seen/index.ts";

const code = expect.objectContaining({ code: "BAD_OPTION" });

test.each([
  ["bits", null],
  ["bits", "64"],
  ["bits", 32],
  ["maxBytes", null],
  ["maxBytes", Symbol("s")],
  ["maxBytes", "1000000"],
  ["maxBytes", 10n ** 9n],
  ["capacity", null],
  ["capacity", "9"],
  ["capacity", Number.NaN],
  ["threads", null],
  ["threads", 0],
])("a set cannot have %s %s: BAD_OPTION", async (name, value) => {
  const options = { [name]: value } as object;
  expect(() => new SeenSet(options)).toThrow(code);
  await expect(SeenSet.open("never-made", options)).rejects.toThrow(code);
});

test.each([2 ** 45, 2 ** 53, Number.POSITIVE_INFINITY])(
  "a set can have maxBytes %d",
  async (maxBytes) => {
    for (const engine of ["wasm", "js"] as const) {
      await using set = new SeenSet({ maxBytes, engine });
      expect(await set.add("http://a/")).toBe(true);
    }
  },
);

test.each([
  ["addBatch", { hold: 1 }, "hold"],
  ["hasBatch", { hold: true }, "hold: only addBatch takes it"],
  ["delete", { hold: true }, "hold: only addBatch takes it"],
  ["enqueueBatch", { hold: true }, "hold: only addBatch takes it"],
  ["hasBatch", null, "options cannot be Null"],
  ["enqueueBatch", null, "options cannot be Null"],
  ["addBatch", { signal: {} }, "signal"],
] as const)("%s does not take %j", async (method, options, message) => {
  await using set = new SeenSet();
  const call = set[method] as (urls: string[], options: unknown) => Promise<unknown>;
  await expect(call.call(set, ["http://a/"], options)).rejects.toMatchObject({
    code: "BAD_OPTION",
    message: expect.stringContaining(message),
  });
  expect(await set.size()).toBe(0);
});

test("a store of one's own is refused if it is not one, or gives other answers than it is asked for", async () => {
  const identity = newIdentity({ profileId: "p", options: {}, key: undefined, bits: 64 });
  const store = { identity, add: async () => new Uint8Array(1) } as unknown as SeenStore;
  const nothing = undefined as unknown as SeenStore;
  for (const wrong of [nothing, {} as SeenStore, { ...store, rowsPerCall: 0 }]) {
    await expect(SeenSet.open(() => wrong)).rejects.toMatchObject({ code: "BAD_INPUT" });
  }
  const set = await SeenSet.open(() => store);
  await expect(set.addBatch(["http://a/", "http://b/"])).rejects.toMatchObject({
    code: "SEEN_FAILED",
    message: "the store gave 1 answers to 2 rows",
  });
});

test("a path where options belong, or nothing where it belongs, is refused", async () => {
  const wrong = SeenSet as unknown as new (...args: unknown[]) => SeenSet;
  expect(() => new wrong("crawl.seen", { preset: "crawl" })).toThrow(
    /SeenSet\.open\(path, options\)/,
  );
  const open = SeenSet.open as (...args: unknown[]) => Promise<SeenSet>;
  await expect(open.call(SeenSet, { preset: "crawl" })).rejects.toThrow(
    expect.objectContaining({ code: "BAD_INPUT" }),
  );
});

test.each([
  ["disk", { memory: 1000 }, "memory"],
  ["disk", { memory: "1g" }, "memory"],
  ["disk", { memory: Number.NaN }, "memory"],
  ["disk", { immediate: "no" }, "immediate"],
  ["disk", { fsync: "batches" }, "fsync"],
  ["disk", { memry: 1 << 24 }, 'there is no option "memry"; did you mean memory?'],
  ["disk", "batch", "options cannot be String"],
  ["journal", { fsync: "never" }, "fsync"],
  ["journal", { fsync: null }, "fsync"],
  ["journal", { memory: 1 << 24 }, 'there is no option "memory"'],
  ["journal", "batch", "options cannot be String"],
] as const)("a store %s refuses %j", (store, options, message) => {
  const open = { disk, journal }[store] as (path: string, options: unknown) => unknown;
  expect(() => open("never-made", options)).toThrow(
    expect.objectContaining({ code: "BAD_OPTION", message: expect.stringContaining(message) }),
  );
});
