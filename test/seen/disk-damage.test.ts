// At full length only: it damages files.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { UrlmillError } from "../../src/index.ts";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** Of so many bits, one is flipped. `npm run proof seen` takes a smaller number. */
const STEP = Number(process.env["URLMILL_FLIP_STEP"] ?? atLength(30_000, 1_200));

const folder = tempFolder();
const directory = join(folder, "set");

const open = (immediate: boolean): Promise<SeenSet> =>
  SeenSet.open(disk(directory, { memory: 1 << 24, immediate }));
const urlOf = (number: number): string => `http://a.example/${number}`;

/** The rows that a drain must give back: URL, answer, payload. */
const ROWS = [
  [urlOf(0), 0, true],
  [urlOf(3), 1, true],
  ["x", 3, true],
  [urlOf(4), 0, false],
  [urlOf(5), 1, false],
  [urlOf(6), 1, true],
  [urlOf(6), 0, true],
] as const;

/** The files of a small set that was closed: keys in partitions and in a log, rows that are answered, rows that wait. */
let files: ReadonlyMap<string, Buffer>;
beforeAll(async () => {
  const seen = await open(true);
  const enqueue = async (first: number, end: number): Promise<void> => {
    const rows = ROWS.slice(first, end);
    const options = rows[0]?.[2] === true ? { payload: "url" as const } : {};
    await seen.enqueueBatch(
      rows.map(([url]) => url),
      options,
    );
  };
  await seen.addBatch([0, 1, 2].map(urlOf));
  await enqueue(0, 3);
  await seen.addBatch([urlOf(4)]);
  await enqueue(3, 5);
  await enqueue(5, 7);
  await seen.close();
  const names = (await readdir(directory)).filter((name) => name !== "lock");
  files = new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(directory, name))] as const),
    ),
  );
});

function put(changed: string, bytes: Uint8Array | null): void {
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  for (const [name, own] of files) {
    const content = name === changed ? bytes : own;
    if (content !== null) writeFileSync(join(directory, name), content);
  }
}

async function has(set: SeenSet): Promise<number[]> {
  return [...(await set.hasBatch(Array.from({ length: 9 }, (_, number) => urlOf(number))))];
}

async function drained(set: SeenSet): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { row, answers, payloads } of set.drain()) {
    expect(row).toBe(rows.length);
    for (const [index, answer] of answers.entries()) {
      const url = ROWS[row + index]?.[0];
      if (payloads !== null) expect(Buffer.from(payloads[index] ?? []).toString()).toBe(url);
      rows.push([url, answer, payloads !== null]);
    }
  }
  return rows;
}

/** Asks about everything, in one shape or the other. */
async function askAll(random: Random): Promise<void> {
  const isImmediate = random.chance(2);
  const set = await open(isImmediate);
  try {
    if (isImmediate && random.chance(2))
      expect(await has(set)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect(await drained(set)).toEqual(ROWS);
    expect(await set.stats()).toMatchObject({ nextRow: 7, settledRow: 0, size: 7 });
    if (isImmediate) expect(await has(set)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
  } finally {
    await set.close().catch(() => {}); // it throws the error of the call again
  }
}

/** Returns whether a set with a changed file is refused. If it is not, all answers are right. */
async function isRefused(name: string, bytes: Uint8Array | null, random: Random): Promise<boolean> {
  put(name, bytes);
  try {
    await askAll(random);
    return false;
  } catch (error) {
    if (!(error instanceof UrlmillError)) throw error;
    expect([error.code, error.message.includes(name)]).toEqual(["SEEN_CORRUPT", true]);
    return true;
  }
}

const kindOf = (name: string): string => name.replace(/[.\d]+$/, "");

test("a flipped bit in any file is found, or changes no answer", async () => {
  const random = new Random(31);
  const refused = new Map<string, number>();
  let bit = random.below(STEP);
  for (const [name, bytes] of files) {
    for (; bit < 8 * bytes.length; bit += STEP) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      if (await isRefused(name, flipped, random)) {
        const kind = kindOf(name);
        refused.set(kind, (refused.get(kind) ?? 0) + 1);
      }
    }
    bit -= 8 * bytes.length;
  }
  console.log(Object.fromEntries(refused));
  expect(refused.get("p")).toBeGreaterThan(0);
}, 3_600_000);

/** Returns the files, or only one of each kind. */
function someFiles(): (readonly [string, Buffer])[] {
  const ofKinds = new Map([...files].map((file) => [kindOf(file[0]), file]));
  return atLength([...ofKinds.values()], [...files]);
}

test("a file that is missing, empty or cut is found, or changes no answer", async () => {
  const random = new Random(32);
  for (const [name, bytes] of someFiles()) {
    expect([name, await isRefused(name, null, random)]).toEqual([name, true]);
    expect([name, await isRefused(name, new Uint8Array(0), random)]).toEqual([
      name,
      bytes.length > 0,
    ]);
    for (let cut = 0; cut < atLength(0, 8); cut++) {
      const length = random.below(bytes.length + 1);
      await isRefused(name, bytes.subarray(0, length), random);
    }
    await isRefused(name, bytes.subarray(0, Math.max(0, bytes.length - 1)), random);
    await isRefused(name, Buffer.concat([bytes, Buffer.alloc(100)]), random);
  }
}, 240_000);
