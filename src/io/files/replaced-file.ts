import { constants, rmSync } from "node:fs";
import { access, chmod, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { destination } from "../destination.ts";
import { writeError } from "../output.ts";
import { syncDirectory } from "./directory.ts";

/** Selects the permissions of a file, without its type. */
const PERMISSIONS = 0o7777;

/**
 * Names a temporary file beside the file to write. It replaces that file when it is complete; until then, the file
 * stays unchanged.
 */
export class ReplacedFile {
  /** The file to write. */
  readonly path: string;
  readonly #name: string;
  readonly #target: string;
  /** The permissions of the earlier file, or null if there was none. */
  readonly #mode: number | null;
  #isDone = false;

  private constructor(name: string, target: string, mode: number | null) {
    this.#name = name;
    this.#target = target;
    this.#mode = mode;
    // The name has the ending of the target, because the ending selects the compression.
    this.path = join(dirname(target), `.urlmill-${process.pid}-${basename(target)}`);
  }

  /**
   * Returns null if a name means standard output, a pipe or a device, which are written directly. Throws an IoError if
   * the file is not writable.
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

  /** Moves the written file to its place. `isDurable`: says whether it must then be on disk. Throws an IoError. */
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

  /** Removes the written file, unless it is in its place already. */
  async discard(): Promise<void> {
    if (!this.#isDone) await rm(this.path, { force: true });
  }

  /** Removes it at once, in a process that ends. */
  discardSync(): void {
    if (!this.#isDone) rmSync(this.path, { force: true });
  }
}
