// At full length only: it lets calls of the system fail.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { openStored } from "../../src/seen/stored/open-stored.ts";
import { checkLife, live, MEMORY, type Note } from "../shared/disk-life.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const faulty = await vi.hoisted(async () => {
  const { FaultyDisk } = await import("../shared/faulty-disk.ts");
  return new FaultyDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = faulty.wrap(peer.files());
  const now = faulty.wrapNow(peer.builtin("node:fs"));
  const builtin = (name: string): unknown =>
    name === "node:fs" ? now : (peer.builtin as (name: string) => unknown)(name);
  return { ...peer, files: () => wrapped, builtin };
});

/** How many calls fail, each in a life of its own: at least one of each function, or of each fifth. `npm run proof seen` takes more. */
const FAULTS = Number(process.env["URLMILL_FAULTS"] ?? atLength(1, 20, 60));

const folder = tempFolder();
const directory = join(folder, "set");
beforeEach(() => rm(directory, { recursive: true, force: true }));

/** Lives, and returns what was noted and the error that came. */
async function liveNoting(): Promise<{ notes: Note[]; error: unknown }> {
  const notes: Note[] = [];
  const note = (what: Note): void => {
    notes.push(what);
  };
  const error = await live(directory, "batch", note, async () => {}).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { notes, error };
}

/** Checks what a life has left. Nothing that returned may be missing: no power was cut. */
async function check(notes: readonly Note[], random: Random): Promise<void> {
  faulty.begin(0, "");
  await checkLife(directory, [...notes, ["synced"]], random);
  expect(faulty.open).toBe(0);
}

test("any call of the system may fail once: the error says so, and no answer is lost", async () => {
  const random = new Random(11);
  faulty.begin(0, "");
  await liveNoting();
  expect(faulty.calls).toBeGreaterThan(1000);
  const counts = sampleOf([...faulty.callsOf], 5);
  const failed = new Set<string>();
  for (let fault = 0; fault < Math.max(FAULTS, counts.length); fault++) {
    await rm(directory, { recursive: true, force: true });
    const [name, calls] = counts[fault % counts.length] as [string, number];
    // A life may have fewer calls than another. The first fault of each function is one that every life meets.
    const part = fault < counts.length ? Math.ceil(calls / 4) : calls;
    const number = 1 + random.below(part);
    faulty.beginOf(name, number, random.pick(["EIO", "ENOSPC", "EMFILE"]));
    const { notes, error } = await liveNoting();
    if (faulty.failed === null) continue; // this life had fewer calls
    failed.add(faulty.failed);
    const where = { name, number };
    expect({ ...where, open: faulty.open }).toEqual({ ...where, open: 0 });
    expect({ ...where, error }).toMatchObject({
      error: { code: "SEEN_FAILED", message: expect.stringContaining(directory) },
    });
    await check(notes, random);
  }
  expect([...failed].toSorted()).toEqual(counts.map(([name]) => name).toSorted());
}, 3_600_000);

test("reads and writes may be short", async () => {
  faulty.begin(0, "", new Random(12));
  const { notes, error } = await liveNoting();
  expect(error).toBe(null);
  await check(notes, new Random(13));
}, 120_000);

/** Opens the set that the tests of cut merges share. */
const open = (immediate: boolean): Promise<SeenSet> =>
  SeenSet.open(disk(directory, { memory: MEMORY, fsync: "close", immediate }));

const urlsOf = (numbers: readonly number[]): string[] =>
  numbers.map((number) => `http://a.example/${number}`);

const range = (first: number, end: number): string[] =>
  urlsOf(Array.from({ length: end - first }, (_, index) => first + index));

/** Drains a set and commits nothing. */
async function answersOf(set: SeenSet): Promise<number[]> {
  const all: number[] = [];
  for await (const { answers } of set.drain()) all.push(...answers);
  return all;
}

/** Closes a set after a call has failed. */
const abandon = (set: SeenSet): Promise<unknown> => set.close().catch(() => {});

test.each(sampleOf([true, false], 2))(
  "rows that come after a merge was cut are answered with its own (immediate: %s)",
  async (immediate) => {
    const random = new Random(14);
    const seen = new Set<number>();
    const expected: number[] = [];
    let cuts = 0;
    const [size, opens] = atLength([150, 40], [1500, 400]);
    for (let life = 1; life < atLength(5, 12); life++) {
      faulty.begin(0, "");
      const set = await open(immediate);
      const numbers = Array.from({ length: size }, () => random.below(2000 * life));
      await set.enqueueBatch(urlsOf(numbers));
      for (const number of numbers) {
        expected.push(seen.has(number) ? 0 : 1);
        seen.add(number);
      }
      faulty.beginOf("open", 1 + random.below(opens), "EIO");
      await answersOf(set).catch(() => cuts++);
      await abandon(set);
    }
    expect(cuts).toBeGreaterThan(atLength(1, 5));
    faulty.begin(0, "");
    const set = await open(immediate);
    expect(await answersOf(set)).toEqual(expected);
    expect(await set.size()).toBe(seen.size);
    await set.close();
  },
  120_000,
);

