import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenSeenStore, SeenSet } from "../../src/seen/index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "urlmill-close-"));
});
afterEach(() => rm(folder, { recursive: true }));

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
