import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { HOME } from "../../fingerprints/table.ts";
import { removeUnlocked } from "../../io/files/system-lock.ts";
import { inSteps, type SteppedStore } from "../contract/store.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { openIfThere, ownFlags } from "../folder/own-file.ts";
import { Spread } from "../folder/spread.ts";
import { type CommittedRun, isKeysName, runOfKeys } from "./committed-run.ts";
import { piecesOf } from "./pending-keys.ts";

/** Takes the keys of a run. Closing it makes them durable. */
export interface KeyTaker extends Pick<SteppedStore, "identity" | "rowsPerCall" | "add"> {
  close(): Promise<void>;
}

/**
 * Ends what runs left in the directory of a set: adds the keys of those whose output is in its place, and removes those of
 * runs that died before. Call it before the set is opened. `open`: opens the set to add keys, which also refuses a directory
 * that holds something else. Throws `SEEN_CORRUPT`, and what opening the set throws.
 */
export async function finishRuns(directory: string, open: () => Promise<KeyTaker>): Promise<void> {
  try {
    if (!(await hasKeysOfRuns(directory))) return;
    const set = await open();
    const added: string[] = [];
    try {
      for (const name of await keysIn(directory)) {
        if (await finishRun(directory, name, set)) added.push(name);
      }
    } finally {
      await set.close(); // makes them durable
    }
    for (const name of added) await files().rm(paths().join(directory, name), { force: true });
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Adds the keys of a run, or removes them if it has died before its record. Returns whether they are added. */
async function finishRun(directory: string, name: string, set: KeyTaker): Promise<boolean> {
  const path = paths().join(directory, name);
  let run = await runOfKeys(directory, name);
  if (run === null) {
    // A run that goes on has the lock. One that has died meanwhile may have left its record.
    await removeUnlocked(path, ownFlags("r+"), async () => {
      run = await runOfKeys(directory, name);
      return run === null;
    });
  }
  if (run === null) return false;
  await addKeys(path, run, set);
  return true;
}

/** Returns whether the keys of a run whose output is in its place are still to be added to a set. */
export async function lacksKeys(directory: string): Promise<boolean> {
  for (const name of await keysIn(directory)) {
    if ((await runOfKeys(directory, name)) !== null) return true;
  }
  return false;
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
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return []; // opening the set reports these
  }
}

async function addKeys(path: string, run: CommittedRun, set: KeyTaker): Promise<void> {
  const { profileId, bits } = set.identity;
  if (run.profileId !== profileId || run.bits !== bits) throw damaged(path, "is of another set");
  await eachPiece(path, run, async (piece) => {
    await inSteps(set, piece, (part) => set.add(part));
  });
}

/** Hands all keys to `take`, after it has compared their checksum. Another process may have added and removed them. */
async function eachPiece(
  path: string,
  { bits, keys: { bytes, checksum } }: CommittedRun,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const file = await openIfThere(path, "r");
  if (file === null) return;
  const width = bits / 8;
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
