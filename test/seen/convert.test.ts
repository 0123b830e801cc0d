// At full length only: it lets calls of the system fail.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { HEADS, STORE_NAMES, type StoreName, storesIn } from "../../src/seen/folder/store-names.ts";
import { convertSet } from "../../src/seen/stored/convert.ts";
import { KINDS } from "../../src/seen/stored/kinds.ts";
import { mergeSets } from "../../src/seen/stored/merge.ts";
import { openStored } from "../../src/seen/stored/open-stored.ts";
import { type Removed, removeFromSet } from "../../src/seen/stored/remove.ts";
import { atLength, IS_LONG, sampleOf } from "../shared/length.ts";
import { fillSet, fits, newDiskSet, openSet, rowsOf, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const faulty = await vi.hoisted(async () => {
  const { FaultyDisk } = await import("../shared/faulty-disk.ts");
  return new FaultyDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = faulty.wrap(peer.files());
  return { ...peer, files: () => wrapped };
});

const path = newFolders();
const SIZE = atLength(50, 500);
/** How many calls for files fail, spread over all but the last ones. */
const SOME = atLength(1, 12);
/** How many calls are the last ones, each of which fails at full length. */
const LAST = 12;
const URLS = urlsOf(0, SIZE);

const PAIRS = STORE_NAMES.flatMap((from) =>
  STORE_NAMES.filter((to) => to !== from && fits(from, to)).map((to) => [from, to] as const),
);

/** Counts the URLs of a set, and checks that they are ours. */
async function expectAll(kind: StoreName, directory: string): Promise<void> {
  const set = await openSet(kind, directory);
  expect((await set.hasBatch(URLS)).includes(0)).toBe(false);
  expect(await set.size()).toBe(SIZE);
  await set.close();
}

/** Returns the numbers of the calls for files at which a test lets `work` fail: its last ones, and some before. */
async function callsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  faulty.begin(0, "");
  await work();
  const { calls } = faulty;
  const all = Array.from({ length: calls }, (_, at) => at + 1);
  const step = Math.ceil(calls / SOME);
  const some = all.slice(0, -LAST).filter((call) => call % step === 1);
  return [...some, ...sampleOf(all.slice(-LAST).toReversed(), 4)];
}

/** Does the same for a conversion of a set, which `copyTo` copies to other directories. */
async function callsOfConversion(from: StoreName, to: StoreName): Promise<readonly number[]> {
  await fillSet(from, path("filled"), URLS);
  await copyTo(path("counted"));
  return callsOf(() => convertSet(path("counted"), to));
}

const copyTo = (directory: string): Promise<void> =>
  cp(path("filled"), directory, { recursive: true });

/** Lets the call of a number fail once, or let the process end there. Returns what became of `work`. */
async function failingAt<T>(
  call: number,
  fault: "fails" | "ends",
  work: () => Promise<T>,
): Promise<T | string> {
  if (fault === "ends") faulty.beginToEnd(call);
  else faulty.begin(call, "EIO");
  const before = faulty.open;
  const outcome = await work().catch((error) => error.code as string);
  faulty.begin(0, "");
  expect(faulty.open).toBe(before);
  return outcome;
}

