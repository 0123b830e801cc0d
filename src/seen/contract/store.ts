import { UrlmillError } from "../../base/errors.ts";
import type { SeenIdentity, SeenRequest } from "./identity.ts";

/**
 * Describes where a `SeenSet` keeps its fingerprints. They come as `identity.bits / 8` bytes each,
 * one after the other. A `SeenSet` calls one method at a time and waits for it.
 */
export interface SeenStore {
  /** Says what the set was made with. A store that existed before reads it from its data. */
  readonly identity: SeenIdentity;
  /**
   * Limits the fingerprints that one call of `add` or `has` takes. More come in further calls.
   *
   * @default any number
   */
  readonly rowsPerCall?: number;
  /**
   * Adds fingerprints. Returns a byte for each: 1 if it was not in the store before. If a call has equal
   * ones, the first is new. When it returns, they are recorded. If it throws, one of three holds: nothing was
   * recorded, a later call with the same fingerprints gets the same answers, or all later calls throw.
   */
  add(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Returns a byte for each fingerprint: 1 if it is in the store. */
  has(fingerprints: Uint8Array): Promise<Uint8Array>;
  /**
   * Takes fingerprints out. Returns a byte for each: 1 if it was in the store. If a call has equal ones, the first was. If it
   * throws, some may be out. Leave it out if the store cannot.
   */
  delete?(fingerprints: Uint8Array): Promise<Uint8Array>;
  /** Counts the fingerprints in the store. */
  size(): Promise<number>;
  /** Describes the store in numbers and words. */
  stats(): Promise<SeenStoreStats>;
  /** Rewrites the stored set in fewer bytes. Leave it out if the store has nothing to rewrite. */
  compact?(): Promise<void>;
  /** Makes all fingerprints durable and releases all resources of the store. */
  close(): Promise<void>;
  /**
   * Answers without waiting. Left out if the fingerprints are not in the memory of this process.
   *
   * @internal
   */
  readonly atOnce?: AnswersAtOnce;
  /**
   * Answers rows later, many at a time. Left out if the store does not.
   *
   * @internal
   */
  readonly queued?: QueuedRows;
}

/** Takes rows, and answers them later in the order in which they came. */
export interface QueuedRows {
  /**
   * Takes rows: the status of each, the fingerprints of those that are URLs, and bytes to give back with each. Returns the
   * number of the first.
   */
  enqueue(
    fingerprints: Uint8Array,
    status: Uint8Array,
    payloads: readonly Uint8Array[] | null,
  ): Promise<number>;
  /** Finds the answers of all rows. Returns the number after the last. */
  answer(): Promise<number>;
  /** Yields rows that are answered and not settled, up to a number. */
  pieces(end: number): AsyncGenerator<AnsweredRows>;
  /** Settles all rows before a number: they do not come again. */
  settle(row: number): Promise<void>;
  /** Makes all rows durable. */
  sync(): Promise<void>;
}

/** Holds rows in the order in which they came, with their answers. */
export interface AnsweredRows {
  /** Gives the number of the first row. Numbers go on from one call to the next, and from one process to the next. */
  readonly row: number;
  /** Holds a byte for each row: 1 if it is new, 0 if it was seen before, else the number of its error (`Status`). */
  readonly answers: Uint8Array;
  /** Holds the bytes that were given with each row; null if none were. */
  readonly payloads: readonly Uint8Array[] | null;
}

/** Answers for fingerprints without waiting. Answers are valid until the next call. */
export interface AnswersAtOnce {
  /** Says how many rows it answers fastest at a time; 0 if their number does not matter. */
  readonly rowsAtOnce: number;
  /** Does the same as `add` of the store, but new fingerprints are recorded only when `record` returns. */
  addNow(fingerprints: Uint8Array): Uint8Array;
  /** Records the fingerprints that were added. */
  record(): Promise<void>;
  /** Does the same as `has` of the store. */
  hasNow(fingerprints: Uint8Array): Uint8Array;
}

/** Describes a store in numbers and words. */
export interface SeenStoreStats {
  /** Names the kind of store: "memory", "journal", "disk", "lmdb", "redis", or the name of another store. */
  readonly store: string;
  /** Gives the number of bits that tell two fingerprints apart, if it is less than their size. */
  readonly bits?: number;
  /**
   * Counts the bytes that the store takes in the memory of this process; left out if the store is elsewhere.
   */
  readonly memoryBytes?: number;
  /**
   * Counts the bytes on disk, or in the memory of a server; left out if there are none or the store cannot
   * tell.
   */
  readonly storedBytes?: number;
  /**
   * Counts the bytes of unfinished writes that were cut when the store was opened; left out if it does not
   * have a journal.
   */
  readonly cutBytes?: number;
  /** Gives the number that the next row of `enqueueBatch` gets; left out if the store does not take rows. */
  readonly nextRow?: number;
  /** Gives the number before which all rows of `enqueueBatch` are on disk for certain. */
  readonly durableRow?: number;
  /** Gives the number before which all rows of `enqueueBatch` were committed. */
  readonly settledRow?: number;
  /**
   * Says why the store was not compacted when it was opened, although that was due, for example because the
   * disk is full. Left out otherwise.
   */
  readonly notCompacted?: string;
}

/** Opens a store for a request. Throws `SEEN_MISMATCH` if it does not fit the request (`checkIdentity`). */
export type OpenSeenStore = (wanted: SeenRequest) => SeenStore | Promise<SeenStore>;

/** Returns a store of one's own. Throws `BAD_INPUT` for what is not one: the set would be in memory, or a call would not end. */
export function checkedStore(store: SeenStore | undefined): SeenStore {
  const { identity, rowsPerCall = 1 } = store ?? {};
  if (identity !== undefined && Number.isInteger(rowsPerCall) && rowsPerCall > 0)
    return store as SeenStore;
  throw new UrlmillError(
    "BAD_INPUT",
    "SeenSet.open needs a function that returns a store: its identity, and rowsPerCall above 0 if it has that",
  );
}

/** Describes a store as far as it is asked in steps. */
export type SteppedStore = Pick<SeenStore, "identity" | "rowsPerCall" | "add" | "has">;

/**
 * Asks a store about as many fingerprints at a time as one of its calls takes. Returns its answers, a byte for each.
 * `failed`: returns what to throw for an error, by the answers before it.
 */
export async function inSteps(
  { identity, rowsPerCall }: Pick<SteppedStore, "identity" | "rowsPerCall">,
  fingerprints: Uint8Array,
  ask: (part: Uint8Array) => Promise<Uint8Array>,
  failed: (error: unknown, answered: Uint8Array) => unknown = (error) => error,
): Promise<Uint8Array> {
  const width = identity.bits / 8;
  const answers = new Uint8Array(fingerprints.length / width);
  const step = rowsPerCall ?? answers.length;
  for (let row = 0; row < answers.length; row += step) {
    const part = fingerprints.subarray(row * width, (row + step) * width);
    try {
      const given = await ask(part);
      const wanted = part.length / width;
      if (given.length !== wanted)
        throw new UrlmillError(
          "SEEN_FAILED",
          `the store gave ${given.length} answers to ${wanted} rows`,
        );
      answers.set(given, row);
    } catch (error) {
      throw failed(error, answers.subarray(0, row));
    }
  }
  return answers;
}
