import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { shownOutput, showOutputAs } from "../names.ts";
import { writeError } from "../output.ts";

/** Tells a run about a file that it writes to the end of. */
export interface AppendedFile {
  /** Names the open file: outputs that are opened by this name write to it, and leave it open. */
  readonly name: string;
  /** Says whether the file had no bytes. */
  readonly isEmpty: boolean;
}

/**
 * Opens a file to write after what it has, makes it if it is missing, calls `use`, and closes it. A file that was made, and is
 * empty after an error, is removed. Throws what `use` throws, and an IoError if the file cannot be opened.
 */
export async function withAppended<T>(
  file: string,
  use: (appended: AppendedFile) => Promise<T>,
): Promise<T> {
  const isNew = (await stat(file).catch(() => null)) === null;
  // It is read, too: whether its last line has an end.
  const handle = await open(file, "a+").catch((error: unknown) => {
    throw writeError(shownOutput(file), error);
  });
  const name = `/dev/fd/${handle.fd}`;
  const forget = showOutputAs(name, file);
  try {
    return await use({ name, isEmpty: await hasNoBytes(handle) });
  } catch (error) {
    if (isNew && (await hasNoBytes(handle))) await rm(file, { force: true });
    throw error;
  } finally {
    forget();
    await handle.close();
  }
}

async function hasNoBytes(handle: FileHandle): Promise<boolean> {
  return (await handle.stat()).size === 0;
}
