import type { Database, RootDatabase, RootDatabaseOptions } from "lmdb";
import { UrlmillError } from "../base/errors.ts";
import { loadUnbundled, peerError } from "../base/peer.ts";
import {
  checkIdentity,
  decodeIdentity,
  encodeIdentity,
  newIdentity,
  type SeenIdentity,
} from "./identity.ts";
import { PRIVATE_MODE, prepareFiles } from "./lmdb/lmdb-files.ts";
import type { OpenSeenStore, SeenStore, SeenStoreStats } from "./store.ts";

/** The key of the identity. */
const IDENTITY = "identity";
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
    const { open, TransactionFlags } = await loadLmdb();
    const { ABORTABLE, SYNCHRONOUS_COMMIT, NO_SYNC_FLUSH } = TransactionFlags;
    try {
      const { isCutShort } = await prepareFiles(directory);
      // The types of the package lack the last two.
      const options: RootDatabaseOptions & { permissionsMode: number; safeRestore: boolean } = {
        encoding: "binary",
        noSubdir: false,
        permissionsMode: PRIVATE_MODE,
        safeRestore: isCutShort,
      };
      const root = open(directory, options);
      try {
        const set = root.openDB<string, string>("set", { encoding: "string" });
        const made = set.transactionSync(() => {
          const found = set.get(IDENTITY);
          if (found !== undefined) return found;
          const identity = encodeIdentity(newIdentity(wanted));
          set.putSync(IDENTITY, identity);
          return identity;
        });
        const identity = decodeIdentity(made, directory);
        checkIdentity(identity, wanted, directory);
        const flags = ABORTABLE | SYNCHRONOUS_COMMIT | NO_SYNC_FLUSH;
        return new LmdbStore(directory, identity, root, flags);
      } catch (error) {
        await root.close();
        throw error;
      }
    } catch (error) {
      throw failed(directory, error);
    }
  };
}

/** Statistics of a tree that LMDB reports. */
interface TreeStats {
  readonly entryCount: number;
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
}

/** What helps after LMDB could not write a meta page: it refuses every later call. */
const AFTER_PANIC =
  "LMDB refuses all calls from now on, and nothing of this one was added; make room if the disk is full, close the set and open it again";

async function loadLmdb(): Promise<typeof import("lmdb")> {
  try {
    return await loadUnbundled<typeof import("lmdb")>("lmdb");
  } catch (error) {
    throw peerError(error, "lmdb", "SEEN_FAILED");
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
    this.#fingerprints = root.openDB<Buffer, Buffer>("fingerprints", {
      encoding: "binary",
      keyEncoding: "binary",
    });
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

  size(): Promise<number> {
    return this.#attempt(async () => this.#stats().entryCount);
  }

  async stats(): Promise<SeenStoreStats> {
    return this.#attempt(async () => {
      const { pageSize, treeBranchPageCount, treeLeafPageCount } = this.#stats();
      const storedBytes = pageSize * (treeBranchPageCount + treeLeafPageCount);
      return { store: "lmdb", storedBytes };
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

  #stats(): TreeStats {
    return this.#fingerprints.getStats() as TreeStats;
  }

  /** Runs work in which LMDB may fail; `consequence` is added to the message. */
  async #attempt<T>(work: () => Promise<T>, consequence?: string): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failed(this.#directory, error, consequence);
    }
  }
}

function failed(directory: string, error: unknown, consequence?: string): UrlmillError {
  if (error instanceof UrlmillError) return error;
  const { message } = error as Error;
  const advice = message.startsWith("MDB_PANIC") ? AFTER_PANIC : consequence;
  const words = advice === undefined ? message : `${message}: ${advice}`;
  return new UrlmillError("SEEN_FAILED", `${directory}: ${words}`);
}
