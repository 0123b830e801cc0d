import type { OpenSeenStore } from "../contract/store.ts";
import { SetFolder } from "../folder/set-folder.ts";
import { readManifest, rewriteManifest } from "./files/manifest-log.ts";
import { logName, PARTS } from "./files/row-log.ts";
import { openDisk } from "./open-disk.ts";

/** Returns a store that begins a set which can take the place of another: no file but the manifest has a name of one there. */
export async function diskSuccessor(
  directory: string,
  replaced: string,
  memory: number,
): Promise<OpenSeenStore> {
  const settings = { memory, fsync: "close", isImmediate: true } as const;
  const contents = await readManifest(replaced);
  return (wanted) => openDisk(directory, wanted, { ...settings, replaced: contents });
}

/**
 * Lets a set go on with the rows of another that wait for an answer, or were not settled. Their files stay where they are.
 * Returns the names of these.
 */
export async function carryWaiting(directory: string, replaced: string): Promise<string[]> {
  const logs = (await readManifest(replaced)).state.logs.filter(({ kind }) => kind === "waiting");
  if (logs.length === 0) return [];
  const { beginning, state } = await readManifest(directory);
  const folder = await SetFolder.take(directory);
  try {
    await rewriteManifest(folder, {
      beginning,
      state: { ...state, logs: [...logs, ...state.logs] },
    });
  } finally {
    await folder.release();
  }
  return logs.flatMap(({ number }) => PARTS.map((part) => logName(part, number)));
}
