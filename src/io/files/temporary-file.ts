import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSystemError, IoError } from "../io-error.ts";

/** Keeps bytes in a file that has no name, so that the system removes it however the process ends. */
export class TemporaryFile {
  readonly #folder: string;
  readonly #fd: number;
  #size = 0;
  #isOpen = true;

  /** Makes an empty file in a folder, by default that of the system. Throws an IoError. */
  constructor(folder = tmpdir()) {
    this.#folder = folder;
    const path = join(folder, `urlmill-${randomUUID()}`);
    try {
      this.#fd = openSync(path, "wx+", 0o600);
      rmSync(path);
    } catch (error) {
      throw new IoError(
        `cannot make a temporary file in ${folder}: ${describeSystemError(error)}; name another folder with --tmp, or set TMPDIR`,
      );
    }
  }

  /** Writes bytes at the end. `needed`: says how many bytes the file will have, for the error. Throws an IoError. */
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
    this.#size += bytes.length;
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
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }
}
