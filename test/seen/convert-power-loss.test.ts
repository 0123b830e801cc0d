// At full length only: it cuts the power at many moments.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { STORE_NAMES, type StoreName, storesIn } from "../../src/seen/folder/store-names.ts";
import { convertSet } from "../../src/seen/stored/convert.ts";
import { KINDS } from "../../src/seen/stored/kinds.ts";
import { removeFromSet } from "../../src/seen/stored/remove.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { filesAfterCut } from "../shared/power-loss.ts";
import { Random } from "../shared/random.ts";
import { fillSet, openSet, putFiles, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const disk = await vi.hoisted(async () => {
  const { RecordedDisk } = await import("../shared/power-loss.ts");
  return new RecordedDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = disk.wrap(peer.files());
  return { ...peer, files: () => wrapped };
});

const path = newFolders();
const URLS = urlsOf(0, atLength(40, 300));
/** How many moments are looked at, of all, and how many of the last ones, when entries of the directory change. */
const [LOOKS, LAST] = atLength([1, 4], [16, 12]);
/** How many states are looked at of each of the last moments, besides those where all or nothing is there. */
const STATES = atLength(4, 12);

async function expectAll(kind: StoreName): Promise<void> {
  const set = await openSet(kind, path("cut"));
  expect((await set.hasBatch(URLS)).includes(0)).toBe(false);
  expect(await set.size()).toBe(URLS.length);
  await set.close();
}

/** Looks at what a power cut left: the old set, or both, or the new one. Converting again makes it the new one. */
async function check(files: ReadonlyMap<string, Uint8Array>, to: StoreName): Promise<string> {
  await putFiles(path("cut"), files);
  const stores = await storesIn(path("cut"));
  expect(stores.length).toBeGreaterThan(0);
  if (stores.length === 1) await expectAll(stores[0] as StoreName);
  if (stores.join() !== to) expect(await convertSet(path("cut"), to)).toBe(URLS.length);
  await expectAll(to);
  return stores.join(" ");
}

/** Returns what `look` says of the files that a power cut leaves at some moments, and at the last ones. */
async function statesOf(
  look: (files: ReadonlyMap<string, Uint8Array>) => Promise<string>,
): Promise<ReadonlySet<string>> {
  const moments = [...disk.moments];
  const random = new Random(4);
  const odds = Math.ceil(moments.length / LOOKS);
  const states = new Set<string>();
  const late = new Set(moments.slice(-LAST));
  for (const moment of moments.filter((each) => late.has(each) || random.chance(odds))) {
    const isMixed = late.has(moment) && moment.possible.length > 1;
    const ends = moment.possible.length > 0 ? (["all", "none"] as const) : (["all"] as const);
    for (const kept of [...ends, ...Array<Random>(isMixed ? STATES : 0).fill(random)]) {
      states.add(await look(filesAfterCut(moment, kept)));
    }
  }
  return states;
}

// LMDB writes its files itself, so what it makes cannot be cut here; what is made of its sets can.
describe.each(
  sampleOf(
    STORE_NAMES.filter((kind) => kind !== "lmdb"),
    2,
  ),
)("converting LMDB to %s", (to) => {
  test("leaves the old set, both or the new one after a power cut at any moment", async () => {
    await fillSet("lmdb", path("set"), URLS);
    const before = new Map([["data.mdb", readFileSync(path("set/data.mdb"))]]);
    disk.begin(path("set"), before);
    await convertSet(path("set"), to);
    disk.end();
    const states = await statesOf((files) => check(files, to));
    expect([...states].toSorted()).toEqual(
      expect.arrayContaining([
        "lmdb",
        to,
        [...STORE_NAMES].filter((kind) => kind === to || kind === "lmdb").join(" "),
      ]),
    );
  });
});

describe.each(["journal", "disk"] as const)("removing URLs from a set in %s", (kind) => {
  test("leaves the old set or the new one after a power cut at any moment", async () => {
    const removed = URLS.filter((_, row) => row % 3 === 0);
    const kept = URLS.filter((_, row) => row % 3 !== 0);
    await fillSet(kind, path("set"), URLS);
    const { key } = await KINDS[kind].readIdentity(path("set"));
    await fillSet("journal", path("list"), removed, { key });
    const names = readdirSync(path("set")).filter((name) => name !== "lock");
    const before = names.map((name) => [name, readFileSync(join(path("set"), name))] as const);
    disk.begin(path("set"), new Map(before));
    expect(await removeFromSet(path("set"), [path("list")], null)).toMatchObject({
      removed: removed.length,
    });
    disk.end();
    const states = await statesOf(async (files) => {
      await putFiles(path("cut"), files);
      const set = await openSet(kind, path("cut"));
      const size = await set.size();
      expect([URLS.length, kept.length]).toContain(size);
      expect(await set.hasBatch(kept)).toEqual(new Uint8Array(kept.length).fill(1));
      await set.close();
      await removeFromSet(path("cut"), [path("list")], null);
      const again = await openSet(kind, path("cut"));
      expect(await again.size()).toBe(kept.length);
      expect(await again.hasBatch(removed)).toEqual(new Uint8Array(removed.length));
      await again.close();
      return size === URLS.length ? "old" : "new";
    });
    expect([...states].toSorted()).toEqual(["new", "old"]);
  });
});
