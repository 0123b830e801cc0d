import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, loadUnbundled, paths } from "../../base/peer.ts";

/** Holds a lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/** Names the file that is locked. Its text tells people who has the lock. It is never deleted. */
export const LOCK_FILE = "lock";
/** On Windows others cannot read locked bytes, so a byte far after the text is locked. */
const WINDOWS_BYTE = 1 << 30;

/** Deno ends the process where it loads the package that locks. */
const NOT_IN_DENO =
  "a journal does not run in Deno, which cannot load fs-native-extensions: take a set in memory, LMDB or Redis";

/**
 * Locks a directory for one writer. It is the operating system's lock on a file, so it ends with the process,
 * however that ends. It holds between Node versions, users and containers that share a file system of one
 * machine. Taking it needs write access to the file. Throws `SEEN_LOCKED`.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  if ("Deno" in globalThis) throw new UrlmillError("PACKAGE_MISSING", NOT_IN_DENO);
  // A native package: only those who open a journal load it.
  const { tryLock } =
    await loadUnbundled<typeof import("fs-native-extensions")>("fs-native-extensions");
  const { constants } = files();
  const flags = constants.O_RDWR | constants.O_CREAT;
  const handle = await files().open(paths().join(directory, LOCK_FILE), flags, 0o600);
  try {
    const { fd } = handle;
    const isOurs = process.platform === "win32" ? tryLock(fd, WINDOWS_BYTE, 1) : tryLock(fd);
    if (!isOurs) throw await lockedError(directory, handle);
    const since = new Date().toISOString();
    const holder = `process ${process.pid} on ${builtin("node:os").hostname()} since ${since}\n`;
    // Overwrites the text that is there: a full disk has room for that.
    const { bytesWritten } = await handle.write(holder, 0);
    await handle.truncate(bytesWritten);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { release: () => handle.close() };
}

async function lockedError(directory: string, handle: FileHandle): Promise<UrlmillError> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(200), position: 0 });
  const holder = buffer.toString("utf8", 0, bytesRead).trim();
  const by = holder === "" ? "" : ` (${holder})`;
  return new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process${by}`);
}
