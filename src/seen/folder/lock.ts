import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { openLocked } from "../../io/files/system-lock.ts";
import { isSameFile, openOwn, ownFlags, statOwn } from "./own-file.ts";
import { LOCK_FILE } from "./store-names.ts";

/** Holds a lock until it is released. */
export interface Lock {
  /**
   * Throws `SEEN_FAILED` if the directory no longer has the file that is locked: it was moved, and what has its name now may
   * be another process's.
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Locks a directory for one writer, by the system's lock on a file (`openLocked`). Taking it needs write access to the
 * file. Throws `SEEN_LOCKED`, `SEEN_CORRUPT` if the file is not one of its own (`statOwn`), and what `openLocked` throws.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  const file = paths().join(directory, LOCK_FILE);
  await statOwn(file, "r+");
  const flags = ownFlags("r+") | files().constants.O_CREAT;
  const handle = await openLocked(file, flags, { mode: 0o600 });
  if (handle === null) throw await lockedBy(directory);
  try {
    const since = new Date().toISOString();
    const holder = `process ${process.pid} on ${builtin("node:os").hostname()} since ${since}\n`;
    // Overwrites the text that is there: a full disk has room for that.
    const { bytesWritten } = await handle.write(holder, 0);
    await handle.truncate(bytesWritten);
    const locked = await handle.stat();
    return {
      async check() {
        if (isSameFile(locked, await statOwn(file))) return;
        throw new UrlmillError(
          "SEEN_FAILED",
          `${directory} was moved or replaced while it was open: nothing more is written. Open the set where it is now`,
        );
      },
      release: () => releaseWriter(handle, bytesWritten),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Overwrites the text, which would be wrong while somebody reads the set, and lets go. The file keeps its length, so that the
 * next writer has room for a text on a full disk.
 */
async function releaseWriter(handle: FileHandle, length: number): Promise<void> {
  try {
    await handle.write(" ".repeat(length), 0);
  } finally {
    await handle.close();
  }
}

/**
 * Locks a directory against writers, for one reader of several, and writes nothing. A directory without the file is not
 * locked: no process has opened it yet. Throws `SEEN_LOCKED`, `SEEN_CORRUPT` and what `openLocked` throws.
 */
export async function lockToRead(directory: string): Promise<Pick<Lock, "release">> {
  const file = paths().join(directory, LOCK_FILE);
  if ((await statOwn(file)) === null) return { release: async () => {} };
  const handle = await openLocked(file, ownFlags("r"), { isShared: true });
  if (handle === null) throw await lockedBy(directory);
  return { release: () => handle.close() };
}

/**
 * Makes the error of a directory that another process has. It says which, where anybody else can open the file: not on Windows.
 */
async function lockedBy(directory: string): Promise<UrlmillError> {
  const text = await holderOf(paths().join(directory, LOCK_FILE)).catch(() => "");
  const by = text === "" ? "" : ` (${text})`;
  return new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process${by}`);
}

async function holderOf(file: string): Promise<string> {
  const handle = await openOwn(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
