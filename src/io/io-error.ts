import { UrlmillError } from "../base/errors.ts";

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

/** Reports damaged compressed data. */
export class DamagedData extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`its compressed data are damaged (${reason})`);
    this.reason = reason;
  }
}

/** Makes the error of damaged compressed data. */
export function damaged(reason: string): DamagedData {
  return new DamagedData(reason);
}

/** Returns what is wrong with compressed data by the error of their decoder, or null if the error says nothing of them. */
export function damageOf(error: unknown): string | null {
  if (error instanceof DamagedData) return error.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return "it ends too early";
  return code === "Z_DATA_ERROR" ? message : null;
}

/** The names that messages show for outputs that were opened before. */
const shown = new Map<string, string>();

/** Lets messages show `as` for an output. Returns a function that ends this. */
export function showOutputAs(name: string, as: string): () => void {
  shown.set(name, as);
  return () => shown.delete(name);
}

/** Returns the name of an input as messages show it: `-` is standard input. */
export function shownInput(name: string): string {
  return name === "-" ? "standard input" : name;
}

/** Calls `read`, and names an input, as messages show it, in the error of this package that it throws. */
export function named<T>(shown: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw namedError(shown, error);
  }
}

/** Returns an error of this package with the name of an input, as messages show it; any other error as it is. */
export function namedError(shown: string, error: unknown): unknown {
  if (!(error instanceof UrlmillError)) return error;
  return new UrlmillError(error.code, `${shown}: ${error.message}`);
}

/** Returns the name of an output as messages show it: `-` is standard output. */
export function shownOutput(name: string): string {
  return name === "-" ? "standard output" : (shown.get(name) ?? name);
}

/**
 * Returns whether a name is that of the device that keeps nothing, on a system where opening it by this name would make a file,
 * or fail: on Windows, `NUL` and `/dev/null`.
 */
export function isNullDevice(name: string, platform = process.platform): boolean {
  return platform === "win32" && /^(?:nul|\/dev\/null)$/i.test(name);
}
