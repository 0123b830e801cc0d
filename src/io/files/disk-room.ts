import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { IoError } from "../io-error.ts";

/** Returns a number of bytes for people. */
export function megabytes(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

/** Returns the bytes that a folder has free for this process; Infinity if the system does not say it, as for `/proc`. */
export function freeBytes(folder = tmpdir()): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY; // making a file there reports the same error
  }
}

/**
 * Throws an IoError if a folder has not so many bytes free. `what`: says what needs them, such as `the keys need about`.
 * `free`: what the folder has.
 */
export function checkRoom(
  folder: string | undefined,
  needed: number,
  what: string,
  free = freeBytes(folder),
): void {
  if (needed <= free) return;
  throw new IoError(
    `${what} ${megabytes(needed)} in the temporary folder ${folder ?? tmpdir()}, which has ${megabytes(free)} free: make room there, or name another folder with --tmp DIR`,
  );
}
