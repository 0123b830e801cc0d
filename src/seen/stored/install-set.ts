import { UrlmillError } from "../../base/errors.ts";
import { files, paths } from "../../base/peer.ts";
import { makeDirectory, renameOver, syncDirectory } from "../../io/files/directory.ts";
import type { SeenIdentity } from "../identity.ts";
import { LOCK_FILE } from "../journal/lock.ts";
import { FingerprintDigest } from "../memory/digest.ts";
import type { SeenStore } from "../store.ts";
import { addAll } from "./add-all.ts";
import { isOfSystem, isThere } from "./heads.ts";
import { refitted, requestFor } from "./kin.ts";
import type { StoredKind } from "./kinds.ts";
import type { StoredReader } from "./reader.ts";

/** Names the folder in which a set is made, in the directory that will hold it. */
export const UNFINISHED = "unfinished";

/** Says what is made, and where. */
export interface NewSet {
  /** Names the directory. Whoever makes a set there has its lock. */
  readonly directory: string;
  readonly kind: StoredKind;
  readonly identity: SeenIdentity;
}

/**
 * Makes a set of all fingerprints of some sources, in a directory that holds none of this kind. Returns their number. The
 * set is made in a folder of its own, read again, and then moved, its head last: after a crash the directory holds all of
 * it or nothing. Throws `SEEN_CORRUPT` if the copy is not the same, or if files would be overwritten.
 */
export async function installSet(set: NewSet, sources: readonly StoredReader[]): Promise<number> {
  const beside = paths().join(set.directory, UNFINISHED);
  await clearUnfinished(set);
  try {
    await makeDirectory(beside);
    const written = await fill({ ...set, directory: beside }, sources);
    await checkCopy(set.kind, beside, written);
    await moveIn(set, beside);
    await files().rm(beside, { recursive: true });
    return written.count;
  } catch (error) {
    // What cannot be removed here is removed by the next call. The first error says more.
    await Promise.allSettled([clearUnfinished(set)]);
    throw error;
  }
}

/** Removes what a crash left. Throws `SEEN_CORRUPT` if a file has a name that is needed. */
export async function clearUnfinished({
  directory,
  kind,
}: Omit<NewSet, "identity">): Promise<void> {
  const beside = paths().join(directory, UNFINISHED);
  const inTheWay = await ownFiles(kind, directory);
  // Its head comes last, so what is there without it was moved from there.
  const isOurs = await isThere(paths().join(beside, kind.head));
  const [first] = inTheWay;
  if (first !== undefined && !isOurs) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${directory} holds ${first} and no ${kind.head}: move it away`,
    );
  }
  for (const name of inTheWay) await files().rm(paths().join(directory, name));
  await files().rm(beside, { recursive: true, force: true });
}

/** Removes a set from a directory, its head first, so that half of it is no set. */
export async function removeSet({ directory, kind }: Omit<NewSet, "identity">): Promise<void> {
  await files().rm(paths().join(directory, kind.head));
  await syncDirectory(directory);
  for (const name of await ownFiles(kind, directory)) {
    await files().rm(paths().join(directory, name));
  }
}

async function fill(set: NewSet, sources: readonly StoredReader[]): Promise<FingerprintDigest> {
  const { kind, directory, identity } = set;
  const bits = kind.bitsOf(identity);
  const store = await openStore(kind, directory, identity);
  const digest = new FingerprintDigest(digestBytes(bits) * 8);
  try {
    for (const source of sources) {
      await addAll(store, bits, source, (rows) => addTo(digest, rows, identity.bits, bits));
    }
  } finally {
    await store.close();
  }
  return digest;
}

/** Throws `SEEN_CORRUPT` if a set does not hold what was written to it. */
async function checkCopy(
  kind: StoredKind,
  directory: string,
  written: FingerprintDigest,
): Promise<void> {
  const copy = await kind.read(directory);
  try {
    const read = await digestOf(copy);
    if (read.equals(written)) return;
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${directory}: the copy does not hold the same fingerprints (${read.count} of ${written.count}), so it is not used`,
    );
  } finally {
    await copy.close();
  }
}

/** Returns the digest of the first `kept` bits of all fingerprints of a set. */
export async function digestOf(set: StoredReader, kept = set.bits): Promise<FingerprintDigest> {
  const digest = new FingerprintDigest(digestBytes(kept) * 8);
  for await (const rows of set.fingerprints()) addTo(digest, rows, set.bits, kept);
  return digest;
}

/** Counts the bytes of fingerprints of so many bits in a digest: whole words. */
function digestBytes(bits: number): number {
  return 4 * Math.ceil(bits / 32);
}

/** Adds the first `kept` bits of fingerprints to a digest. */
function addTo(digest: FingerprintDigest, rows: Uint8Array, bits: number, kept: number): void {
  digest.add(refitted(rows, bits / 8, digestBytes(kept), kept / 8));
}

/** Opens a store to add fingerprints to it. */
export async function openStore(
  kind: StoredKind,
  directory: string,
  identity: SeenIdentity,
): Promise<SeenStore> {
  const request = requestFor(identity);
  const open = await kind.store(directory, request.maxBytes);
  return open(request);
}

/** Moves the files of a set from a folder to its directory, each on disk before, and the head last. */
async function moveIn({ directory, kind }: NewSet, beside: string): Promise<void> {
  const names = (await ownFiles(kind, beside)).filter((name) => name !== kind.head);
  for (const name of [...names, kind.head]) await syncFile(paths().join(beside, name));
  const move = (name: string): Promise<void> =>
    renameOver(paths().join(beside, name), paths().join(directory, name));
  for (const name of names) await move(name);
  await syncDirectory(directory);
  await move(kind.head);
  await syncDirectory(directory);
}

async function syncFile(name: string): Promise<void> {
  const file = await files().open(name, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function ownFiles(kind: StoredKind, directory: string): Promise<string[]> {
  return (await files().readdir(directory)).filter((name) => kind.ownFiles.test(name));
}

/** Throws `SEEN_CORRUPT` if a directory in which a set is to be made has files of something else. */
export async function checkEmpty(directory: string): Promise<void> {
  const known = [LOCK_FILE, UNFINISHED];
  const other = (await files().readdir(directory)).find(
    (name) => !known.includes(name) && !isOfSystem(name),
  );
  if (other === undefined) return;
  throw new UrlmillError(
    "SEEN_CORRUPT",
    `${directory} holds ${other} and no set: give a directory of the set's own`,
  );
}