describe.each(PAIRS)("converting %s to %s", (from, to) => {
  // Short runs end some and fail others: once to each kind.
  const isEnded = IS_LONG || to === (from === "journal" ? "lmdb" : "disk");
  test.runIf(isEnded)(
    "leaves the old set or both if the process ends at any operation on files",
    async () => {
      const calls = await callsOfConversion(from, to);
      const states = new Set<string>();
      for (const at of calls) {
        const directory = path(`at-${at}`);
        await copyTo(directory);
        await failingAt(at, "ends", () => convertSet(directory, to));
        const stores = await storesIn(directory);
        states.add(stores.join(" "));
        if (stores.length === 1) {
          await expectAll(stores[0] as StoreName, directory);
        } else {
          expect(stores).toHaveLength(2);
          for (const kind of stores) {
            await expect(openSet(kind, directory)).rejects.toMatchObject({
              code: "SEEN_CORRUPT",
              message: expect.stringContaining("a conversion"),
            });
          }
        }
        if (stores.join() !== to) expect(await convertSet(directory, to)).toBe(SIZE);
        await expectAll(to, directory);
        expect(existsSync(join(directory, "unfinished"))).toBe(false);
      }
      expect(states).toContain(from);
      expect([...states].some((state) => state.includes(" "))).toBe(true);
    },
  );

  test.runIf(IS_LONG || to === "journal")(
    "keeps a whole set if any operation on files fails once",
    async () => {
      const calls = await callsOfConversion(from, to);
      for (const at of calls) {
        const directory = path(`at-${at}`);
        await copyTo(directory);
        const outcome = await failingAt(at, "fails", () => convertSet(directory, to));
        expect(["SEEN_FAILED", SIZE]).toContain(outcome);
        const stores = await storesIn(directory);
        if (stores.join() !== to) await convertSet(directory, to);
        await expectAll(to, directory);
      }
    },
  );

  test.runIf(isEnded)(
    "keeps either set of a directory that has both, if they are the same",
    async () => {
      for (const kept of [from, to]) {
        const directory = path(`kept-${kept}`);
        await both(directory, URLS, URLS);
        expect(await convertSet(directory, kept)).toBe(SIZE);
        expect(await storesIn(directory)).toEqual([kept]);
        await expectAll(kept, directory);
      }
    },
  );

  test.runIf(isEnded)(
    "removes neither set of a directory that has two different ones",
    async () => {
      await both(path("both"), URLS, URLS.slice(1));
      for (const kept of [from, to]) {
        await expect(convertSet(path("both"), kept)).rejects.toMatchObject({
          code: "SEEN_CORRUPT",
          message: expect.stringContaining("not the same"),
        });
      }
      expect(await storesIn(path("both"))).toHaveLength(2);
    },
  );

  /** Puts the files of both kinds into a directory. */
  async function both(directory: string, first: string[], second: string[]): Promise<void> {
    const key = new Uint8Array(16);
    await fillSet(from, directory, first, { key });
    await fillSet(to, `${directory}-other`, second, { key });
    await cp(`${directory}-other`, directory, { recursive: true });
  }

  test.runIf(isEnded || to === "journal")("overwrites no file", async () => {
    await fillSet(from, path("set"), URLS);
    const mine = { journal: "journal-1", lmdb: "lock.mdb", disk: "log.1" }[to];
    writeFileSync(path(`set/${mine}`), "mine");
    await expect(convertSet(path("set"), to)).rejects.toMatchObject({
      code: "SEEN_CORRUPT",
      message: expect.stringContaining(`holds ${mine} and no ${HEADS[to]}`),
    });
    expect(readFileSync(path(`set/${mine}`), "utf8")).toBe("mine");
    await expectAll(from, path("set"));
  });

  test.runIf(isEnded || to === "journal")(
    "removes what a crash left of an earlier conversion",
    async () => {
      await fillSet(from, path("set"), URLS);
      await fillSet(to, path("set/unfinished"), URLS.slice(3));
      // Its files were on their way.
      const moved = readdirSync(path("set/unfinished")).filter((name) =>
        /^journal-|^lock\.|^log\./.test(name),
      );
      for (const name of moved) writeFileSync(path(`set/${name}`), "a part");
      expect(await convertSet(path("set"), to)).toBe(SIZE);
      await expectAll(to, path("set"));
    },
  );
});

test("a set with fewer bits of each fingerprint is not converted, and stays as it is", async () => {
  await fillSet("disk", path("set"), URLS);
  const files = readdirSync(path("set"));
  for (const to of ["journal", "lmdb"] as const) {
    await expect(convertSet(path("set"), to)).rejects.toMatchObject({
      code: "SEEN_MISMATCH",
      message: expect.stringMatching(/ 80 bits, .* 128\. .* import NEW --key-of /),
    });
    await expectAll("disk", path("set"));
  }
  expect(readdirSync(path("set"))).toEqual(files);
});

test("a directory with two sets, or with none, is refused by all parts", async () => {
  await fillSet("journal", path("set"), URLS);
  writeFileSync(path("set/data.mdb"), "");
  await expect(openStored(path("set"))).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
  await expect(mergeSets(path("all"), [path("set")])).rejects.toMatchObject({
    code: "SEEN_CORRUPT",
  });
  await mkdir(path("none"));
  for (const call of [() => convertSet(path("none"), "lmdb"), () => openStored(path("none"))]) {
    await expect(call()).rejects.toMatchObject({
      code: "SEEN_CORRUPT",
      message: expect.stringContaining("is not a seen set"),
    });
  }
  expect(readdirSync(path("none"))).toEqual([]);
});

