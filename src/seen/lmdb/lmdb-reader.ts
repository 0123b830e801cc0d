import type { Database, RootDatabase } from "lmdb";
import { UrlmillError } from "../../base/errors.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import {
  lmdbFailed,
  openEnvironment,
  openFingerprints,
  readIdentity,
  sizesOf,
} from "./environment.ts";

/** Rows that are read at a time. */
const ROWS = 1 << 12;

/** Opens a set in LMDB to read it, while other processes use it, too. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function readLmdb(directory: string): Promise<StoredReader> {
  try {
    const root = await openEnvironment(directory, "r");
    try {
      return new LmdbReader(directory, readIdentity(root, directory), root);
    } catch (error) {
      await root.close();
      throw error;
    }
  } catch (error) {
    throw lmdbFailed(directory, error);
  }
}

/** Returns what a set in LMDB was made with. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function lmdbIdentity(directory: string): Promise<SeenIdentity> {
  const reader = await readLmdb(directory);
  await reader.close();
  return reader.identity;
}

class LmdbReader implements StoredReader {
  readonly where: string;
  readonly identity: SeenIdentity;
  readonly store = "lmdb";
  readonly hasChecksums = false;
  readonly left = null;
  readonly #root: RootDatabase;
  readonly #tree: Database<Buffer, Buffer>;

  constructor(where: string, identity: SeenIdentity, root: RootDatabase) {
    this.where = where;
    this.identity = identity;
    this.#root = root;
    this.#tree = openFingerprints(root);
  }

  get bits(): number {
    return this.identity.bits;
  }

  get storedBytes(): number {
    return sizesOf(this.#tree).bytes;
  }

  async size(): Promise<number> {
    return sizesOf(this.#tree).count;
  }

  async *fingerprints(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      let rows: Buffer[] = [];
      for (const key of this.#checkedKeys()) {
        rows.push(key);
        if (rows.length < ROWS) continue;
        yield Buffer.concat(rows);
        rows = [];
      }
      yield Buffer.concat(rows);
    } catch (error) {
      throw lmdbFailed(this.where, error);
    }
  }

  /** Yields the keys. Throws `SEEN_CORRUPT` for a key of another width, or that is not in order. */
  *#checkedKeys(): Generator<Buffer, void, undefined> {
    const width = this.identity.bits / 8;
    let last: Buffer | null = null;
    for (const key of this.#tree.getKeys()) {
      if (key.length !== width || (last !== null && Buffer.compare(last, key) >= 0)) {
        const what = key.length === width ? "is not in order" : `has ${key.length} bytes`;
        throw new UrlmillError("SEEN_CORRUPT", `${this.where} is damaged: a fingerprint ${what}`);
      }
      yield key;
      last = key;
    }
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
