import type { SeenIdentity } from "./identity.ts";
import type { SeenRequest } from "./request.ts";

/**
 * Where a SeenSet keeps its fingerprints. Fingerprints come as `identity.bits / 8` bytes each, one after
 * the other. A SeenSet calls one method at a time and waits for it.
 */
export interface SeenStore {
  /** What the set was made with; a store that is older than this process has it from there. */
  readonly identity: SeenIdentity;
  /** Fingerprints that one call of `add` or `has` takes; more come in further calls. Default: any number. */
  readonly rowsPerCall?: number;
  /**
   * Adds fingerprints. Answers a byte for each: 1 where it was not there before; of equal ones in a call,
   * the first alone. What it answers is recorded; where it throws, nothing is, or a later call with the
   * same fingerprints gets the answers of this one, or all further calls throw.
   */
  add(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Answers a byte for each fingerprint: 1 where it is there. */
  has(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Fingerprints in the store. */
  size(): Promise<number>;
  /** What there is to say of the store, in numbers and words. */
  stats(): Promise<SeenStoreStats>;
  /** Rewrites what is stored in fewer bytes. */
  compact?(): Promise<void>;
  /** Makes all durable and lets go of everything. */
  close(): Promise<void>;
}

export interface SeenStoreStats {
  /** "memory", "journal", "lmdb", "redis", or what others call theirs. */
  readonly store: string;
  /** Bits that tell two fingerprints apart, where these are not all. */
  readonly bits?: number;
  /** Bytes of this process's memory it takes. */
  readonly memoryBytes?: number;
  /** Bytes on disk, or in the memory of a server. */
  readonly storedBytes?: number;
  /** Bytes of unfinished writes that were cut when the store was opened. */
  readonly cutBytes?: number;
  /** Why the store was not compacted when it was opened, although that was due: the disk is full. */
  readonly notCompacted?: string;
}

/** Opens a store for what the caller wants, or throws `SEEN_MISMATCH` (`checkIdentity`). */
export type OpenSeenStore = (wanted: SeenRequest) => SeenStore | Promise<SeenStore>;
