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

/** Returns when all that was created, renamed and deleted in a directory is on disk. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync a directory
  const handle = await files().open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
