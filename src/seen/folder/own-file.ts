import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { files } from "../../base/peer.ts";

/*
 * A set's folder may come from a stranger. Its files are opened here: nothing outside of the folder is read or written through
 * a link, and a pipe in the place of a file does not make anybody wait.
 */

export type Access = "r" | "r+";

/**
 * Returns what the system says of a file of a set, or null if it is missing. Throws `SEEN_CORRUPT` for a link, a folder, a
 * pipe or a device. With `r+`, also for a file that has another name: its bytes are somebody else's, too.
 */
export async function statOwn(path: string, access: Access = "r"): Promise<Stats | null> {
  const found = await files()
    .lstat(path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
      throw error;
    });
  if (found === null) return null;
  if (found.isSymbolicLink()) throw notOwn(path, "is a link");
  if (!found.isFile()) throw notOwn(path, "is not a file");
  if (access === "r+" && found.nlink > 1)
    throw notOwn(path, "has another name, as a hard link has");
  return found;
}

function notOwn(path: string, what: string): UrlmillError {
  return new UrlmillError(
    "SEEN_CORRUPT",
    `${path} ${what}: a set has files of its own only. If this set is yours, copy the file to its place`,
  );
}

/** Returns whether two states are of one file. Some versions of Node on Windows name two devices for it. */
export function isSameFile(one: Stats, other: Stats | null): boolean {
  if (other === null || one.ino !== other.ino) return false;
  return process.platform === "win32" || one.dev === other.dev;
}

/** Opens a file of a set. Throws `SEEN_CORRUPT` if it is missing, and what `statOwn` throws. */
export async function openOwn(path: string, access: Access): Promise<FileHandle> {
  const handle = await openIfThere(path, access);
  if (handle === null) throw new UrlmillError("SEEN_CORRUPT", `${path} is missing`);
  return handle;
}

/**
 * Opens a file of a set, or returns null if it is missing. Another process may remove it meanwhile. Throws what `statOwn`
 * throws.
 */
export async function openIfThere(path: string, access: Access): Promise<FileHandle | null> {
  if ((await statOwn(path, access)) === null) return null;
  return files()
    .open(path, ownFlags(access))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
}

/** The most bytes of a file that is read as a whole: many times what options take. */
const MOST_BYTES = 1 << 24;

/** Returns the text of a file of a set, or null if it is missing. Throws `SEEN_CORRUPT` if it is far too long. */
export async function readOwn(path: string): Promise<string | null> {
  const handle = await openIfThere(path, "r");
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > MOST_BYTES) {
      throw new UrlmillError("SEEN_CORRUPT", `${path} is damaged: it has ${size} bytes`);
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Returns the flags of `open` for a file that is not a link. No system waits for one that became a pipe meanwhile. */
export function ownFlags(access: Access): number {
  const { O_RDONLY, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = files().constants;
  return (access === "r" ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK;
}
