import { allEnded } from "../../base/handled.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { say } from "../../io/say.ts";
import { newIdentity, type SeenIdentity, type SeenRequest } from "../../seen/contract/identity.ts";
import { inSteps } from "../../seen/contract/store.ts";
import type { StoreName } from "../../seen/folder/store-names.ts";
import { LARGEST } from "../../seen/journal/block.ts";
import { type OpenJournal, openJournal } from "../../seen/journal/open-journal.ts";
import type { StoredKind } from "../../seen/stored/kinds.ts";
import { kindFor } from "../../seen/stored/open-stored.ts";
import { ExcludedSets } from "./excluded-sets.ts";
import { withWayOut } from "./full-set.ts";
import type { EarlierKeys } from "./per-key.ts";
import type { KeyStore } from "./row-decider.ts";
import { StoreInTurns } from "./store-in-turns.ts";

/** Describes the keys of a run. */
export interface RunKeys {
  readonly identity: SeenIdentity;
  /** Gives the number of bits that tell two keys apart. */
  readonly bits: number;
  /** The most rows of a key that are written. */
  readonly perKey: number;
  /** Keeps the keys of written rows; null if they are not kept. */
  readonly store: KeyStore | null;
  /** Keys of earlier runs. */
  readonly sizeBefore: number;
  /**
   * Returns the set of all keys, and leaves it to its caller. It has those of earlier runs, unless a store is asked about
   * them. Call it once, or never.
   */
  readonly takeSet: () => FingerprintSet;
  /** Lets the memory of that set be freed, if nobody took it. */
  readonly dropSet: () => void;
  /** Returns a new set of at most so many bytes, for a part of the keys of this run. */
  readonly makeSet: (maxBytes: number) => FingerprintSet;
  /** The most bytes that the keys of this run may take in memory. */
  readonly maxBytes: number;
  /** The keys of earlier runs that only `earlier` has. */
  readonly sizeAsked: number;
  /** Is asked about keys of earlier runs and those of excluded sets; null if all are in memory. */
  readonly earlier: EarlierKeys | null;
  /** Closes the store and the excluded sets. */
  readonly close: () => Promise<void>;
  /**
   * Hands the keys of earlier runs to `take`, which must copy them, unless `earlier` has them. Call it before any is recorded.
   */
  readonly eachEarlier: (take: (fingerprints: Uint8Array) => void) => Promise<void>;
}

/** Says where keys are kept after a run. */
export interface KeptKeys {
  /** The directory; undefined if they are not kept. */
  readonly seen: string | undefined;
  /** The kind of a new set; a set of another kind is refused. */
  readonly store: StoreName | undefined;
  /** The most rows of a key that are written. */
  readonly perKey: number;
  /** The directories of sets whose keys are left out. */
  readonly excludedSets: readonly string[];
}

