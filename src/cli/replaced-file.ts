import { constants, rmSync } from "node:fs";
import { access, chmod, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { destination } from "../io/destination.ts";
import { writeError } from "../io/output.ts";
import { syncDirectory } from "../seen/journal/directory.ts";

/** Permissions of a file, without its kind. */
const PERMISSIONS = 0o7777;

/**
 * Names a file beside the one that is to be written, which takes its place when it is whole. Until then the other is
 * as it was.
 */
export class ReplacedFile {
  /** The file to write. */
  readonly path: string;
  readonly #name: string;
  readonly #target: string;
  /** Permissions of the file that was there before; null where there was none. */
  readonly #mode: number | null;
  #isDone = false;

  private constructor(name: string, target: string, mode: number | null) {
    this.#name = name;
    this.#target = target;
    this.#mode = mode;
    // The name ends as that of the target does, because it says how to compress.
    this.path = join(dirname(target), `.urlmill-${process.pid}-${basename(target)}`);
  }

  /**
   * Returns null where a name stands for standard output, a pipe or a device, which are written as they are. Throws an
   * IoError for a file that may not be written.
   */
  static async of(name: string): Promise<ReplacedFile | null> {
    if (name === "-" || /^\/(?:dev|proc)\//.test(name)) return null;
    const target = await destination(name);
    try {
      const found = await stat(target);
      if (!found.isFile()) return null;
      await access(target, constants.W_OK);
      return new ReplacedFile(name, target, found.mode & PERMISSIONS);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw writeError(name, error);
      return new ReplacedFile(name, target, null);
    }
  }

  /** Puts the written file in its place. `isDurable`: whether that must be on disk then. Throws an IoError. */
  async commit(isDurable: boolean): Promise<void> {
    try {
      if (this.#mode !== null) await chmod(this.path, this.#mode);
      await rename(this.path, this.#target);
      this.#isDone = true;
      if (isDurable) await syncDirectory(dirname(this.#target));
    } catch (error) {
      throw writeError(this.#name, error);
    }
  }

  /** Removes what was written, unless it is in its place. */
  async discard(): Promise<void> {
    if (!this.#isDone) await rm(this.path, { force: true });
  }

  /** Does the same at once, in a process that ends. */
  discardSync(): void {
    if (!this.#isDone) rmSync(this.path, { force: true });
  }
}
