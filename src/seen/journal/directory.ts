import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes a directory and those above it that are missing, and syncs them: a power cut does not undo it. */
export async function makeDirectory(directory: string): Promise<void> {
  const path = resolve(directory);
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  const above = dirname(first);
  for (let made = dirname(path); ; made = dirname(made)) {
    await syncDirectory(made);
    if (made === above) return;
  }
}

/** Returns when all that was created, renamed and deleted in a directory is on disk. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync a directory
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
