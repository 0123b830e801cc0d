import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { openLocked } from "../../io/files/system-lock.ts";
import { inSteps, type SteppedStore } from "../contract/in-steps.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { openOwn, ownFlags, statOwn } from "../folder/own-file.ts";
import { Spread } from "../folder/spread.ts";
import { type CommittedRun, isKeysName, readRuns, removeOldRuns } from "./committed-run.ts";
import { piecesOf } from "./key-pieces.ts";

/** The bytes of a fingerprint that choose its place in a table of sets in memory. */
const HOME = 6;

/** Takes the keys of a run. Closing it makes them durable. */
export interface KeyTaker extends Pick<SteppedStore, "identity" | "rowsPerCall" | "add"> {
  close(): Promise<void>;
}

/**
 * Ends what runs left in the directory of a set: adds the keys of those whose output is in its place, and removes those of
 * runs that died before. Call it before the set is opened. `open`: opens the set to add keys. Throws `SEEN_CORRUPT`, and what
 * opening the set throws.
 */
export async function finishRuns(directory: string, open: () => Promise<KeyTaker>): Promise<void> {
  try {
    const pending = await keysIn(directory);
    if (pending.length === 0) return;
    const runs = await readRuns(directory);
    for (const name of pending) {
      const path = paths().join(directory, name);
      const run = runs.find(({ keys }) => keys.name === name);
      if (run === undefined) await removeUnlocked(path);
      else await addKeys(path, run, await open());
    }
    await removeOldRuns(directory);
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Returns whether the keys of a run whose output is in its place are still to be added to a set. */
export async function lacksKeys(directory: string): Promise<boolean> {
  const pending = await keysIn(directory);
  const runs = pending.length === 0 ? [] : await readRuns(directory);
  return runs.some(({ keys }) => pending.includes(keys.name));
}

/** Returns whether runs have left keys in a directory, or are under way. */
export async function hasKeysOfRuns(directory: string): Promise<boolean> {
  return (await keysIn(directory)).length > 0;
}

async function keysIn(directory: string): Promise<string[]> {
  try {
    return (await files().readdir(directory)).filter(isKeysName);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error; // opening the set reports these
    return [];
  }
}

/**
 * Removes the keys of a run that has died. Those of a run that goes on are locked. Keys that cannot be locked here stay: they
 * are never added, and another process can remove them.
 */
async function removeUnlocked(path: string): Promise<void> {
  const file = await openLocked(path, ownFlags("r+")).catch(() => null);
  if (file === null) return;
  await files().rm(path, { force: true });
  await file.close();
}

/** Adds the keys of a run to its set, and removes their file when they are durable. */
async function addKeys(path: string, run: CommittedRun, set: KeyTaker): Promise<void> {
  try {
    const { profileId, bits } = set.identity;
    if (run.profileId !== profileId || run.bits !== bits) throw damaged(path, "is of another set");
    await eachPiece(path, run, async (piece) => {
      await inSteps(set, piece, (part) => set.add(part));
    });
  } finally {
    await set.close();
  }
  await files().rm(path, { force: true });
}

/** Hands all keys to `take`, after it has compared their checksum. Another process may have added and removed them. */
async function eachPiece(
  path: string,
  { bits, keys: { bytes, checksum } }: CommittedRun,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  if ((await statOwn(path)) === null) return;
  const width = bits / 8;
  const file = await openOwn(path, "r");
  try {
    let [found, length] = [0, 0];
    const spread = new Spread(bytes / width, path);
    for await (const piece of piecesOf(file, bytes)) {
      spread.add(piece, width, HOME);
      found = builtin("node:zlib").crc32(piece, found);
      length += piece.length;
    }
    if (length !== bytes || found !== checksum) throw damaged(path, "does not have its keys");
    for await (const piece of piecesOf(file, bytes)) await take(piece);
  } finally {
    await file.close();
  }
}

function damaged(path: string, why: string): UrlmillError {
  return new UrlmillError(
    "SEEN_CORRUPT",
    `${path} ${why}: remove it; lines of the run that wrote it may come again`,
  );
}
