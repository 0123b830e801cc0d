import type { Database, RootDatabase, RootDatabaseOptions } from "lmdb";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, loadUnbundled, paths, peerError } from "../../base/peer.ts";
import { makeDirectory } from "../../io/files/directory.ts";
import { decodeIdentity, encodeIdentity, type SeenIdentity } from "../contract/identity.ts";
import { type Access, statOwn } from "../folder/own-file.ts";
import { HEADS } from "../folder/store-names.ts";
import { checkData, type LmdbData } from "./lmdb-data.ts";

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

/** Lets only the owner read and write: `data.mdb` holds the key of the set. */
export const PRIVATE_MODE = 0o600;
/** Bytes that LMDB writes before its first transaction ends, with a margin. */
const FIRST_BYTES = 1 << 16;

/**
 * Gets a directory ready for LMDB, which ends the process if it cannot open its files, and follows links. So this tries first
 * what could fail. It throws the system's error, or `SEEN_CORRUPT` if something else has the name of a file. To read (`r`), it
 * changes nothing. To write, files that other users can read become private to the owner.
 *
 * The lock file is not opened: closing it would end the locks that this process has on it.
 */
export async function prepareFiles(directory: string, access: Access): Promise<LmdbData> {
  if (access === "r+") await makeDirectory(directory);
  const data = paths().join(directory, HEADS.lmdb);
  const dataBytes = await prepareFile(data, access);
  const lockBytes = await prepareFile(paths().join(directory, "lock.mdb"), access);
  if (access === "r+" && (dataBytes === 0 || lockBytes === 0)) await tryToWrite(directory);
  return dataBytes === 0 ? { isCutShort: false } : checkData(data);
}

/** Returns the size of a file in bytes, or 0 if it is missing. To write, makes it private. */
async function prepareFile(name: string, access: Access): Promise<number> {
  const found = await statOwn(name, access);
  if (found === null) return 0;
  const { R_OK, W_OK } = files().constants;
  if (access === "r+" && (found.mode & 0o077) !== 0) await makePrivate(name);
  await files().access(name, access === "r" ? R_OK : R_OK | W_OK);
  return found.size;
}

async function makePrivate(name: string): Promise<void> {
  await files()
    .chmod(name, PRIVATE_MODE)
    .catch(({ code }: NodeJS.ErrnoException) => {
      throw new UrlmillError(
        "SEEN_FAILED",
        `${name} is open to other users, who could read the set's key, and cannot be closed to them (${code}): its owner must run chmod 600`,
      );
    });
}

/** Throws the system's error if the directory takes no new file, or the disk no more bytes. */
async function tryToWrite(directory: string): Promise<void> {
  const name = paths().join(
    directory,
    `room-${builtin("node:crypto").randomBytes(8).toString("hex")}`,
  );
  const file = await files().open(name, "wx", PRIVATE_MODE);
  try {
    await file.writeFile(new Uint8Array(FIRST_BYTES));
  } finally {
    await file.close();
    await files().rm(name);
  }
}

/**
 * Returns the id of another process that has an LMDB environment open, or null. LMDB holds a lock of the system on its
 * lock file, which Linux lists for processes of the same container. Elsewhere the answer is always null.
 */
export async function lmdbUser(directory: string): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const { ino } = await files().lstat(paths().join(directory, "lock.mdb"));
  const locks = await files().readFile("/proc/locks", "utf8");
  const holders = [...locks.matchAll(/POSIX +\S+ +\S+ +(\d+) +\S+:(\d+) /g)];
  const others = holders.filter(
    ([, pid, inode]) => inode === String(ino) && pid !== String(process.pid),
  );
  return others.length === 0 ? null : Number(others[0]?.[1]);
}
