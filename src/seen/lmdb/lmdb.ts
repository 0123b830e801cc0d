import type { Database, RootDatabase } from "lmdb";
import { paths } from "../../base/peer.ts";
import {
  checkIdentity,
  newIdentity,
  type SeenIdentity,
  type SeenRequest,
} from "../contract/identity.ts";
import type { OpenSeenStore, SeenStore, SeenStoreStats } from "../contract/store.ts";
import { refuseOtherStores } from "../folder/store-names.ts";
import { removeOldRuns } from "../pending/committed-run.ts";
import { finishRuns } from "../pending/finish-runs.ts";
import {
  identityOf,
  lmdbFailed,
  loadLmdb,
  openEnvironment,
  openFingerprints,
  sizesOf,
} from "./environment.ts";

/** Rows of one transaction; other processes wait while it runs. */
const ROWS_PER_CALL = 1 << 12;

/**
 * Returns a store for `SeenSet.open` that is an LMDB environment (package `lmdb`) in a directory.
 * It is on disk, may be larger than memory, and serves many processes of one machine at a time.
 *
 * A fingerprint is a key without a value. A batch that was answered survives the end of the process; LMDB
 * makes it durable a moment later. Opening throws `SEEN_MISMATCH`, `SEEN_CORRUPT`, and `SEEN_FAILED` if LMDB
 * or the system refuses a call.
 *
 * Transactions run on the calling thread. The package can run them on another thread, but on some machines
 * these never return (3.5.6, Linux).
 *
 * @example
 * const seen = await SeenSet.open(lmdb("crawl.lmdb"));
 * await seen.addBatch(["http://a/", "http://a"]); // Uint8Array.of(1, 0)
 * await seen.close(); // undefined
 */
export function lmdb(directory: string): OpenSeenStore {
  return async (wanted) => {
    const path = paths().resolve(directory);
    await finishRuns(path, () => openStore(path, wanted));
    return openStore(path, wanted);
  };
}

async function openStore(directory: string, wanted: SeenRequest): Promise<LmdbStore> {
  const { TransactionFlags } = await loadLmdb();
  const { ABORTABLE, SYNCHRONOUS_COMMIT, NO_SYNC_FLUSH } = TransactionFlags;
  try {
    await refuseOtherStores(directory, "lmdb");
    const root = await openEnvironment(directory, "r+");
    try {
      const identity = identityOf(root, directory, () => newIdentity(wanted));
      checkIdentity(identity, wanted, directory);
      const flags = ABORTABLE | SYNCHRONOUS_COMMIT | NO_SYNC_FLUSH;
      return new LmdbStore(directory, identity, root, flags);
    } catch (error) {
      await root.close();
      throw error;
    }
  } catch (error) {
    throw lmdbFailed(directory, error);
  }
}

class LmdbStore implements SeenStore {
  readonly identity: SeenIdentity;
  readonly rowsPerCall = ROWS_PER_CALL;
  readonly #directory: string;
  readonly #root: RootDatabase;
  readonly #fingerprints: Database<Buffer, Buffer>;
  readonly #flags: number;

  constructor(directory: string, identity: SeenIdentity, root: RootDatabase, flags: number) {
    this.#flags = flags;
    this.identity = identity;
    this.#directory = directory;
    this.#root = root;
    this.#fingerprints = openFingerprints(root);
  }

  add(fingerprints: Uint8Array): Promise<Uint8Array> {
    const rows = this.#rows(fingerprints);
    const nothing = Buffer.alloc(0);
    return this.#attempt(
      async () =>
        this.#fingerprints.transactionSync(
          () =>
            Uint8Array.from(rows, (key) => {
              if (this.#fingerprints.doesExist(key)) return 0;
              this.#fingerprints.putSync(key, nothing);
              return 1;
            }),
          this.#flags,
        ),
      "nothing of this call was added; make room if the disk is full, and call again",
    );
  }

  has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#attempt(async () =>
      Uint8Array.from(this.#rows(fingerprints), (key) => Number(this.#fingerprints.doesExist(key))),
    );
  }

  delete(fingerprints: Uint8Array): Promise<Uint8Array> {
    const rows = this.#rows(fingerprints);
    return this.#attempt(async () => {
      // A run of the command that is repeated must write its lines again.
      await removeOldRuns(this.#directory, 0);
      return this.#fingerprints.transactionSync(
        () =>
          Uint8Array.from(rows, (key) => {
            if (!this.#fingerprints.doesExist(key)) return 0;
            this.#fingerprints.removeSync(key);
            return 1;
          }),
        this.#flags,
      );
    }, "nothing of this call was removed; make room if the disk is full, and call again");
  }

  size(): Promise<number> {
    return this.#attempt(async () => sizesOf(this.#fingerprints).count);
  }

  async stats(): Promise<SeenStoreStats> {
    return this.#attempt(async () => {
      const { bytes } = sizesOf(this.#fingerprints);
      return { store: "lmdb", storedBytes: bytes };
    });
  }

  async close(): Promise<void> {
    try {
      await this.#attempt(async () => this.#root.flushed);
    } finally {
      await this.#attempt(async () => this.#root.close());
    }
  }

  #rows(fingerprints: Uint8Array): Buffer[] {
    const width = this.identity.bits / 8;
    const bytes = Buffer.from(fingerprints);
    return Array.from({ length: bytes.length / width }, (_, row) =>
      bytes.subarray(row * width, (row + 1) * width),
    );
  }

  /** Runs work in which LMDB may fail; `consequence` is added to the message. */
  async #attempt<T>(work: () => Promise<T>, consequence?: string): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw lmdbFailed(this.#directory, error, consequence);
    }
  }
}
