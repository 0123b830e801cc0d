import type { SeenIdentity } from "./identity.ts";

/** Reads all fingerprints of a set that is stored, and changes nothing. */
export interface StoredReader {
  /** Names what is read, for messages. */
  readonly where: string;
  /** Names the kind of the set, as `SeenStats.store` does; `keys` is a file of keys. */
  readonly store: string;
  readonly identity: SeenIdentity;
  /** Gives the bits of each fingerprint that it yields: those of the identity, or the first ones of them. */
  readonly bits: number;
  /** Says whether damage of any byte is found by a checksum. */
  readonly hasChecksums: boolean;
  /** Counts the bytes on disk. */
  readonly storedBytes: number;
  /** Says for people what is there and does not count, as far as it was read; null if there is nothing such. */
  readonly left: string | null;
  /** Counts the fingerprints. May read all of them. Throws `SEEN_CORRUPT`. */
  size(): Promise<number>;
  /**
   * Yields all fingerprints, each once, many at a time. The next step may overwrite their memory. Throws `SEEN_CORRUPT`
   * where something is damaged.
   */
  fingerprints(): AsyncGenerator<Uint8Array, void, undefined>;
  close(): Promise<void>;
}

export async function countByReading(reader: StoredReader): Promise<number> {
  let bytes = 0;
  for await (const { length } of reader.fingerprints()) bytes += length;
  return bytes / (reader.bits / 8);
}
