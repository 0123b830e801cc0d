import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { MARK_LENGTH, mayBeginWithMark } from "../../base/byte-order-mark.ts";
import { shownOutput, showOutputAs } from "../io-error.ts";
import { writeError } from "../output.ts";

/** Bytes that must have the header of a file. */
const HEAD = 1 << 16;

/** Tells a run about a file that it writes to the end of. */
export interface AppendedFile {
  /** Names the open file: outputs that are opened by this name write to it, and leave it open. */
  readonly name: string;
  /** Holds the first bytes that the file had, 64 KiB at most, without a byte order mark. */
  readonly head: Uint8Array;
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
    return await use({ name, head: await headOf(handle) });
  } catch (error) {
    if (isNew && (await hasNoBytes(handle))) await rm(file, { force: true });
    throw error;
  } finally {
    forget();
    await handle.close();
  }
}

async function headOf(handle: FileHandle): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const bytes = buffer.subarray(0, bytesRead);
  return bytes.length >= MARK_LENGTH && mayBeginWithMark(bytes)
    ? bytes.subarray(MARK_LENGTH)
    : bytes;
}

async function hasNoBytes(handle: FileHandle): Promise<boolean> {
  return (await handle.stat()).size === 0;
}
