// At full length only: it puts links and pipes in the place of files.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logId } from "../../src/seen/disk/files/row-log.ts";
import { SetFolder } from "../../src/seen/folder/set-folder.ts";
import { STORE_NAMES, type StoreName } from "../../src/seen/folder/store-names.ts";
import { openStored } from "../../src/seen/stored/open-stored.ts";
import { blocksOf, contentsOf } from "../shared/records.ts";
import { fillSet, openSet, urlsOf, useAll } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

/*
 * A set's folder that somebody else has made: nothing is read or written outside of it, and nothing waits.
 */

const path = newFolders();
/** The kinds whose files urlmill opens by itself. */
const OWN = ["journal", "disk"] as const;
const SECRET = "what the victim has";

/** Makes a set of some URLs, with files of every sort, and a file outside of it. */
async function makeSet(kind: StoreName): Promise<{ set: string; victim: string }> {
  const set = path("set");
  await fillSet(kind, set, urlsOf(0, 3));
  if (kind === "disk") {
    const opened = await openSet(kind, set);
    await opened.enqueueBatch(urlsOf(2, 3), { payload: "url" });
    for await (const _ of opened.drain());
    await opened.enqueueBatch(urlsOf(4, 3), { payload: "url" });
    await opened.close();
  }
  const victim = path("victim");
  writeFileSync(victim, SECRET);
  return { set, victim };
}

type Trap = (victim: string, place: string) => void;
const TRAPS: readonly (readonly [string, Trap])[] = [
  ["a link", symlinkSync],
  ["a link that leads nowhere", (victim, place) => symlinkSync(`${victim}.new`, place)],
  ["a hard link", linkSync],
  ["a pipe", (_, place) => expect(spawnSync("mkfifo", [place]).status).toBe(0)],
];

test
  .skipIf(process.platform === "win32")
  .each(OWN.flatMap((kind) => TRAPS.map(([what, trap]) => [kind, what, trap] as const)))(
  "no file of a set may be another one: %s, %s",
  async (kind, what, trap) => {
    const { set, victim } = await makeSet(kind);
    renameSync(set, path("made"));
    for (const name of readdirSync(path("made"))) {
      rmSync(set, { recursive: true, force: true });
      cpSync(path("made"), set, { recursive: true });
      // The victim has the bytes of the file, so that nothing else is wrong with it.
      const place = join(set, name);
      copyFileSync(place, victim);
      const before = readFileSync(victim);
      rmSync(place);
      trap(victim, place);
      const code = await useAll(kind, set);
      // What is only read, or replaced as a whole, may have another name, as in a backup by hard links.
      const isReplaced = what === "a hard link" && /^p\d|^set\.json/.test(name);
      expect({ name, code }).toEqual({ name, code: isReplaced ? null : "SEEN_CORRUPT" });
      expect(readFileSync(victim).equals(before)).toBe(true);
      expect(existsSync(`${victim}.new`)).toBe(false);
    }
  },
  60_000,
);

test.skipIf(process.platform === "win32").each([
  ["journal", "set.json.new"],
  ["journal", "journal-2"],
  ["disk", "manifest.new"],
  ["disk", "log.9"],
  ["disk", "p000.7"],
] as const)("what is left over is unlinked: %s, %s", async (kind, name) => {
  for (const trap of [symlinkSync, linkSync]) {
    rmSync(path("set"), { recursive: true, force: true });
    const { set, victim } = await makeSet(kind);
    trap(victim, join(set, name));
    expect(await useAll(kind, set)).toBe(null);
    expect(readFileSync(victim, "utf8")).toBe(SECRET);
    expect(existsSync(join(set, name))).toBe(false);
    rmSync(victim);
  }
});

test.skipIf(process.platform === "win32").each(OWN)(
  "a folder that has no set yet writes through no link: %s",
  async (kind) => {
    const victim = path("victim");
    writeFileSync(victim, SECRET);
    for (const name of ["lock", "set.json.new", "manifest.new", "journal-1", "log.1"]) {
      const set = path("set");
      rmSync(set, { recursive: true, force: true });
      await (await SetFolder.take(set)).release();
      rmSync(join(set, "lock"));
      symlinkSync(victim, join(set, name));
      await useAll(kind, set);
      await fillSet(kind, set, urlsOf(0, 3)).catch(({ code }) => expect(code).toBe("SEEN_CORRUPT"));
      expect(readFileSync(victim, "utf8")).toBe(SECRET);
    }
  },
);

/** Returns what a folder has, and when each file was changed. */
function stateOf(set: string): unknown[] {
  return [".", ...readdirSync(set).toSorted()]
    .filter((name) => name !== "lock.mdb") // LMDB notes its readers there
    .map((name) => {
      const { ino, size, mode, mtimeMs, ctimeMs } = lstatSync(join(set, name));
      return [name, ino, size, mode, mtimeMs, ctimeMs];
    });
}

