import { UrlmillError } from "../../base/errors.ts";
import { files } from "../../base/peer.ts";
import { shellWord } from "../../base/shell-word.ts";
import { say } from "../../io/say.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { type Lock, lockToRead } from "../folder/lock.ts";
import { SetFolder } from "../folder/set-folder.ts";
import {
  DISPLAY_NAMES,
  HEADS,
  interrupted,
  type StoreName,
  storesIn,
} from "../folder/store-names.ts";
import { readKeys } from "../keys/key-file.ts";
import { hasKeysOfRuns, lacksKeys } from "../pending/finish-runs.ts";
import { openStore } from "./install-set.ts";
import { KINDS, type StoredKind } from "./kinds.ts";

/**
 * Returns the kind of the set that a directory holds, or null if it holds none. Throws `SEEN_CORRUPT` if it holds two.
 */
export async function kindIn(directory: string): Promise<StoredKind | null> {
  try {
    const stores = await storesIn(directory);
    if (stores.length > 1) throw interrupted(directory, stores);
    return stores[0] === undefined ? null : KINDS[stores[0]];
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Returns the kind of the set that a directory holds, or `wanted` for a new one. Throws `SEEN_MISMATCH` for another kind. */
export async function kindFor(
  directory: string,
  wanted: StoreName | undefined,
  otherwise: StoreName = "journal",
): Promise<StoredKind> {
  const kind = await kindIn(directory);
  if (kind === null) return KINDS[wanted ?? otherwise];
  if (wanted === undefined || kind.name === wanted) return kind;
  throw new UrlmillError(
    "SEEN_MISMATCH",
    `${directory} is ${DISPLAY_NAMES[kind.name]}, not ${DISPLAY_NAMES[wanted]}: urlmill seen convert ${shellWord(directory)} --store ${wanted} makes it one`,
  );
}

/** Returns the kind of the set that a directory holds. Throws `SEEN_CORRUPT` if it holds none. */
export async function storedKind(directory: string): Promise<StoredKind> {
  const kind = await kindIn(directory);
  if (kind !== null) return kind;
  throw notASet(directory);
}

export function notASet(directory: string): UrlmillError {
  const heads = Object.values(HEADS);
  const words = `${heads.slice(0, -1).join(", ")} or ${heads.at(-1)}`;
  return new UrlmillError("SEEN_CORRUPT", `${directory} is not a seen set: it has no ${words}`);
}

/**
 * Opens the set in a directory to read it. A set that only one process may open is locked against writers; nothing is written
 * to its files. Throws `SEEN_CORRUPT`, `SEEN_FAILED`, and `SEEN_LOCKED` if another process writes to it.
 */
export async function openStored(directory: string): Promise<StoredReader> {
  const { isShared } = await storedKind(directory);
  if (await saying(directory, lacksKeys)) {
    say(
      `${directory}: the keys of a run are not in the set yet; the next run with --seen adds them`,
    );
  }
  const lock = isShared ? null : await saying(directory, lockToRead);
  try {
    // Another process may have converted the set before we had the lock.
    const kind = await storedKind(directory);
    return closingLock(await kind.read(directory), lock);
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Adds the keys that runs left in the directory of a set, as opening it to add others does. */
export async function endRuns(directory: string, kind: StoredKind): Promise<void> {
  if (!(await hasKeysOfRuns(directory))) return;
  const set = await openStore(kind, directory, await kind.readIdentity(directory));
  await set.close();
}

/** Takes the folder of a set to change it. Throws `SEEN_LOCKED`, and `SEEN_FAILED` if the system refuses a call. */
export function takeStored(directory: string): Promise<SetFolder> {
  return saying(directory, SetFolder.take);
}

/** Throws an error of the system as one of the set. */
export async function saying<T>(
  directory: string,
  call: (directory: string) => Promise<T>,
): Promise<T> {
  try {
    return await call(directory);
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Makes a reader release a lock when it is closed. */
function closingLock(reader: StoredReader, lock: Pick<Lock, "release"> | null): StoredReader {
  const close = reader.close.bind(reader);
  return Object.assign(reader, {
    close: () => close().finally(() => lock?.release()),
  });
}

/** Opens a set in a directory, with its lock, or a file of keys, to read it. Throws what `openStored` and `readKeys` throw. */
export async function openAny(where: string): Promise<StoredReader> {
  return (await isDirectory(where)) ? openStored(where) : readKeys(where);
}

/** Returns what a set in a directory or a file of keys was made with. It takes no lock. Throws `SEEN_CORRUPT`. */
export async function identityOfAny(where: string): Promise<SeenIdentity> {
  if (await isDirectory(where)) {
    const kind = await storedKind(where);
    return kind.readIdentity(where);
  }
  return (await readKeys(where)).identity;
}

async function isDirectory(where: string): Promise<boolean> {
  try {
    return (await files().stat(where)).isDirectory();
  } catch (error) {
    throw storeFailed(where, error);
  }
}
