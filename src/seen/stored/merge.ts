import { UrlmillError } from "../../base/errors.ts";
import { allEnded } from "../../base/handled.ts";
import { files } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { DISPLAY_NAMES, STORE_NAMES, type StoreName } from "../folder/store-names.ts";
import { addAll, type ComparableSet, checkComparable, checkSource } from "./compatibility.ts";
import { checkEmpty, clearUnfinished, installSet, openStore } from "./install-set.ts";
import type { StoredKind } from "./kinds.ts";
import { kindFor, kindIn, openAny, takeStored } from "./open-stored.ts";

export interface MergeOptions {
  /** Names its kind, by default that of the first input. A set of another kind is refused. */
  readonly store?: StoreName | undefined;
  /** Has its key, bits and options; by default the first input has. */
  readonly like?: ComparableSet | undefined;
}

export interface Merged {
  /** Counts the fingerprints that the set did not have. */
  readonly added: number;
  /** Counts all fingerprints of the set. */
  readonly size: number;
}

/**
 * Adds the fingerprints of sets and of files of keys to a set, which is made if it is missing. All have one key and the same
 * options. A new set is there when it is complete; one that existed may have a part of the fingerprints after a crash, and
 * has the rest after the same call.
 *
 * Throws `SEEN_MISMATCH` before anything is read if one has another key, other options, or fewer bits. Throws
 * `SEEN_LOCKED`, `SEEN_CORRUPT`, `SEEN_FAILED`, `SET_FULL`, and an IoError.
 */
export async function mergeSets(
  target: string,
  inputs: readonly string[],
  options: MergeOptions = {},
): Promise<Merged> {
  await checkDistinct([target, ...inputs]);
  const sources: StoredReader[] = [];
  try {
    for (const input of inputs) sources.push(await openAny(input));
    return await merge(target, sources, options);
  } catch (error) {
    throw storeFailed(target, error);
  } finally {
    await allEnded(sources.map((source) => source.close()));
  }
}

async function merge(
  directory: string,
  sources: readonly StoredReader[],
  { store, like }: MergeOptions,
): Promise<Merged> {
  const first = sources[0] as StoredReader;
  const kind = await kindFor(directory, store, storeOf(first));
  const isNew = (await kindIn(directory)) === null;
  const model = isNew
    ? (like ?? first)
    : { where: directory, identity: await kind.readIdentity(directory) };
  const kept = {
    bits: kind.bitsOf(model.identity),
    by: isNew ? DISPLAY_NAMES[kind.name] : directory,
  };
  if (like !== undefined) checkComparable(like, model);
  for (const source of sources) checkSource(source, model, kept);
  const { identity } = model;
  if (!isNew) return add(directory, kind, identity, sources);
  const made = await make(directory, kind, identity, sources);
  return made ?? merge(directory, sources, { store, like });
}

function storeOf({ store }: StoredReader): StoreName | undefined {
  return STORE_NAMES.find((name) => name === store);
}

/** Makes a new set. Returns null if another process has made one there meanwhile. */
async function make(
  directory: string,
  kind: StoredKind,
  identity: SeenIdentity,
  sources: readonly StoredReader[],
): Promise<Merged | null> {
  const folder = await takeStored(directory);
  try {
    if ((await kindIn(directory)) !== null) return null;
    await clearUnfinished({ folder, kind });
    await checkEmpty(folder);
    const size = await installSet({ folder, kind, identity }, sources);
    return { added: size, size };
  } finally {
    await folder.release();
  }
}

async function add(
  directory: string,
  kind: StoredKind,
  identity: SeenIdentity,
  sources: readonly StoredReader[],
): Promise<Merged> {
  const bits = kind.bitsOf(identity);
  const store = await openStore(kind, directory, identity);
  let bytes = 0;
  try {
    for (const source of sources) {
      await addAll(store, bits, source, (rows) => {
        bytes += rows.length;
      });
    }
    return { added: bytes / (identity.bits / 8), size: await store.size() };
  } finally {
    await store.close();
  }
}

/** Throws `BAD_INPUT` if a set is named twice: it would wait for its own lock. */
export async function checkDistinct(names: readonly string[]): Promise<void> {
  const places = new Set<string>();
  for (const name of names) {
    const place = await files()
      .realpath(name)
      .catch(() => name); // opening it reports that it is missing
    if (places.has(place)) throw new UrlmillError("BAD_INPUT", `${name} is named twice`);
    places.add(place);
  }
}
