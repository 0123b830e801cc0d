import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { UrlmillError } from "../../errors.ts";

/** Holds a lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/** Names the file that is locked. It says who has the lock, for people, and is never deleted. */
export const LOCK_FILE = "lock";
/** On Windows nobody else can read locked bytes, so one is locked where no text will stand. */
const WINDOWS_BYTE = 1 << 30;

/**
 * Locks a directory for one writer. The lock is the operating system's lock on a file, so it ends with
 * the process, however that ends, and holds between Node versions, users and containers that share the
 * file system of one machine. Only who may write the file can take it. Throws `SEEN_LOCKED`.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  // A native package: loaded by those alone who open a journal.
  const { tryLock } = await import("fs-native-extensions");
  const flags = constants.O_RDWR | constants.O_CREAT;
  const handle = await open(join(directory, LOCK_FILE), flags, 0o600);
  try {
    const { fd } = handle;
    const isOurs = process.platform === "win32" ? tryLock(fd, WINDOWS_BYTE, 1) : tryLock(fd);
    if (!isOurs) throw await lockedError(directory, handle);
    const since = new Date().toISOString();
    const holder = `process ${process.pid} on ${hostname()} since ${since}\n`;
    // In the place of what is there: a full disk has room for that.
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
