import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SeenIdentity } from "../../src/seen/contract/identity.ts";
import { STORE_NAMES, type StoreName } from "../../src/seen/folder/store-names.ts";
import { type SeenOptions, SeenSet } from "../../src/seen/index.ts";
import { KINDS } from "../../src/seen/stored/kinds.ts";
import { openStored } from "../../src/seen/stored/open-stored.ts";

/** Returns URLs of a number. */
export function urlsOf(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, row) => `http://a.example/${first + row}`);
}

/** Opens a stored set of some kind. */
export async function openSet(
  kind: StoreName,
  directory: string,
  options: SeenOptions = {},
): Promise<SeenSet> {
  return SeenSet.open(await KINDS[kind].store(directory, 1 << 25), options);
}

/** Makes a stored set of some kind, or adds to one. */
export async function fillSet(
  kind: StoreName,
  directory: string,
  urls: readonly string[],
  options: SeenOptions = {},
): Promise<void> {
  const set = await openSet(kind, directory, options);
  await set.addBatch(urls);
  await set.close();
}

/** Makes a set on disk with some URLs in partitions, some in a log, and rows that wait with payloads. */
export async function newDiskSet(
  directory: string,
  urls: readonly string[],
  waiting: readonly string[],
): Promise<void> {
  const set = await openSet("disk", directory);
  await set.enqueueBatch(urls.slice(0, urls.length / 2));
  for await (const { commit } of set.drain()) await commit();
  await set.addBatch(urls.slice(urls.length / 2));
  await set.enqueueBatch(waiting, { payload: "url" });
  await set.close();
}

/** Drains the rows of a set on disk: number, answer and payload of each. */
export async function rowsOf(directory: string): Promise<(readonly [number, number, string])[]> {
  const set = await openSet("disk", directory);
  const rows: (readonly [number, number, string])[] = [];
  for await (const { row, answers, payloads, commit } of set.drain()) {
    for (const [at, answer] of answers.entries()) {
      rows.push([row + at, answer, Buffer.from(payloads?.[at] ?? []).toString()]);
    }
    await commit();
  }
  await set.close();
  return rows;
}

/** Does all that reads and writes the files of a set. Returns the code of the first error, or null. */
export async function useAll(kind: StoreName, set: string): Promise<string | null> {
  try {
    const reader = await openStored(set);
    try {
      for await (const _ of reader.fingerprints());
    } finally {
      await reader.close();
    }
    const opened = await openSet(kind, set);
    try {
      await opened.addBatch(urlsOf(0, 9));
      if (kind === "disk") for await (const { commit } of opened.drain()) await commit();
    } finally {
      await opened.close();
    }
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Puts files into a new directory, by their paths in it. */
export async function putFiles(
  directory: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), bytes);
  }
}

/** Returns whether a set of one kind can become one of another: not if that has more bits of each fingerprint. */
export function fits(from: StoreName, to: StoreName): boolean {
  const bits = (kind: StoreName): number => KINDS[kind].bitsOf({ bits: 128 } as SeenIdentity);
  return bits(from) >= bits(to);
}

/** The kinds that can keep fingerprints of 64 bits. */
export const OF_64_BITS = STORE_NAMES.filter((kind) => fits(kind, "journal"));