test.each(atLength(["disk"] as const, STORE_NAMES))(
  "a new set of a merge (%s) is complete or not there, wherever its process ends",
  async (kind) => {
    await fillSet(kind, path("one"), URLS.slice(0, 0.6 * SIZE));
    const { key } = await openStored(path("one")).then(async (set) => {
      await set.close();
      return set.identity;
    });
    await fillSet(kind, path("two"), URLS.slice(0.4 * SIZE), { key });
    const inputs = [path("one"), path("two")];
    const calls = await callsOf(() => mergeSets(path("counted"), inputs));
    for (const at of calls) {
      const out = path(`at-${at}`);
      await failingAt(at, "ends", () => mergeSets(out, inputs));
      if ((await storesIn(out)).length === 1) await expectAll(kind, out);
      expect(await mergeSets(out, inputs)).toMatchObject({ size: SIZE });
      await expectAll(kind, out);
      await rm(out, { recursive: true, force: true });
    }
  },
);

describe.each(STORE_NAMES)("removing URLs from %s", (kind) => {
  const REMOVED = URLS.filter((_, row) => row % 3 === 0);
  const KEPT = URLS.filter((url) => !REMOVED.includes(url));

  /** Makes a set with all that its kind can have, and another of the URLs to remove. */
  async function fill(): Promise<void> {
    if (kind === "disk") await newDiskSet(path("filled"), URLS, urlsOf(SIZE, 3));
    else await fillSet(kind, path("filled"), URLS);
    const { key } = await KINDS[kind].readIdentity(path("filled"));
    await fillSet("journal", path("list"), [...REMOVED, "http://not-there.example/"], { key });
    await copyTo(path("counted"));
  }

  const remove = (directory: string): Promise<Removed> =>
    removeFromSet(directory, [path("list")], null);

  /** A set on disk takes seconds to open several times, so half of its calls are tried. */
  const callsOfRemoval = async (): Promise<readonly number[]> => {
    const calls = await callsOf(() => remove(path("counted")));
    return calls.filter((_, at) => kind !== "disk" || at % 2 === 0);
  };

  /** Checks that a set holds all URLs or all but the removed ones, and returns which. */
  async function stateOf(directory: string): Promise<string> {
    const set = await openStored(directory);
    const size = await set.size();
    await set.close();
    expect([SIZE, KEPT.length]).toContain(size);
    return size === SIZE ? "old" : "new";
  }

  test("leaves the old set or the new one if the process ends at any operation on files", async () => {
    await fill();
    const states = new Set<string>();
    const calls = await callsOfRemoval();
    expect(await stateOf(path("counted"))).toBe("new");
    for (const at of calls) {
      const directory = path(`at-${at}`);
      await copyTo(directory);
      await failingAt(at, "ends", () => remove(directory));
      const state = await stateOf(directory);
      states.add(state);
      const removed = state === "old" ? REMOVED.length : 0;
      const missing = REMOVED.length + 1 - removed;
      expect(await remove(directory)).toEqual({ removed, missing, size: KEPT.length });
      await expectKept(directory);
    }
    expect([...states].toSorted()).toEqual(["new", "old"]);
  });

  test.runIf(IS_LONG)("keeps a whole set if any operation on files fails once", async () => {
    await fill();
    for (const at of await callsOfRemoval()) {
      const directory = path(`at-${at}`);
      await copyTo(directory);
      const outcome = await failingAt(at, "fails", () => remove(directory));
      if (typeof outcome === "string") expect(outcome).toBe("SEEN_FAILED");
      else expect(outcome).toMatchObject({ removed: REMOVED.length });
      await stateOf(directory);
      await remove(directory);
      await expectKept(directory);
    }
  });

  async function expectKept(directory: string): Promise<void> {
    // Rows that wait stay, with their numbers and payloads.
    if (kind === "disk") {
      const rows = urlsOf(SIZE, 3).map((url, row) => [SIZE / 2 + row, 1, url]);
      expect(await rowsOf(directory)).toEqual(rows);
    }
    const set = await openSet(kind, directory);
    expect((await set.hasBatch(KEPT)).includes(0)).toBe(false);
    expect((await set.hasBatch(REMOVED)).includes(1)).toBe(false);
    await set.close();
    const names = readdirSync(directory).filter((name) => name !== "lock");
    expect(names.filter((name) => !KINDS[kind].ownFiles.test(name))).toEqual([]);
    const wanted = { journal: 2, lmdb: 2, disk: names.length }[kind];
    expect(names).toHaveLength(wanted);
  }
});

test("removing from a set refuses another key and the set itself, and leaves it as it is", async () => {
  await fillSet("disk", path("set"), URLS);
  const files = readdirSync(path("set"));
  await fillSet("journal", path("other"), URLS);
  await expect(removeFromSet(path("set"), [path("other")], null)).rejects.toMatchObject({
    code: "SEEN_MISMATCH",
    message: expect.stringContaining("another key"),
  });
  await expect(removeFromSet(path("set"), [path("set")], null)).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  expect(readdirSync(path("set"))).toEqual(files);
  await expectAll("disk", path("set"));
});
