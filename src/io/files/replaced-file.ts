import { createHash } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { access, chmod, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { destination } from "../destination.ts";
import { describeSystemError, IoError } from "../io-error.ts";
import { isNullDevice } from "../names.ts";
import { writeError } from "../output.ts";
import { mayBeHeld, renameOver, syncDirectory } from "./directory.ts";

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
  /** Says whether the written file is in its place, or must stay. */
  #isDone = false;

  private constructor(name: string, target: string, mode: number | null) {
    this.#name = name;
    this.#target = target;
    this.#mode = mode;
    this.path = join(dirname(target), temporaryName(basename(target)));
  }

  /**
   * Returns null if a name means standard output, a pipe or a device, which are written directly. Throws an IoError if
   * the file is not writable.
   */
  static async of(name: string): Promise<ReplacedFile | null> {
    if (name === "-" || /^\/(?:dev|proc)\//.test(name) || isNullDevice(name)) return null;
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

  /**
   * Moves the written file to its place. `isDurable`: says whether it must then be on disk. Throws an IoError. If another
   * program holds the place, the written file stays, and the error names it.
   */
  async commit(isDurable: boolean): Promise<void> {
    try {
      if (this.#mode !== null) await chmod(this.path, this.#mode);
      await renameOver(this.path, this.#target).catch((error: unknown) => {
        if (!mayBeHeld(error)) throw error;
        this.#isDone = true;
        throw new IoError(
          `cannot write ${this.#name}: ${describeSystemError(error)}; the result is in ${this.path}: move it to its place`,
        );
      });
      this.#isDone = true;
      if (isDurable) await syncDirectory(dirname(this.#target));
    } catch (error) {
      throw writeError(this.#name, error);
    }
  }

  /** Removes the written file, unless it is in its place already, or is kept. */
  async discard(): Promise<void> {
    if (!this.#isDone) await rm(this.path, { force: true });
  }

  /** Removes it at once, in a process that ends. */
  discardSync(): void {
    if (!this.#isDone) rmSync(this.path, { force: true });
  }
}

/** The characters of a name that a temporary name has: a name may have no more than 255 bytes. */
const SHOWN = 30;

/**
 * Returns the name of a temporary file for a target. It has the ending of the target, because the ending selects the compression, and
 * a digest of a name that is too long to be part of it.
 */
function temporaryName(target: string): string {
  const digest = createHash("sha256").update(target).digest("hex").slice(0, 16);
  const rest = target.length <= SHOWN ? target : `${digest}${target.slice(-SHOWN)}`;
  return `.urlmill-${process.pid}-${rest}`;
}