test("tables that are full when their merge is cut are read again", async () => {
  faulty.begin(0, "");
  const first = await open(true);
  const full = 275_000; // of 279,552
  for (let at = 0; at < full; at += 55_000) await first.addBatch(range(at, at + 55_000));
  faulty.beginOf("open", 250, "EIO"); // nearly all partitions are merged
  await expect(first.addBatch(range(full, full + 10_000))).rejects.toMatchObject({
    code: "SEEN_FAILED",
  });
  await abandon(first);
  faulty.begin(0, "");
  const next = await open(true);
  expect(await next.size()).toBe(full);
  expect(new Set(await next.addBatch(range(full, full + 10_000)))).toEqual(new Set([1]));
  await next.close();
});

testAtLength(
  "URLs that were added before and after a merge was cut are there",
  async () => {
    faulty.begin(0, "");
    const first = await open(true);
    // Rows of few partitions are left of each of these batches when the log is read.
    for (let at = 0; at < 230_000; at += 10_000) await first.addBatch(range(at, at + 10_000));
    await first.close();
    const cut = await open(true);
    await cut.size();
    faulty.beginOf("open", 480, "EIO");
    // The tables have no room for these, so that all that they hold is merged.
    await expect(cut.addBatch(range(230_000, 300_000))).rejects.toMatchObject({
      code: "SEEN_FAILED",
    });
    await abandon(cut);
    for (const [at, end] of [
      [230_000, 240_000],
      [240_000, 250_000],
    ] as const) {
      faulty.begin(0, "");
      const set = await open(true);
      expect(await set.size()).toBe(at);
      expect(new Set(await set.addBatch(range(at, end)))).toEqual(new Set([1]));
      expect(new Set(await set.hasBatch(range(0, end)))).toEqual(new Set([1]));
      await set.close();
    }
    const again = await open(true);
    await again.size();
    faulty.beginOf("open", 200, "EIO");
    await expect(
      again.addBatch(range(0, 200_000).concat(range(400_000, 560_000))),
    ).rejects.toThrow();
    await abandon(again);
    faulty.begin(0, "");
    const last = await open(true);
    const there = await last.hasBatch(range(0, 250_000));
    expect(new Set(there)).toEqual(new Set([1]));
    const size = await last.size();
    const added = await last.addBatch(range(400_000, 560_000));
    expect(await last.size()).toBe(size + added.reduce((sum, isNew) => sum + isNew, 0));
    expect(new Set(await last.hasBatch(range(0, 250_000)))).toEqual(new Set([1]));
    await last.close();
    expect(faulty.open).toBe(0);
  },
  120_000,
);

testAtLength(
  "a set that is full again and again while merges are cut goes on",
  async () => {
    const rows = 950_000; // nearly what fits
    for (let life = 0; life < 3; life++) {
      faulty.begin(0, "");
      const set = await open(false);
      await set.enqueueBatch(range(life * rows, (life + 1) * rows));
      faulty.beginOf("open", life === 0 ? 250 : 490, "EIO"); // a file more for each partition that has one
      await expect(answersOf(set)).rejects.toMatchObject({ code: "SEEN_FAILED" });
      await abandon(set);
    }
    faulty.begin(0, "");
    const last = await open(false);
    let fresh = 0;
    for await (const { answers } of last.drain()) for (const answer of answers) fresh += answer;
    expect(fresh).toBe(3 * rows);
    await last.close();
  },
  120_000,
);

test("a log that is divided because memory is less may be cut at any call", async () => {
  const random = new Random(15);
  const count = 250_000;
  const options = { fsync: "close", immediate: true } as const;
  const openWith = (memory: number): Promise<SeenSet> =>
    SeenSet.open(disk(directory, { memory, ...options }));
  faulty.begin(0, "");
  const large = await openWith(2 ** 26);
  await large.addBatch(range(0, count));
  await large.close();
  for (let life = 0; life < atLength(4, 30); life++) {
    faulty.beginOf(
      random.pick(["open", "handle.write", "handle.datasync", "rm"]),
      1 + random.below(60),
      "EIO",
    );
    const cut = await openWith(MEMORY).catch(() => null);
    await cut?.size().catch(() => {});
    if (cut !== null) await abandon(cut);
    faulty.begin(0, "");
    const left = await openStored(directory);
    expect(await left.size()).toBe(count);
    await left.close();
  }
  const small = await openWith(MEMORY);
  expect(new Set(await small.addBatch(range(0, count)))).toEqual(new Set([0]));
  await small.close();
}, 120_000);
