/** Number of tables of a large set: a power of two. */
export const SHARDS = 32;
/** Limits the fingerprints that are divided at a time. Each table then gets as many as one call of it takes. */
export const SPLIT_ROWS = 1 << 17;
/** The most memory that a splitter takes, in bytes. */
export const SPLITTER_BYTES = 5 << 20;

/**
 * Divides fingerprints among SHARDS tables, keeps their order within a table, and joins the answers of the tables. The
 * first byte of a fingerprint picks its table.
 */
export interface ShardSplitter {
  /** Counts the bytes of its memory, at most SPLITTER_BYTES. */
  readonly bytes: number;
  /** Divides at most SPLIT_ROWS fingerprints. */
  split(fingerprints: Uint8Array): void;
  /** Returns a view of the fingerprints of a table. It is valid until the next table is answered. */
  rowsOf(shard: number): Uint8Array;
  /** Takes the answers of a table, one byte for each of its fingerprints. Answer for the tables in their order. */
  answer(shard: number, answers: Uint8Array): void;
  /**
   * Returns the answers for all fingerprints, in the order in which they came. Call it once, after all tables are
   * answered. The view is valid until the next fingerprints are divided.
   */
  answers(): Uint8Array;
}
