import type { SeenIdentity } from "./identity.ts";
import type { SeenRequest } from "./request.ts";

/**
 * Describes where a `SeenSet` keeps its fingerprints. They come as `identity.bits / 8` bytes each,
 * one after the other. A `SeenSet` calls one method at a time and waits for it.
 */
export interface SeenStore {
  /**
   * Says what the set was made with; a store that is older than this process reads it from there.
   */
  readonly identity: SeenIdentity;
  /**
   * Limits the fingerprints that one call of `add` or `has` takes; more come in further calls.
   *
   * @default any number
   */
  readonly rowsPerCall?: number;
  /**
   * Adds fingerprints. Returns a byte for each: 1 if it was not in the store before; of equal ones
   * in a call, the first is new. What it answers is recorded. If it throws, nothing was recorded,
   * or a later call with the same fingerprints gets the same answers, or all later calls throw.
   */
  add(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Returns a byte for each fingerprint: 1 if it is in the store. */
  has(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Counts the fingerprints in the store. */
  size(): Promise<number>;
  /** Describes the store in numbers and words. */
  stats(): Promise<SeenStoreStats>;
  /** Rewrites what is stored in fewer bytes. Leave it out if the store has nothing to rewrite. */
  compact?(): Promise<void>;
  /** Makes all durable and releases everything that the store holds. */
  close(): Promise<void>;
}

/** Describes a store in numbers and words. */
export interface SeenStoreStats {
  /** Names the kind of store: "memory", "journal", "lmdb", "redis", or a name of another's. */
  readonly store: string;
  /** Gives the number of bits that tell two fingerprints apart, if these are not all of them. */
  readonly bits?: number;
  /**
   * Counts the bytes of this process's memory that the store takes; left out if it is not in this
   * process.
   */
  readonly memoryBytes?: number;
  /**
   * Counts the bytes on disk, or in the memory of a server; left out if nothing is stored or the
   * store cannot tell.
   */
  readonly storedBytes?: number;
  /**
   * Counts the bytes of unfinished writes that were cut when the store was opened; left out if it
   * has no journal.
   */
  readonly cutBytes?: number;
  /**
   * Says why the store was not compacted when it was opened, although that was due: the disk is
   * full. Left out otherwise.
   */
  readonly notCompacted?: string;
}

/** Opens a store for what the caller wants, or throws `SEEN_MISMATCH` (`checkIdentity`). */
export type OpenSeenStore = (wanted: SeenRequest) => SeenStore | Promise<SeenStore>;
