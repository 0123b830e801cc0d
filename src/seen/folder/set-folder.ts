import type { FileHandle } from "node:fs/promises";
import { files, paths } from "../../base/peer.ts";
import { makeDirectory, removeOld, renameOver, syncDirectory } from "../../io/files/directory.ts";
import { type Lock, lockDirectory } from "./lock.ts";
import { type Access, openOwn } from "./own-file.ts";

/**
 * The folder of a set that is written to, with its lock. The stores make, rename and remove their files here. Each call first
 * checks that the folder still has its name, and throws `SEEN_FAILED` if it was moved.
 */
export class SetFolder {
  readonly path: string;
  readonly #lock: Lock;

  private constructor(path: string, lock: Lock) {
    this.path = path;
    this.#lock = lock;
  }

  /** Makes a folder where it is missing, and locks it for one writer. Throws what `lockDirectory` throws. */
  static async take(path: string): Promise<SetFolder> {
    await makeDirectory(path);
    return new SetFolder(path, await lockDirectory(path));
  }

  pathOf(name: string): string {
    return paths().join(this.path, name);
  }

  names(): Promise<string[]> {
    return files().readdir(this.path);
  }

  /** Throws `SEEN_FAILED` if the folder was moved. */
  check(): Promise<void> {
    return this.#lock.check();
  }

  /** Opens a file. Throws what `openOwn` throws. */
  async open(name: string, access: Access): Promise<FileHandle> {
    await this.check();
    return openOwn(this.pathOf(name), access);
  }

  /** Makes a file that only its owner may read. One of that name, which a run has left, is removed before. */
  async create(name: string): Promise<FileHandle> {
    await this.check();
    await files().rm(this.pathOf(name), { force: true });
    return files().open(this.pathOf(name), "wx+", 0o600);
  }

  /** Gives a file another name, in the place of the file that has it. */
  async rename(from: string, to: string): Promise<void> {
    await this.check();
    await renameOver(this.pathOf(from), this.pathOf(to));
  }

  /** Removes a file that is no longer needed. One that another program holds stays. */
  async remove(name: string): Promise<void> {
    await this.check();
    await removeOld(this.pathOf(name));
  }

  /** Returns when all that was made, renamed and removed is on disk. */
  sync(): Promise<void> {
    return syncDirectory(this.path);
  }

  release(): Promise<void> {
    return this.#lock.release();
  }
}