test.each(STORE_NAMES)("reading a set changes nothing in its folder: %s", async (kind) => {
  const { set } = await makeSet(kind);
  for (const hasLock of [true, false]) {
    if (!hasLock) rmSync(join(set, "lock"), { force: true });
    const before = stateOf(set);
    const [one, other] = [await openStored(set), await openStored(set)];
    const size = await one.size();
    expect(await other.size()).toBe(size);
    await one.close();
    await other.close();
    expect(stateOf(set)).toEqual(before);
  }
});

test.skipIf(process.getuid?.() !== 0).each(OWN)(
  "a set that may only be read is read: %s",
  async (kind) => {
    const { set } = await makeSet(kind);
    for (const name of readdirSync(set)) {
      chownSync(join(set, name), 65534, 65534);
      chmodSync(join(set, name), 0o400);
    }
    for (const folder of [set, path("."), path("..")]) chmodSync(folder, 0o555);
    const info = spawnSync(process.execPath, ["dist/cli/main.js", "seen", "info", set], {
      uid: 65534,
      encoding: "utf8",
    });
    expect(info.stderr).toBe("");
    expect(info.stdout).toContain(kind);
  },
);

test("a writer waits for no reader, and is not told of one before it", async () => {
  const { set } = await makeSet("journal");
  const reader = await openStored(set);
  const refusal = { code: "SEEN_LOCKED", message: `${set} is in use by another process` };
  await expect(openSet("journal", set)).rejects.toMatchObject(refusal);
  await reader.close();
  const writer = await openSet("journal", set);
  await expect(openStored(set)).rejects.toMatchObject({
    code: "SEEN_LOCKED",
    message: expect.stringContaining(`(process ${process.pid} on `),
  });
  await writer.close();
});

test
  .skipIf(process.platform === "win32")
  .each(OWN.flatMap((kind) => [true, false].map((isThere) => [kind, isThere] as const)))(
  "a set whose folder was moved writes no more: %s, another in its place: %s",
  async (kind, isThere) => {
    const { set } = await makeSet(kind);
    const opened = await openSet(kind, set);
    await opened.addBatch(urlsOf(10, 3));
    renameSync(set, path("moved"));
    if (isThere) await fillSet(kind, set, urlsOf(100, 3));
    const before = isThere ? stateOf(set) : [];
    const moved = { code: "SEEN_FAILED", message: expect.stringMatching(/was moved or replaced/) };
    if (kind === "disk") {
      await opened.enqueueBatch(urlsOf(20, 3)).catch((error) => expect(error).toMatchObject(moved));
      await expect(opened.drain().next()).rejects.toMatchObject(moved);
    } else {
      await expect(opened.compact()).rejects.toMatchObject(moved);
    }
    await expect(opened.close()).rejects.toMatchObject(moved);
    if (isThere) expect(stateOf(set)).toEqual(before);
    else expect(existsSync(set)).toBe(false);
    // Where it is now, it has all that was answered.
    const again = await openSet(kind, path("moved"));
    expect([...(await again.addBatch([...urlsOf(10, 3), ...urlsOf(30, 1)]))]).toEqual([0, 0, 0, 1]);
    await again.close();
  },
);

/** Returns fingerprints of `width` bytes that choose one place of a table. */
function alike(count: number, width: number): Uint8Array {
  const rows = new Uint8Array(count * width).fill(7);
  const view = new DataView(rows.buffer);
  for (let row = 0; row < count; row++) view.setUint32(row * width, row + 1, true);
  return rows;
}

test("fingerprints that were chosen to lie together are refused at once", async () => {
  const { set } = await makeSet("journal");
  const rows = alike(500_000, 16);
  const blocks = Array.from({ length: 8 }, (_, at) => rows.subarray(at << 20, (at + 1) << 20));
  writeFileSync(join(set, "journal-1"), blocksOf(1, blocks));
  expect(await useAll("journal", set)).toBe("SEEN_CORRUPT");
  const other = path("other");
  await fillSet("disk", other, urlsOf(0, 3));
  const [beginning, state] = contentsOf(readFileSync(join(other, "manifest"))).map((record) =>
    JSON.parse(record.toString()),
  );
  const [{ number }] = state.logs;
  const keys = alike(60_000, 10);
  const frame = Buffer.concat(
    [Uint32Array.of(0, 60_000), keys].map(({ buffer }) => new Uint8Array(buffer)),
  );
  writeFileSync(
    join(other, `log.${number}`),
    blocksOf(logId(beginning.set, number, "log"), [frame]),
  );
  expect(await useAll("disk", other)).toBe("SEEN_CORRUPT");
}, 10_000);
