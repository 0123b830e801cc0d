import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SeenSet, type SeenStore } from "../../src/seen/index.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const KEY = "00112233445566778899aabbccddeeff";

test("a key given as a Buffer is copied: wiping it changes nothing", async () => {
  const key = Buffer.from(KEY, "hex");
  const set = new SeenSet({ key });
  await set.addBatch(["http://a/"]);
  key.fill(0);
  expect(Buffer.from(set.key).toString("hex")).toBe(KEY);
  expect(await set.hasBatch(["http://a/"])).toEqual(Uint8Array.of(1));
  set.key.fill(0);
  expect(Buffer.from(set.key).toString("hex")).toBe(KEY);
  await set.close();
});

test("a key that is wiped while a set is being opened is on disk as it was given", async () => {
  const folder = tempFolder();
  const key = Buffer.from(KEY, "hex");
  const opening = SeenSet.open(folder, { key });
  key.fill(0);
  const set = await opening;
  expect(Buffer.from(set.key).toString("hex")).toBe(KEY);
  expect(await readFile(join(folder, "set.json"), "utf8")).toContain(KEY);
  await set.close();
});

test("the key of a store that keeps it as a Buffer is copied, too", async () => {
  const identity = {
    profileId: "x",
    key: Buffer.from(KEY, "hex"),
    bits: 128,
    options: {},
  } as const;
  const store: SeenStore = {
    identity,
    add: async (fingerprints) => new Uint8Array(fingerprints.length / 16),
    has: async (fingerprints) => new Uint8Array(fingerprints.length / 16),
    size: async () => 0,
    stats: async () => ({ store: "mine" }),
    close: async () => {},
  };
  const set = await SeenSet.open(() => store);
  set.key.fill(0);
  expect(Buffer.from(set.key).toString("hex")).toBe(KEY);
  await set.close();
});
