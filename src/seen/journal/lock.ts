import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { UrlmillError } from "../../errors.ts";

/** Holds a lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/** Names the file that is locked. Its text tells people who has the lock. It is never deleted. */
export const LOCK_FILE = "lock";
/** On Windows others cannot read locked bytes, so a byte far after the text is locked. */
const WINDOWS_BYTE = 1 << 30;

/**
 * Locks a directory for one writer. It is the operating system's lock on a file, so it ends with the process,
 * however that ends. It holds between Node versions, users and containers that share a file system of one
 * machine. Taking it needs write access to the file. Throws `SEEN_LOCKED`.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  // A native package: only those who open a journal load it.
  const { tryLock } = await import("fs-native-extensions");
  const flags = constants.O_RDWR | constants.O_CREAT;
  const handle = await open(join(directory, LOCK_FILE), flags, 0o600);
  try {
    const { fd } = handle;
    const isOurs = process.platform === "win32" ? tryLock(fd, WINDOWS_BYTE, 1) : tryLock(fd);
    if (!isOurs) throw await lockedError(directory, handle);
    const since = new Date().toISOString();
    const holder = `process ${process.pid} on ${hostname()} since ${since}\n`;
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
