import { shownInput } from "./names.ts";

/** Reports, in a sentence, why a file cannot be read or written. */
export class IoError extends Error {}

/** Makes the error of an input that ends before the size that it had when it was opened. */
export function becameShorter(name: string): IoError {
  return new IoError(
    `${shownInput(name)} became shorter while it was read; run again once it no longer changes`,
  );
}

/** Describes a system error in a few words. */
export function describeSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EEXIST: "it exists and is not a folder",
    ENOTDIR: "a part of it is not a folder",
    EACCES: "permission denied",
    EPERM: "the system does not permit it",
    EBUSY: "another program has it open",
    EROFS: "its file system is read-only",
    EMFILE: "this process has as many files open as it may",
    ENFILE: "the system has as many files open as it can",
    ENAMETOOLONG: "its name is too long",
    ENOSPC: "the disk is full",
    ERR_STRING_TOO_LONG: "it has more than 512 MiB of text, and is read as a whole",
    ERR_FS_FILE_TOO_LARGE: "it has more than 2 GiB, and is read as a whole",
    Z_BUF_ERROR: "its compressed data end too early",
    Z_DATA_ERROR: "its compressed data are damaged",
  };
  return known[code ?? ""] ?? message;
}

/** Makes the error of damaged compressed data. */
export function damaged(reason: string): Error {
  return new Error(`its compressed data are damaged (${reason})`);
}
