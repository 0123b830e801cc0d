import type { Database, RootDatabase, RootDatabaseOptions } from "lmdb";
import { UrlmillError } from "../../base/errors.ts";
import { loadUnbundled, peerError } from "../../base/peer.ts";
import { decodeIdentity, encodeIdentity, type SeenIdentity } from "../contract/identity.ts";
import type { Access } from "../folder/own-file.ts";
import { PRIVATE_MODE, prepareFiles } from "./lmdb-files.ts";

/** The key of the identity. */
const IDENTITY = "identity";

/** Loads the package. Throws `SEEN_FAILED` if it is not installed. */
export async function loadLmdb(): Promise<typeof import("lmdb")> {
  try {
    return await loadUnbundled<typeof import("lmdb")>("lmdb");
  } catch (error) {
    throw peerError(error, "lmdb", "SEEN_FAILED");
  }
}

/**
 * Opens the environment in a directory. To write (`r+`), makes one where there is none. Throws `SEEN_CORRUPT`, and errors of
 * LMDB and the system.
 */
export async function openEnvironment(directory: string, access: Access): Promise<RootDatabase> {
  const { open } = await loadLmdb();
  const { isCutShort } = await prepareFiles(directory, access);
  // To go back to the transaction before, LMDB must write.
  if (isCutShort && access === "r") return openEnvironment(directory, "r+");
  // The types of the package lack the last two.
  const options: RootDatabaseOptions & { permissionsMode: number; safeRestore: boolean } = {
    encoding: "binary",
    noSubdir: false,
    permissionsMode: PRIVATE_MODE,
    safeRestore: isCutShort,
    readOnly: access === "r",
  };
  return open(directory, options);
}

/** Returns the identity of a set that is opened to read. Throws `SEEN_CORRUPT`. */
export function readIdentity(root: RootDatabase, directory: string): SeenIdentity {
  const set = root.openDB<string, string>("set", { encoding: "string" });
  return decodeIdentity(set.get(IDENTITY) ?? "", directory);
}

/** Returns the identity of the set, or that of `made` for a new set. Throws `SEEN_CORRUPT`. */
export function identityOf(
  root: RootDatabase,
  directory: string,
  made: () => SeenIdentity,
): SeenIdentity {
  const set = root.openDB<string, string>("set", { encoding: "string" });
  const text = set.transactionSync(() => {
    const found = set.get(IDENTITY);
    if (found !== undefined) return found;
    const identity = encodeIdentity(made());
    set.putSync(IDENTITY, identity);
    return identity;
  });
  return decodeIdentity(text, directory);
}

/** Opens the tree of fingerprints, which are keys without a value. */
export function openFingerprints(root: RootDatabase): Database<Buffer, Buffer> {
  return root.openDB<Buffer, Buffer>("fingerprints", { encoding: "binary", keyEncoding: "binary" });
}

/** Statistics of a tree that LMDB reports. */
interface TreeStats {
  readonly entryCount: number;
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
}

/** Counts the fingerprints of a tree, and the bytes of its pages. */
export function sizesOf(tree: Database<Buffer, Buffer>): { count: number; bytes: number } {
  const stats = tree.getStats() as TreeStats;
  const pages = stats.treeBranchPageCount + stats.treeLeafPageCount;
  return { count: stats.entryCount, bytes: pages * stats.pageSize };
}

/** What helps after LMDB could not write a meta page: it refuses every later call. */
const AFTER_PANIC =
  "LMDB refuses all calls from now on, and nothing of this one was added; make room if the disk is full, close the set and open it again";

/** Returns an error of urlmill as it is, and one of LMDB as `SEEN_FAILED`. `consequence` is added to its message. */
export function lmdbFailed(directory: string, error: unknown, consequence?: string): UrlmillError {
  if (error instanceof UrlmillError) return error;
  const { message } = error as Error;
  const advice = message.startsWith("MDB_PANIC") ? AFTER_PANIC : consequence;
  const words = advice === undefined ? message : `${message}: ${advice}`;
  return new UrlmillError("SEEN_FAILED", `${directory}: ${words}`);
}
