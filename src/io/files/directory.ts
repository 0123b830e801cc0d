import { files, paths } from "../../base/peer.ts";

/**
 * Makes a directory and those above it that are missing, and syncs them: a power cut does not undo it. Throws the system's
 * error.
 */
export async function makeDirectory(directory: string): Promise<void> {
  const path = paths().resolve(directory);
  // With `recursive`, mkdir of Node never ends below /proc.
  for (const missing of await missingFrom(path)) {
    await files()
      .mkdir(missing)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error; // another process made it
      });
    await syncDirectory(paths().dirname(missing));
  }
  if (!(await files().stat(path)).isDirectory()) {
    throw Object.assign(new Error("it exists and is not a folder"), { code: "EEXIST" });
  }
}

/** Lists the directories of a path that do not exist, the highest first. */
async function missingFrom(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = path; ; at = paths().dirname(at)) {
    try {
      await files().stat(at);
      return missing;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || at === paths().dirname(at))
        throw error;
      missing.unshift(at);
    }
  }
}

/** The errors of file systems that cannot sync a directory, as some of shares and of FUSE. */
const CANNOT_SYNC = ["EINVAL", "ENOTSUP", "EBADF"];

/**
 * Returns when all that was created, renamed and deleted in a directory is on disk. Returns at once where the system cannot do
 * that: on Windows, and on some file systems. Throws the system's error.
 */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await files().open(directory, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!isOneOf(CANNOT_SYNC, error)) throw error;
  } finally {
    await handle.close();
  }
}

/**
 * The errors of a file that another program holds open, as Windows gives them; and of a file that is a mount, as in containers.
 */
const HELD = ["EPERM", "EACCES", "EBUSY"];
/**
 * How long a file may be held, and how often it is tried, in milliseconds. A scanner of viruses holds new files for a moment.
 */
const HELD_MS = 2000;
const AGAIN_MS = 50;

/** Returns whether an error may mean that another program holds a file open. */
export function mayBeHeld(error: unknown): boolean {
  return isOneOf(HELD, error);
}

/** Puts a file in the place of another. Tries for two seconds while it may be held. Throws the system's error. */
export async function renameOver(from: string, to: string): Promise<void> {
  const last = performance.now() + HELD_MS;
  for (;;) {
    try {
      return await files().rename(from, to);
    } catch (error) {
      if (!mayBeHeld(error) || performance.now() > last) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Removes a file that is no longer needed. One that is held stays: the next process that opens the directory removes it. */
export async function removeOld(name: string): Promise<void> {
  try {
    await files().rm(name, { force: true });
  } catch (error) {
    if (!mayBeHeld(error)) throw error;
  }
}

function isOneOf(codes: readonly string[], error: unknown): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
