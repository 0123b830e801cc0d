// At full length only: it makes sets of every kind.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { describe, expect, test, vi } from "vitest";
import { files } from "../../src/base/peer.ts";
import type { StoredReader } from "../../src/seen/contract/reader.ts";
import { HEADS, STORE_NAMES, storesIn } from "../../src/seen/folder/store-names.ts";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { readKeys } from "../../src/seen/keys/key-file.ts";
import { writeKeys } from "../../src/seen/keys/write-keys.ts";
import { convertSet } from "../../src/seen/stored/convert.ts";
import { KINDS } from "../../src/seen/stored/kinds.ts";
import { mergeSets } from "../../src/seen/stored/merge.ts";
import { identityOfAny, openStored } from "../../src/seen/stored/open-stored.ts";
import { removeFromSet } from "../../src/seen/stored/remove.ts";
import { atLength } from "../shared/length.ts";
import { fillSet, OF_64_BITS, openSet, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();

/** All fingerprints of a set, sorted, as text. */
async function allOf(set: StoredReader): Promise<string[]> {
  const width = set.bits / 8;
  const all: string[] = [];
  for await (const rows of set.fingerprints()) {
    for (let at = 0; at < rows.length; at += width) {
      all.push(Buffer.from(rows.subarray(at, at + width)).toString("hex"));
    }
  }
  await set.close();
  return all.toSorted();
}

async function withSet(
  directory: string,
  use: (set: StoredReader) => Promise<unknown>,
): Promise<void> {
  const set = await openStored(directory);
  try {
    await use(set);
  } finally {
    await set.close();
  }
}

const exportTo = (file: string, directory: string): Promise<void> =>
  withSet(directory, (set) => writeKeys(file, set));

test("every kind gives the fingerprints that were added, each once, of its bits", async () => {
  const count = atLength(400, 10_000);
  for (const bits of [128, 64] as const) {
    const key = new Uint8Array(16).fill(bits);
    const found: string[][] = [];
    for (const kind of bits === 64 ? OF_64_BITS : STORE_NAMES) {
      const directory = path(`${kind}-${bits}`);
      const options = { bits, key };
      for (const first of [0, count / 2])
        await fillSet(kind, directory, urlsOf(first, count), options);
      const set = await openStored(directory);
      expect(set).toMatchObject({ store: kind, where: directory, identity: { bits, key } });
      expect(set.bits).toBe(KINDS[kind].bitsOf(set.identity));
      expect(await set.size()).toBe(1.5 * count);
      const all = await allOf(set);
      await exportTo(path(`${kind}-${bits}.keys`), directory);
      expect(await allOf(await readKeys(path(`${kind}-${bits}.keys`)))).toEqual(all);
      found.push(all);
    }
    const [first = [], ...others] = found;
    expect(new Set(first).size).toBe(1.5 * count);
    for (const other of others) {
      const length = other[0]?.length as number;
      expect(sortedByText(other)).toEqual(sortedByText(first.map((text) => text.slice(0, length))));
    }
  }
});

const sortedByText = (texts: readonly string[]): string[] => texts.toSorted();

describe("a set on disk that was merged", () => {
  test("gives the keys of its partitions and those that came later", async () => {
    const options = { key: new Uint8Array(16) };
    const open = (): Promise<SeenSet> =>
      SeenSet.open(disk(path("set"), { memory: 1 << 24 }), options);
    const step = atLength(20, 5_000);
    const first = await open();
    await first.enqueueBatch(urlsOf(0, 4 * step));
    for await (const piece of first.drain()) await piece.commit();
    await first.addBatch(urlsOf(3 * step, 2 * step));
    await first.close();
    await fillSet("journal", path("journal"), urlsOf(0, 5 * step), options);
    const expected = (await allOf(await openStored(path("journal")))).map((text) =>
      text.slice(0, 20),
    );
    const set = await openStored(path("set"));
    expect(await set.size()).toBe(5 * step);
    expect(set.left).toBeNull();
    expect(await allOf(set)).toEqual(sortedByText(expected));
  });

  test("does not count rows that wait for an answer, and says so", async () => {
    const set = await SeenSet.open(disk(path("set"), { memory: 1 << 24 }));
    await set.addBatch(urlsOf(0, 10));
    await set.enqueueBatch(urlsOf(5, 10));
    await set.close();
    await withSet(path("set"), async (read) => {
      expect(await read.size()).toBe(10);
      expect(read.left).toBe("10 rows that wait for an answer");
    });
  });
});

test("an empty set is exported, converted and merged", async () => {
  for (const kind of STORE_NAMES) {
    await fillSet(kind, path(kind), []);
    await exportTo(path(`${kind}.keys`), path(kind));
    expect(await allOf(await readKeys(path(`${kind}.keys`)))).toEqual([]);
    expect(await mergeSets(path(`m-${kind}`), [path(kind), path(`${kind}.keys`)])).toEqual({
      added: 0,
      size: 0,
    });
  }
  expect(await convertSet(path("journal"), "lmdb")).toBe(0);
});

test.each(STORE_NAMES)(
  "two merges to one new %s set that run at once make one of both",
  async (kind) => {
    const key = new Uint8Array(16);
    for (const [name, first] of [["one", 0] as const, ["two", 2] as const]) {
      await fillSet(kind, path(name), urlsOf(first, 4), { key });
    }
    // The second has seen that there is no set when the first makes it.
    const spied = vi.spyOn(files(), "mkdir").mockImplementationOnce(async () => {
      await mergeSets(path("all"), [path("one")]);
      return undefined;
    });
    expect(await mergeSets(path("all"), [path("two")])).toEqual({ added: 2, size: 6 });
    spied.mockRestore();
    await withSet(path("all"), async (set) => expect(await set.size()).toBe(6));
  },
);

test("what a set was made with is read while it is open, and leaves no file", async () => {
  for (const kind of STORE_NAMES) {
    const set = await openSet(kind, path(kind), { preset: "crawl" });
    expect(await identityOfAny(path(kind))).toMatchObject({ key: set.key });
    await set.close();
  }
  await mkdir(path("empty"));
  await expect(identityOfAny(path("empty"))).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
  expect(readdirSync(path("empty"))).toEqual([]);
});

describe("a directory of another kind is refused, and not touched", () => {
  test.each(STORE_NAMES)("%s", async (kind) => {
    for (const other of STORE_NAMES.filter((name) => name !== kind)) {
      const directory = path(`${kind}-as-${other}`);
      await fillSet(kind, directory, urlsOf(0, 10));
      await expect(openSet(other, directory)).rejects.toMatchObject({
        code: "SEEN_CORRUPT",
        message: expect.stringMatching(/ is a .*, not a /),
      });
      expect(await storesIn(directory)).toEqual([kind]);
      await fillSet(kind, directory, urlsOf(0, 20));
    }
  });
});

test("an unfinished write at the end of a journal is told, and stays", async () => {
  await fillSet("journal", path("set"), urlsOf(0, 10));
  const file = path("set/journal-1");
  writeFileSync(file, "UBLK and no more", { flag: "a" });
  const { size } = statSync(file);
  const set = await openStored(path("set"));
  expect(await set.size()).toBe(10);
  expect(set.left).toBe("16 bytes of an unfinished write");
  await set.close();
  expect(statSync(file).size).toBe(size);
});

test("a file of keys that was not written to its end is removed", async () => {
  await fillSet("journal", path("set"), urlsOf(0, 1_000));
  await withSet(path("set"), async (set) => {
    const count = await set.size();
    const like = (fake: Partial<StoredReader>): StoredReader => ({
      ...set,
      identity: set.identity,
      size: async () => count,
      fingerprints: () => set.fingerprints(),
      ...fake,
    });
    const broken = like({
      async *fingerprints() {
        yield new Uint8Array(16);
        throw new Error("broken");
      },
    });
    await expect(writeKeys(path("keys"), broken)).rejects.toThrow("broken");
    const grown = like({ size: async () => count - 1 });
    await expect(writeKeys(path("keys"), grown)).rejects.toMatchObject({ code: "SEEN_LOCKED" });
  });
  expect(readdirSync(path("."))).toEqual(["set"]);
});

const holds = `
  import { disk, journal, SeenSet } from "urlmill/seen";
  import { lmdb } from "urlmill/seen/lmdb";
  const [kind, directory] = process.argv.slice(1);
  const set = await SeenSet.open({ journal, lmdb, disk }[kind](directory));
  await set.addBatch(["http://a/"]);
  console.log("open");
  process.stdin.on("data", async () => { await set.close(); process.exit(); });`;

/** Has another process open a set, as long as `use` runs. */
async function whileOpen(kind: string, directory: string, use: () => Promise<void>): Promise<void> {
  const args = ["--input-type=module", "-e", holds, kind, directory];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  try {
    await use();
  } finally {
    const ended = once(child, "close");
    child.stdin.write("end");
    await ended;
  }
}

describe("a set that another process has open", () => {
  const exclusive = STORE_NAMES.filter((kind) => !KINDS[kind].isShared);
  test.each(exclusive)("is locked for all parts if it is %s", async (kind) => {
    await fillSet(kind, path("other"), urlsOf(0, 1));
    const key = (await identityOfAny(path("other"))).key;
    await fillSet(kind, path("set"), urlsOf(0, 1), { key });
    await whileOpen(kind, path("set"), async () => {
      const calls = [
        () => openStored(path("set")),
        () => convertSet(path("set"), "lmdb"),
        () => removeFromSet(path("set"), [path("other")], null),
        () => mergeSets(path("set"), [path("other")]),
        () => mergeSets(path("all"), [path("other"), path("set")]),
      ];
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({ code: "SEEN_LOCKED" });
      }
      expect(await storesIn(path("set"))).toEqual([kind]);
      // The lock of the other set was released.
      await (await openStored(path("other"))).close();
    });
    await withSet(path("set"), async (set) => expect(await set.size()).toBe(2));
  });

  test.runIf(process.platform === "linux")(
    "is read and added to if it is in LMDB, and not converted",
    async () => {
      await fillSet("lmdb", path("set"), urlsOf(0, 1));
      await whileOpen("lmdb", path("set"), async () => {
        const set = await openStored(path("set"));
        expect(await set.size()).toBe(2);
        await set.close();
        for (const call of [
          () => convertSet(path("set"), "journal"),
          () => removeFromSet(path("set"), [], null),
        ]) {
          await expect(call()).rejects.toMatchObject({
            code: "SEEN_LOCKED",
            message: expect.stringMatching(/ is in use by another process \(\d+\)$/),
          });
        }
        expect(await storesIn(path("set"))).toEqual(["lmdb"]);
      });
      expect(await convertSet(path("set"), "journal")).toBe(2);
    },
  );
});

test("a kind has its head among its files, and no file of another kind", () => {
  for (const kind of STORE_NAMES) {
    for (const other of STORE_NAMES) {
      expect(KINDS[kind].ownFiles.test(HEADS[other])).toBe(kind === other);
    }
    expect(KINDS[kind].ownFiles.test("lock")).toBe(false);
  }
});
