import { allEnded } from "../../base/handled.ts";
import { files, paths } from "../../base/peer.ts";
import { unmarkedRows } from "../../fingerprints/fingerprint-rows.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import { UNFINISHED } from "../folder/store-names.ts";
import { removeOldRuns } from "../pending/committed-run.ts";
import { checkSource, type FingerprintSource, refitted, requestFor } from "./compatibility.ts";
import { checkNotInUse, checkUnchanged } from "./convert.ts";
import { replaceSet } from "./install-set.ts";
import type { StoredKind } from "./kinds.ts";
import { checkDistinct } from "./merge.ts";
import { endRuns, openAny, openStored, saying, storedKind, takeStored } from "./open-stored.ts";

export interface Removed {
  /** Counts the fingerprints that were removed. */
  readonly removed: number;
  /** Counts the fingerprints to remove that the set did not have. */
  readonly missing: number;
  /** Counts the fingerprints that are left. */
  readonly size: number;
}

/**
 * Removes the fingerprints of sets and files of keys from a set, which is written anew and keeps its key. `listed`: makes a
 * set of the URLs of lists in a directory; null without lists. All have one key and the same options.
 *
 * After a crash the directory has the old set or the new one. Throws `SEEN_MISMATCH` for other keys, options or fewer bits,
 * `SEEN_LOCKED` if another process has the set open, `SEEN_CORRUPT`, `SEEN_FAILED`, `SET_FULL`, and an IoError. Then the old
 * set stays.
 */
export async function removeFromSet(
  directory: string,
  inputs: readonly string[],
  listed: KeepList | null,
): Promise<Removed> {
  await checkDistinct([directory, ...inputs]);
  await saying(directory, async () => endRuns(directory, await storedKind(directory)));
  const folder = await takeStored(directory);
  try {
    const set = await saying(directory, () => openToChange(folder));
    const keys = await saying(directory, () => keysOf(set, inputs));
    if (listed !== null) await addList(keys, set, listed);
    return await saying(directory, () => remove(set, keys));
  } finally {
    await saying(directory, () => folder.release());
  }
}

/** Makes a set of a list in a directory, with the key of the set to change. */
type KeepList = (directory: string) => Promise<void>;

/** A set that nobody else uses. */
interface LockedSet {
  readonly folder: SetFolder;
  readonly kind: StoredKind;
  readonly identity: SeenIdentity;
}

async function openToChange(folder: SetFolder): Promise<LockedSet> {
  const kind = await storedKind(folder.path);
  const identity = await kind.readIdentity(folder.path);
  await checkNotInUse(kind, folder.path);
  return { folder, kind, identity };
}

/** Returns the fingerprints to remove, of which only the bits that the set keeps are not 0. */
async function keysOf(set: LockedSet, inputs: readonly string[]): Promise<FingerprintSet> {
  const { folder, kind, identity } = set;
  const keys = new FingerprintSet({ ...requestFor(identity), bits: identity.bits });
  const kept = { bits: kind.bitsOf(identity), by: folder.path };
  const sources: StoredReader[] = [];
  try {
    for (const input of inputs) sources.push(await openAny(input));
    for (const source of sources) checkSource(source, { where: folder.path, identity }, kept);
    for (const source of sources) await addTo(keys, source, set);
  } finally {
    await allEnded(sources.map((source) => source.close()));
  }
  return keys;
}

/** Adds the fingerprints of a list, which becomes a set beside for that time. */
async function addList(keys: FingerprintSet, set: LockedSet, listed: KeepList): Promise<void> {
  const { path } = set.folder;
  const beside = set.folder.pathOf(UNFINISHED);
  const list = paths().join(beside, "list");
  const removeList = (): Promise<void> => files().rm(beside, { recursive: true, force: true });
  await saying(path, removeList);
  try {
    await listed(list);
    await saying(path, async () => {
      const source = await openStored(list);
      await addTo(keys, source, set).finally(() => source.close());
    });
  } finally {
    await saying(path, removeList);
  }
}

async function addTo(
  keys: FingerprintSet,
  source: StoredReader,
  { kind, identity }: LockedSet,
): Promise<void> {
  const [from, to, kept] = [source.bits / 8, identity.bits / 8, kind.bitsOf(identity) / 8];
  for await (const rows of source.fingerprints()) keys.add(refitted(rows, from, to, kept));
}

async function remove(set: LockedSet, keys: FingerprintSet): Promise<Removed> {
  const { kind, folder } = set;
  const kept = new KeptFingerprints(set, keys);
  const size = await replaceSet(set, kept, async (count) => {
    await checkUnchanged(kind, folder.path, count + kept.removed);
    return kept.removed > 0;
  });
  // The same run as one before must write its lines again.
  await removeOldRuns(folder.path, 0);
  return { removed: kept.removed, missing: keys.size - kept.removed, size };
}

/** Reads the fingerprints of a set but for those of `keys`, each with zeros for the bits that the set does not keep. */
class KeptFingerprints implements FingerprintSource {
  removed = 0;
  readonly bits: number;
  readonly #set: LockedSet;
  readonly #keys: FingerprintSet;

  constructor(set: LockedSet, keys: FingerprintSet) {
    this.bits = set.identity.bits;
    this.#set = set;
    this.#keys = keys;
  }

  async *fingerprints(): AsyncGenerator<Uint8Array, void, undefined> {
    const { kind, folder } = this.#set;
    const source = await kind.read(folder.path);
    try {
      const [from, to] = [source.bits / 8, this.bits / 8];
      for await (const read of source.fingerprints()) {
        const rows = refitted(read, from, to, from);
        const marks = this.#keys.has(rows);
        for (const mark of marks) this.removed += mark;
        yield unmarkedRows(rows, marks).fingerprints;
      }
    } finally {
      await source.close();
    }
  }
}
