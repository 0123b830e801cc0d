import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSystemError, IoError } from "../io-error.ts";

/** After so many bytes it is checked that the disk has room for as many more. */
const CHECKED = 2 ** 30;

/**
 * Keeps bytes in a file that has no name, so that the system removes it however the process ends. Only a file that must be
 * opened again has a name on systems that do not open descriptors: other ones than Linux.
 */
export class TemporaryFile {
  readonly #folder: string;
  readonly #fd: number;
  #name: string | null;
  #size = 0;
  #isOpen = true;

  /**
   * Makes an empty file in a folder, by default that of the system. `isOpenedAgain`: whether `path` is needed. Throws an
   * IoError.
   */
  constructor(folder = tmpdir(), isOpenedAgain = false) {
    this.#folder = folder;
    const name = join(folder, `urlmill-${randomUUID()}`);
    this.#name = name;
    try {
      this.#fd = openSync(name, "wx+", 0o600);
    } catch (error) {
      throw new IoError(
        `cannot make a temporary file in ${folder}: ${describeSystemError(error)}; name another folder with --tmp, or set TMPDIR`,
      );
    }
    if (!isOpenedAgain || existsSync(descriptorPath(this.#fd))) this.#unlink();
  }

  /** Names the file for opening it again, which gives it from its beginning. */
  get path(): string {
    return this.#name ?? descriptorPath(this.#fd);
  }

  /**
   * Writes bytes at the end. `needed`: says how many bytes the file will have, for the error. Throws an IoError, also if the
   * disk has no room for the next GiB.
   */
  append(bytes: Uint8Array, needed: () => string): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#size + done);
      }
    } catch (error) {
      throw new IoError(
        `cannot write a temporary file in ${this.#folder}: ${describeSystemError(error)}; ${needed()}; name another folder with --tmp, or set TMPDIR`,
      );
    }
    const before = this.#size;
    this.#size += bytes.length;
    if (Math.floor(before / CHECKED) === Math.floor(this.#size / CHECKED)) return;
    checkRoom(this.#folder, CHECKED, `${needed()}, and may need another`);
  }

  /** Fills `bytes` with those of the file from `at` on. Throws an IoError if it has fewer. */
  read(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const read = this.#read(at + done, bytes, done);
      if (read === 0) throw this.#unread("it became shorter");
      done += read;
    }
  }

  #read(at: number, bytes: Uint8Array, done: number): number {
    try {
      return readSync(this.#fd, bytes, done, bytes.length - done, at);
    } catch (error) {
      throw this.#unread(describeSystemError(error));
    }
  }

  #unread(reason: string): IoError {
    return new IoError(`cannot read a temporary file in ${this.#folder}: ${reason}`);
  }

  /** The bytes that were written. */
  get size(): number {
    return this.#size;
  }

  /** Closes the file, which removes it. Does nothing the second time. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unlink();
    closeSync(this.#fd);
  }

  #unlink(): void {
    if (this.#name !== null) rmSync(this.#name, { force: true });
    this.#name = null;
  }
}

/** Returns the path by which Linux opens a file of this process again, also one without a name. */
function descriptorPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

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
