import { UrlmillError } from "../../base/errors.ts";
import { allEnded } from "../../base/handled.ts";
import { hexOf } from "../../base/sha256.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { firstHalves } from "../../normalizer/fingerprints.ts";
import {
  checkIdentity,
  type SeenIdentity,
  type SeenRequest,
} from "../../seen/contract/identity.ts";
import type { SeenStore } from "../../seen/contract/store.ts";
import { openStored, storedKind } from "../../seen/stored/open-stored.ts";
import { withWayOut } from "./full-set.ts";
import { type EarlierKeys, withoutEarlier } from "./per-key.ts";
import { StoreInTurns } from "./store-in-turns.ts";

/** Holds a set of `--exclude` that is open. */
interface OpenSet extends Pick<SeenStore, "identity" | "rowsPerCall" | "has" | "close"> {
  readonly where: string;
  /** Counts the bytes of memory that it takes. */
  readonly bytes: number;
}

/** Holds the sets of `--exclude`: their keys are left out, and they stay as they are. */
export class ExcludedSets {
  readonly #sets: readonly OpenSet[];

  private constructor(sets: readonly OpenSet[]) {
    this.#sets = sets;
  }

  /**
   * Opens sets that were made with the options and the key of a request. A journal is read into memory; others are asked.
   * Throws `SEEN_MISMATCH`, `SEEN_CORRUPT`, `SEEN_FAILED`, `SEEN_LOCKED` and `SET_FULL`.
   */
  static async open(directories: readonly string[], request: SeenRequest): Promise<ExcludedSets> {
    const sets: OpenSet[] = [];
    const excluded = new ExcludedSets(sets);
    try {
      for (const directory of directories) {
        // The set of the run keeps half of the memory.
        const maxBytes = request.maxBytes / 2 / directories.length;
        sets.push(await openSet(directory, { ...request, maxBytes }, directories[0] as string));
      }
      return excluded;
    } catch (error) {
      await excluded.close();
      throw error;
    }
  }

  /** Counts the bytes of memory of all sets. */
  get bytes(): number {
    return this.#sets.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns what tells whether a run with this identity has a key already: `own`, or one of the sets. */
  after(own: EarlierKeys | null, identity: SeenIdentity): EarlierKeys | null {
    const sets = [
      ...(own === null ? [] : [own]),
      ...this.#sets.map((set) => fitted(set, identity)),
    ];
    if (sets.length < 2) return sets[0] ?? null;
    return {
      identity,
      async has(fingerprints) {
        let isNew: Uint8Array = new Uint8Array(fingerprints.length / (identity.bits / 8)).fill(1);
        for (const set of sets) isNew = await withoutEarlier(set, fingerprints, isNew);
        return isNew.map((row) => 1 - row);
      },
    };
  }

  close(): Promise<void> {
    return allEnded(this.#sets.map((set) => set.close()));
  }
}

async function openSet(where: string, request: SeenRequest, first: string): Promise<OpenSet> {
  const kind = await storedKind(where);
  const identity = await kind.readIdentity(where);
  const { bits } = identity;
  checkIdentity(identity, { ...request, key: undefined, bits }, where);
  if (request.key !== undefined && hexOf(identity.key) !== hexOf(request.key)) {
    throw new UrlmillError(
      "SEEN_MISMATCH",
      `${where} was written under another key than ${first}, so that they cannot be compared: make sets of one key with --key-of`,
    );
  }
  if (kind.name === "journal") return readSet(where, { ...request, bits });
  const open = await kind.store(where, request.maxBytes);
  const store = new StoreInTurns(await open({ ...request, bits }));
  const { rowsPerCall } = store;
  return {
    where,
    identity,
    rowsPerCall,
    bytes: kind.memoryShare === 0 ? 0 : request.maxBytes,
    has: (fingerprints) => store.has(fingerprints),
    close: () => store.close(),
  };
}

/** Reads a set into memory. */
async function readSet(
  where: string,
  request: SeenRequest & Pick<SeenIdentity, "bits">,
): Promise<OpenSet> {
  const set = new FingerprintSet(request);
  const reader = await openStored(where);
  try {
    for await (const rows of reader.fingerprints()) set.add(rows);
  } catch (error) {
    throw withWayOut(error, "--exclude", where);
  } finally {
    await reader.close();
  }
  return {
    where,
    identity: reader.identity,
    bytes: set.bytes,
    has: async (fingerprints) => set.has(fingerprints),
    close: async () => {},
  };
}

/** Returns what asks a set about the fingerprints of a run. Throws `SEEN_MISMATCH` if the run has fewer bits. */
function fitted(set: OpenSet, identity: SeenIdentity): EarlierKeys {
  const { bits } = set.identity;
  if (bits === identity.bits) return set;
  if (bits > identity.bits) {
    throw new UrlmillError(
      "SEEN_MISMATCH",
      `${set.where} has keys of ${bits} bits, and the run of ${identity.bits}: leave out --bits`,
    );
  }
  return { ...set, identity, has: (fingerprints) => set.has(firstHalves(fingerprints)) };
}