/** Opens the keys of a `dedupe` run, with those of earlier runs if a directory keeps them. Prints the notices of a journal. */
export async function openKeys(request: SeenRequest, kept: KeptKeys): Promise<RunKeys> {
  const { perKey, excludedSets } = kept;
  const excluded = await ExcludedSets.open(excludedSets, request);
  let keys: OpenKeys | null = null;
  const close = () => allEnded([keys?.store?.close() ?? Promise.resolve(), excluded.close()]);
  try {
    keys = await openOwn({ ...request, maxBytes: request.maxBytes - excluded.bytes }, kept);
    return { ...keys, perKey, earlier: excluded.after(keys.earlier, keys.identity), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openOwn(request: SeenRequest, { seen, store }: KeptKeys): Promise<OpenKeys> {
  if (seen === undefined) return keysInMemory(request);
  const kind = await kindFor(seen, store);
  return kind.name === "journal" ? keysInJournal(request, seen) : keysInStore(request, seen, kind);
}

type OpenKeys = Omit<RunKeys, "perKey" | "close">;

function keysInMemory(request: SeenRequest): OpenKeys {
  const identity = newIdentity(request);
  const makeSet = setsFor(request, identity);
  // A set that must be in a kernel takes its memory before the direct mode does, which may hand over.
  const set = request.engine === "wasm" ? makeSet(request.maxBytes) : null;
  const sets = handedOver(set, () => makeSet(request.maxBytes));
  const { bits } = identity;
  const { maxBytes } = request;
  const none = { store: null, sizeBefore: 0, sizeAsked: 0, earlier: null };
  return { ...sets, ...none, identity, bits, makeSet, maxBytes, eachEarlier };
}

async function keysInJournal(request: SeenRequest, directory: string): Promise<OpenKeys> {
  const open = await openJournal(directory, request, "second").catch((error: unknown) => {
    throw withWayOut(error, "--seen", directory);
  });
  for (const notice of noticesOf(open)) say(`${directory}: ${notice}`);
  const { journal, set } = open;
  const { identity } = journal;
  const makeSet = setsFor(request, identity);
  const sets = handedOver(set, () => makeSet(request.maxBytes));
  const sizeBefore = set.size;
  const { bits } = identity;
  const eachEarlier: RunKeys["eachEarlier"] = (take) => journal.each(take);
  const store: KeyStore = {
    isHeld: false,
    async append(fingerprints) {
      // Their lines are written: keys before the one that a full disk refuses must stay.
      for (let at = 0; at < fingerprints.length; at += LARGEST) {
        await journal.append(fingerprints.subarray(at, at + LARGEST));
      }
    },
    close: () => journal.close(),
  };
  const kept = { store, sizeBefore, sizeAsked: 0, earlier: null, eachEarlier };
  const { maxBytes } = request;
  return { ...sets, ...kept, identity, bits, makeSet, maxBytes };
}

/** Opens a store that is asked about the keys of earlier runs. */
async function keysInStore(
  request: SeenRequest,
  directory: string,
  kind: StoredKind,
): Promise<OpenKeys> {
  const maxBytes = request.maxBytes * (1 - kind.memoryShare);
  const open = await kind.store(directory, request.maxBytes - maxBytes);
  const earlier = new StoreInTurns(await open(request));
  const { identity } = earlier;
  const store: KeyStore = {
    isHeld: false,
    async append(fingerprints) {
      await inSteps(earlier, fingerprints, (part) => earlier.add(part));
    },
    close: () => earlier.close(),
  };
  const sizeBefore = await earlier.size();
  const makeSet = setsFor(request, identity);
  const sets = handedOver(null, () => makeSet(maxBytes));
  const bits = kind.bitsOf(identity);
  const sizes = { sizeBefore, sizeAsked: sizeBefore };
  return { ...sets, ...sizes, identity, bits, store, makeSet, maxBytes, earlier, eachEarlier };
}

/** Hands over nothing: there are no earlier runs, or a store has their keys. */
async function eachEarlier(): Promise<void> {}

/** Returns what makes sets in memory for keys of this identity. */
function setsFor(request: SeenRequest, { bits }: SeenIdentity): RunKeys["makeSet"] {
  return (maxBytes) => new FingerprintSet({ ...request, bits, maxBytes });
}

/** Hands over a set and keeps no hold of it, so that its memory can be freed. `another`: makes the set if `set` is null. */
function handedOver(
  set: FingerprintSet | null,
  another: () => FingerprintSet,
): Pick<RunKeys, "takeSet" | "dropSet"> {
  let kept = set;
  const dropSet = (): void => {
    kept = null;
  };
  const takeSet = (): FingerprintSet => {
    const given = kept ?? another();
    dropSet();
    return given;
  };
  return { takeSet, dropSet };
}

/** Returns messages for people about an opened journal. */
function noticesOf({ journal, notCompacted }: OpenJournal): string[] {
  const notices: string[] = [];
  if (journal.cutBytes > 0) notices.push(`cut ${journal.cutBytes} bytes of an unfinished write`);
  if (notCompacted !== null)
    notices.push(`was not compacted, and goes on as it is (${notCompacted})`);
  return notices;
}
