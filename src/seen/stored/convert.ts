import { UrlmillError } from "../../base/errors.ts";
import type { FingerprintDigest } from "../../fingerprints/digest.ts";
import type { StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import { DISPLAY_NAMES, interrupted, type StoreName, storesIn } from "../folder/store-names.ts";
import { checkSource } from "./compatibility.ts";
import { clearUnfinished, digestOf, installSet, removeSet } from "./install-set.ts";
import { KINDS, type StoredKind } from "./kinds.ts";
import { endRuns, notASet, storedKind, takeStored } from "./open-stored.ts";

/**
 * Makes a set in a directory one of another kind, with the same key and fingerprints. Returns their number. The new set is
 * complete and on disk before the old one is removed; after a crash the directory holds the old one or both. Then the same
 * call ends what was begun.
 *
 * Throws `SEEN_MISMATCH` if it is of that kind already, `SEEN_LOCKED` if another process has it open, `SEEN_CORRUPT` if it
 * is damaged, and `SEEN_FAILED` if the system refuses a call. Then the old set stays.
 */
export async function convertSet(directory: string, to: StoreName): Promise<number> {
  try {
    const stores = await storesIn(directory);
    if (stores.length === 0) throw notASet(directory);
    if (stores.length === 1) await endRuns(directory, await storedKind(directory));
    const folder = await takeStored(directory);
    try {
      return await convertLocked(folder, to);
    } finally {
      await folder.release();
    }
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

async function convertLocked(folder: SetFolder, to: StoreName): Promise<number> {
  const directory = folder.path;
  const stores = await storesIn(directory);
  if (stores.length > 1) return finish(folder, stores, to);
  const from = await storedKind(directory);
  if (from.name !== to) return convert(folder, from, KINDS[to]);
  throw new UrlmillError("SEEN_MISMATCH", `${directory} is ${DISPLAY_NAMES[to]} already`);
}

async function convert(folder: SetFolder, from: StoredKind, kind: StoredKind): Promise<number> {
  const directory = folder.path;
  const source = await from.read(directory);
  let count: number;
  try {
    await checkNotInUse(from, directory);
    const bits = kind.bitsOf(source.identity);
    checkSource(source, source, { bits, by: DISPLAY_NAMES[kind.name] });
    count = await installSet({ folder, kind, identity: source.identity }, [source]);
  } finally {
    await source.close();
  }
  try {
    await checkUnchanged(from, directory, count);
  } catch (error) {
    await removeSet({ folder, kind });
    throw error;
  }
  await removeSet({ folder, kind: from });
  return count;
}

/** Throws `SEEN_LOCKED` if another process has a shared set open, as far as the system tells. */
export async function checkNotInUse(kind: StoredKind, directory: string): Promise<void> {
  const user = await kind.user(directory);
  if (user === null) return;
  throw new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process (${user})`);
}

/** Throws `SEEN_LOCKED` if a shared set has not so many fingerprints any more as were read of it. */
export async function checkUnchanged(
  kind: StoredKind,
  directory: string,
  count: number,
): Promise<void> {
  if (!kind.isShared) return;
  const size = await using(kind, directory, (set) => set.size());
  if (size === count) return;
  throw new UrlmillError(
    "SEEN_LOCKED",
    `${directory} was written to while it was read: end the processes that use it, then try again`,
  );
}

/** Ends a conversion that was interrupted: keeps the set of kind `to`, if the other one holds the same. */
async function finish(
  folder: SetFolder,
  stores: readonly StoreName[],
  to: StoreName,
): Promise<number> {
  const directory = folder.path;
  const other = stores.find((name) => name !== to) as StoreName;
  if (!stores.includes(to)) throw interrupted(directory, stores);
  const identity = await KINDS[to].readIdentity(directory);
  const bits = Math.min(KINDS[to].bitsOf(identity), KINDS[other].bitsOf(identity));
  const digest = (set: StoredReader): Promise<FingerprintDigest> => digestOf(set, bits);
  const kept = await using(KINDS[to], directory, digest);
  const old = await using(KINDS[other], directory, digest);
  if (!kept.equals(old)) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${directory} holds ${DISPLAY_NAMES[to]} of ${kept.count} URLs and ${DISPLAY_NAMES[other]} of ${old.count} that is not the same: move the files of one away`,
    );
  }
  await removeSet({ folder, kind: KINDS[other] });
  await clearUnfinished({ folder, kind: KINDS[other] });
  return kept.count;
}

async function using<T>(
  kind: StoredKind,
  directory: string,
  use: (set: StoredReader) => Promise<T>,
): Promise<T> {
  const set = await kind.read(directory);
  try {
    return await use(set);
  } finally {
    await set.close();
  }
}
