import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { openLocked } from "../../io/files/system-lock.ts";

/** Holds a lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/** Names the file that is locked. Its text tells people who has the lock. It is never deleted. */
export const LOCK_FILE = "lock";

/**
 * Locks a directory for one writer, by the system's lock on a file (`openLocked`). Taking it needs write access to the
 * file. Throws `SEEN_LOCKED`, and what `openLocked` throws.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  const file = paths().join(directory, LOCK_FILE);
  const { O_CREAT, O_RDWR } = files().constants;
  const handle = await openLocked(file, O_RDWR | O_CREAT, 0o600);
  if (handle === null) {
    const by = await holderOf(file);
    throw new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process${by}`);
  }
  try {
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

/** Returns who has the lock, in parentheses; nothing where nobody else can open the file, as on Windows. */
async function holderOf(file: string): Promise<string> {
  const text = await files()
    .readFile(file, "utf8")
    .catch(() => "");
  return text === "" ? "" : ` (${text.slice(0, 200).trim()})`;
}
