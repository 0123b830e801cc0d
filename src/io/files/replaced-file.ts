import { constants, rmSync, type Stats } from "node:fs";
import { access, chmod, chown, type FileHandle, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { destination, isMountPoint } from "../destination.ts";
import { describeSystemError, IoError, isNullDevice, shownOutput } from "../io-error.ts";
import { Output, writeError } from "../output.ts";
import { descriptorOf } from "../sink.ts";
import { mayBeHeld, renameOver, syncDirectory } from "./directory.ts";
import { makeLocked, removeLeft, type TemporaryNames, temporaryNames } from "./left-files.ts";

/** Selects the permissions of a file, without its type. */
const PERMISSIONS = 0o7777;

/**
 * Writes a temporary file beside the file to write. It replaces that file when it is complete; until then, the file
 * stays unchanged. It is locked while it is written, so that a later run can tell whether its writer was killed.
 */
export class ReplacedFile {
  readonly #name: string;
  readonly #target: string;
  readonly #names: TemporaryNames;
  /** The earlier file, or null if there was none. */
  readonly #earlier: Stats | null;
  #file: FileHandle | null = null;
  #isLocked = false;
  #isDiscarded = false;
  /** Says whether the written file is in its place, or must stay. */
  #isDone = false;

  private constructor(name: string, target: string, earlier: Stats | null) {
    this.#name = name;
    this.#target = target;
    this.#earlier = earlier;
    this.#names = temporaryNames(target);
  }

  /**
   * Returns null if a name means standard output, a pipe or a device, which are written directly. Throws an IoError if
   * the file is not writable.
   */
  static async of(name: string): Promise<ReplacedFile | null> {
    // No file can be made beside what /proc lists.
    if (descriptorOf(name) !== null || name.startsWith("/proc/") || isNullDevice(name)) return null;
    const target = await destination(name);
    try {
      const found = await stat(name);
      if (!found.isFile()) return null;
      await access(target, constants.W_OK);
      return new ReplacedFile(name, target, found);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw writeError(name, error);
      return new ReplacedFile(name, target, null);
    }
  }

  /**
   * Does the same, but returns null also for a file that must stay the one that it is: it has several names, an owner or a
   * group that a new one cannot have, or something is mounted on it; and where its folder takes no new file.
   */
  static async unlessBound(name: string): Promise<ReplacedFile | null> {
    const file = await ReplacedFile.of(name);
    if (file === null) return null;
    const target = file.#target;
    const found = await stat(target).catch(() => null);
    const isBound = found !== null && (found.nlink > 1 || !isOurs(found) || isMountPoint(target));
    return isBound || !(await takesFiles(dirname(target))) ? null : file;
  }

  /** Opens an output to the temporary file. `isPlain`: whether bytes are written as they are, whatever the name ends with. */
  async open({ isPlain = false }): Promise<Output> {
    const { name } = await this.begin();
    return Output.toFile(name, false, shownOutput(this.#name), isPlain ? "" : this.#target);
  }

  /**
   * Makes the temporary file, after it has removed those of the same target that killed runs left. Returns a name of its
   * descriptor: on some shares a locked file takes nothing from another. Throws an IoError.
   */
  async begin(): Promise<{ readonly name: string; readonly file: FileHandle }> {
    await removeLeft(this.#target).catch(() => {}); // writing there will report the error
    try {
      const { file, name } = await makeLocked(this.#names);
      this.#file = file;
      this.#isLocked = name === this.#names.locked;
      return { name: `/dev/fd/${file.fd}`, file };
    } catch (error) {
      throw writeError(this.#name, error);
    }
  }

  /**
   * Moves the written file to its place. `isDurable`: says whether it must then be on disk. Throws an IoError. If another
   * program holds the place, the written file stays, and the error names it. Does nothing after `discardSync`.
   */
  async commit(isDurable: boolean): Promise<void> {
    if (this.#isDiscarded) return;
    const { locked, unlocked } = this.#names;
    try {
      if (isDurable) await this.#file?.sync();
      // A complete file is not removed by others. Closing it reports what a share could not write.
      if (this.#isLocked) await renameOver(locked, unlocked);
      await this.#file?.close();
      if (this.#earlier !== null) await becomeLike(this.#earlier, unlocked);
      if (this.#isDiscarded) return; // a signal came meanwhile, and the user is told that nothing is written
      await renameOver(unlocked, this.#target).catch((error: unknown) => {
        if (!mayBeHeld(error)) throw error;
        this.#isDone = true;
        throw new IoError(
          `cannot write ${this.#name}: ${describeSystemError(error)}; the result is in ${unlocked}: move it to its place`,
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
    if (this.#isDone) return;
    await this.#file?.close();
    for (const name of Object.values(this.#names)) await rm(name, { force: true });
  }

  /** Removes it at once, in a process that ends. Call it again at the end: it may have been made meanwhile. */
  discardSync(): void {
    this.#isDiscarded = true;
    if (this.#isDone) return;
    for (const name of Object.values(this.#names)) rmSync(name, { force: true });
  }
}

/** Returns whether a new file can have the owner and the group of a file. Windows has no such numbers. */
function isOurs({ uid, gid }: Stats): boolean {
  const { geteuid, getegid, getgroups } = process;
  if (geteuid === undefined || getegid === undefined || getgroups === undefined) return true;
  if (uid !== geteuid()) return false;
  return geteuid() === 0 || [getegid(), ...getgroups()].includes(gid);
}

/** Gives a new file the group and the permissions of an earlier one. A group that it cannot have stays as it is. */
async function becomeLike({ uid, gid, mode }: Stats, name: string): Promise<void> {
  const made = await stat(name);
  if (made.gid !== gid && made.uid === uid) await chown(name, uid, gid).catch(() => {});
  await chmod(name, mode & PERMISSIONS);
}

function takesFiles(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
