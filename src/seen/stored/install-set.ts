import { UrlmillError } from "../../base/errors.ts";
import { files, paths } from "../../base/peer.ts";
import { FingerprintDigest } from "../../fingerprints/digest.ts";
import { makeDirectory, renameOver } from "../../io/files/directory.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import type { OpenSeenStore, SeenStore } from "../contract/store.ts";
import { openOwn } from "../folder/own-file.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import { isBesideSet, isThere, UNFINISHED } from "../folder/store-names.ts";
import { addAll, type FingerprintSource, refitted, requestFor } from "./compatibility.ts";
import type { StoredKind } from "./kinds.ts";

export interface NewSet {
  readonly folder: SetFolder;
  readonly kind: StoredKind;
  readonly identity: SeenIdentity;
}

/**
 * Makes a set of all fingerprints of some sources, in a directory that holds none of this kind. Returns their number. The
 * set is made in a folder of its own, read again, and then moved, its head last: after a crash the directory holds all of
 * it or nothing. Throws `SEEN_CORRUPT` if the copy is not the same, or if files would be overwritten.
 */
export async function installSet(set: NewSet, sources: readonly StoredReader[]): Promise<number> {
  const { folder, kind, identity } = set;
  const beside = folder.pathOf(UNFINISHED);
  await clearUnfinished(set);
  try {
    await folder.check();
    await makeDirectory(beside);
    const open = await kind.store(beside, requestFor(identity).maxBytes);
    const written = await fill(open, kind, identity, sources);
    await checkCopy(kind, beside, written);
    await moveIn(set, beside);
    await folder.check();
    await files().rm(beside, { recursive: true });
    return written.count;
  } catch (error) {
    // What cannot be removed here is removed by the next call. The first error says more.
    await Promise.allSettled([clearUnfinished(set)]);
    throw error;
  }
}

/**
 * Puts a set of all fingerprints of a source in the place of one of the same kind, as `installSet` makes one. Returns their
 * number. `isWanted`: is called when it is complete and before anything is moved; if it answers false, the old set stays.
 * The head takes its place in one step, so after a crash the directory holds the old set or the new one.
 */
export async function replaceSet(
  set: NewSet,
  source: FingerprintSource,
  isWanted: (count: number) => Promise<boolean>,
): Promise<number> {
  const { folder, kind, identity } = set;
  const beside = folder.pathOf(UNFINISHED);
  try {
    await folder.check();
    await files().rm(beside, { recursive: true, force: true });
    await makeDirectory(beside);
    const open = await kind.successor(beside, folder.path, requestFor(identity).maxBytes);
    const written = await fill(open, kind, identity, [source]);
    await checkCopy(kind, beside, written);
    if (await isWanted(written.count)) await replace(set, beside);
    return written.count;
  } finally {
    await files().rm(beside, { recursive: true, force: true });
  }
}

async function replace(set: NewSet, beside: string): Promise<void> {
  const { folder, kind } = set;
  const carried = await kind.carry(beside, folder.path);
  const before = await ownFiles(kind, folder.path);
  const stay = [...carried, ...(await ownFiles(kind, beside))];
  await moveIn(set, beside);
  // What a crash leaves of the old set is removed when the new one is opened.
  for (const name of before.filter((each) => !stay.includes(each))) await folder.remove(name);
}

/** Removes what a crash left. Throws `SEEN_CORRUPT` if a file has a name that is needed. */
export async function clearUnfinished({ folder, kind }: Omit<NewSet, "identity">): Promise<void> {
  await folder.check();
  const beside = folder.pathOf(UNFINISHED);
  const inTheWay = await ownFiles(kind, folder.path);
  // Its head comes last, so what is there without it was moved from there.
  const isOurs = await isThere(paths().join(beside, kind.head));
  const [first] = inTheWay;
  if (first !== undefined && !isOurs) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${folder.path} holds ${first} and no ${kind.head}: move it away`,
    );
  }
  for (const name of inTheWay) await files().rm(folder.pathOf(name));
  await files().rm(beside, { recursive: true, force: true });
}

/** Removes a set from a directory, its head first, so that half of it is no set. */
export async function removeSet({ folder, kind }: Omit<NewSet, "identity">): Promise<void> {
  await folder.check();
  await files().rm(folder.pathOf(kind.head));
  await folder.sync();
  for (const name of await ownFiles(kind, folder.path)) await files().rm(folder.pathOf(name));
}

async function fill(
  open: OpenSeenStore,
  kind: StoredKind,
  identity: SeenIdentity,
  sources: readonly FingerprintSource[],
): Promise<FingerprintDigest> {
  const bits = kind.bitsOf(identity);
  const store = await open(requestFor(identity));
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
async function moveIn({ folder, kind }: NewSet, beside: string): Promise<void> {
  const names = (await ownFiles(kind, beside)).filter((name) => name !== kind.head);
  for (const name of [...names, kind.head]) await syncFile(paths().join(beside, name));
  const move = (name: string): Promise<void> =>
    renameOver(paths().join(beside, name), folder.pathOf(name));
  await folder.check();
  for (const name of names) await move(name);
  await folder.sync();
  await move(kind.head);
  await folder.sync();
}

async function syncFile(name: string): Promise<void> {
  const file = await openOwn(name, "r+");
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
export async function checkEmpty(folder: SetFolder): Promise<void> {
  const other = (await folder.names()).find((name) => name !== UNFINISHED && !isBesideSet(name));
  if (other === undefined) return;
  throw new UrlmillError(
    "SEEN_CORRUPT",
    `${folder.path} holds ${other} and no set: give a directory of the set's own`,
  );
}
