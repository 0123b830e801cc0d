// At full length only: it cuts the power at many moments.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Fsync, journal, SeenSet } from "../../src/seen/index.ts";
import { atLength } from "../shared/length.ts";
import { filesAfterCut, type Moment } from "../shared/power-loss.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const disk = await vi.hoisted(async () => {
  const { RecordedDisk } = await import("../shared/power-loss.ts");
  return new RecordedDisk();
});
vi.mock("../../src/base/peer.ts", async (original) => {
  const peer = await original<typeof import("../../src/base/peer.ts")>();
  const wrapped = disk.wrap(peer.files());
  return { ...peer, files: () => wrapped };
});

/**
 * How many states are looked at for each moment, besides those where all or nothing is there. By
 * default one state of some moments, whichever; `npm run proof seen` looks at many.
 */
const STATES = Number(process.env["URLMILL_POWER_STATES"] ?? 0);
/** Of so many moments, one is looked at by default. */
const ODDS = atLength(40, 10);
const SIZE = 60;

const folder = tempFolder();
let directory = "";
let count = 0;
beforeEach(() => {
  directory = join(folder, `set-${count++}`);
});

const batch = (number: number): string[] =>
  Array.from({ length: SIZE }, (_, row) => `http://a.example/${number}/${row}`);

const isPromise = (note: string): boolean => /^\d+$/.test(note);

async function put(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  for (const [name, bytes] of files) await writeFile(join(directory, name), bytes);
}

/** Opens what a power cut left, and checks that all that was promised is there, and nothing else. */
async function check(files: ReadonlyMap<string, Uint8Array>, promised: number[]): Promise<void> {
  disk.end();
  await put(files);
  const set = await SeenSet.open(directory);
  let size = 0;
  for (let number = 0; number < 12; number++) {
    const has = await set.hasBatch(batch(number));
    const there = has.reduce((sum, isThere) => sum + isThere, 0);
    if (promised.includes(number)) expect(there, `batch ${number}`).toBe(SIZE);
    // A block is there or it is not.
    else expect([0, SIZE]).toContain(there);
    size += there;
  }
  expect(await set.size()).toBe(size);
  // It can be written to, and be read again.
  expect((await set.addBatch(batch(90))).includes(0)).toBe(false);
  await set.close();
  const again = await SeenSet.open(directory);
  expect(await again.size()).toBe(size + SIZE);
  expect((await again.stats()).cutBytes).toBe(0);
  await again.close();
}

async function checkMoments(
  moments: readonly Moment[],
  promisedBy: (notes: readonly string[]) => number[],
  random: Random,
): Promise<void> {
  for (const moment of moments) {
    const promised = promisedBy(moment.notes);
    if (STATES === 0) {
      const kept = random.pick(["all", "none", random, random] as const);
      if (random.chance(ODDS)) await check(filesAfterCut(moment, kept), promised);
      continue;
    }
    for (const kept of ["all", "none"] as const) await check(filesAfterCut(moment, kept), promised);
    if (moment.possible.length < 2) continue;
    for (let state = 0; state < STATES; state++) {
      await check(filesAfterCut(moment, random), promised);
    }
  }
}

const numbersIn = (notes: readonly string[]): number[] => notes.filter(isPromise).map(Number);

/** What was promised before the last of some notes. */
const before = (notes: readonly string[], note: string): readonly string[] =>
  notes.slice(0, notes.lastIndexOf(note) + 1);

/** A day in the life of a set. Notes the number of each batch once it is answered. */
async function live(fsync: Fsync, pause: () => Promise<void>): Promise<void> {
  const open = (): Promise<SeenSet> => SeenSet.open(journal(directory, { fsync }));
  const add = async (set: SeenSet, number: number): Promise<void> => {
    await set.addBatch(batch(number));
    disk.note(String(number));
  };
  let set = await open();
  for (const number of [0, 1, 2]) await add(set, number);
  await pause();
  for (const number of [3, 4]) await add(set, number);
  await set.compact();
  disk.note("synced");
  for (const number of [5, 6]) await add(set, number);
  await set.close();
  disk.note("synced");
  set = await open();
  for (const number of [7, 8, 9]) await add(set, number);
  await set.close();
  disk.note("synced");
}

describe.each(["batch", "second", "close"] as const)(
  "after a power cut, on disk by %s",
  (fsync) => {
    /** A second later at most, all that was answered is on disk. */
    const pause = async (): Promise<void> => {
      if (fsync !== "second") return;
      const isOnDisk = (): void => expect(disk.moments.at(-1)?.possible).toEqual([]);
      await vi.waitFor(isOnDisk, { timeout: 30_000 });
      disk.note("synced");
    };
    const promisedBy = (notes: readonly string[]): number[] =>
      numbersIn(fsync === "batch" ? notes : before(notes, "synced"));

    test("a set opens and has what it promised", async () => {
      await put(new Map());
      disk.begin(directory, new Map());
      await live(fsync, pause);
      disk.end();
      const moments = [...disk.moments];
      expect(numbersIn(moments.at(-1)?.notes ?? []).length).toBe(10);
      await checkMoments(moments, promisedBy, new Random(7));
    });

    test("a set whose process ended, or that was cut, and is cut again, has what it promised", async () => {
      await put(new Map());
      disk.begin(directory, new Map());
      const set = await SeenSet.open(journal(directory, { fsync: "close" }));
      for (const number of [0, 1, 2]) await set.addBatch(batch(number));
      const torn = disk.moments.at(-1) as Moment;
      await set.close();
      const random = new Random(8);
      for (let round = 0; round < atLength(2, 4) + STATES; round++) {
        disk.end();
        const isCut = round % 2 === 0;
        const files = filesAfterCut(torn, isCut ? random : "all");
        await put(files);
        disk.begin(directory, files, isCut ? undefined : "journal-1");
        const again = await SeenSet.open(journal(directory, { fsync }));
        const kept: number[] = [];
        for (const number of [0, 1, 2]) {
          if ((await again.hasBatch(batch(number)))[0] === 1) kept.push(number);
        }
        disk.note("opened");
        for (const number of [10, 11]) {
          await again.addBatch(batch(number));
          disk.note(String(number));
        }
        const moments = [...disk.moments];
        await again.close();
        // What was found on opening is on disk from then on.
        await checkMoments(
          moments,
          (notes) => [...(notes.includes("opened") ? kept : []), ...promisedBy(notes)],
          random,
        );
      }
    });
  },
);
