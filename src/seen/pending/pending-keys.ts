import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { renameOver, syncDirectory } from "../../io/files/directory.ts";
import { makeLocked } from "../../io/files/left-files.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { isSameFile, statOwn } from "../folder/own-file.ts";
import { type CommittedRun, removeOldRuns, writeRun } from "./committed-run.ts";

/**
 * Keeps the keys of a run in a file of the set's directory, until the output of the run is in its place. The file is locked
 * before it has its name: one that is not locked, and that no record names, is of a run that has died.
 */
export class PendingKeys {
  /** Says that lines need not be on disk before their keys are appended. */
  readonly isHeld = true;
  readonly #directory: string;
  readonly #name: string;
  /** The path that the file has now. */
  #path: string;
  readonly #file: FileHandle;
  readonly #identity: SeenIdentity;
  #bytes = 0;
  #checksum = 0;

  private constructor(
    directory: string,
    name: string,
    made: { readonly file: FileHandle; readonly name: string },
    identity: SeenIdentity,
  ) {
    this.#directory = directory;
    this.#name = name;
    this.#path = made.name;
    this.#file = made.file;
    this.#identity = identity;
  }

  /** Makes the file. It and the others throw `SEEN_FAILED` if the system refuses a call. */
  static async begin(directory: string, identity: SeenIdentity): Promise<PendingKeys> {
    const random = builtin("node:crypto").randomBytes(4).toString("hex");
    const pathOf = (name: string): string => paths().join(directory, name);
    const name = `run-${process.pid}-${random}.keys`;
    const names = { unlocked: pathOf(`${name}.new`), locked: pathOf(name) };
    const made = await told(directory, () => makeLocked(names, 0o600));
    return new PendingKeys(directory, name, made, identity);
  }

  /** Appends fingerprints. Call it again only after it has returned. */
  async append(fingerprints: Uint8Array): Promise<void> {
    const at = this.#bytes;
    this.#bytes += fingerprints.length;
    this.#checksum = builtin("node:zlib").crc32(fingerprints, this.#checksum);
    await told(this.#directory, () => writeAll(this.#file, fingerprints, at));
  }

  /** Returns when the keys are on disk, under the name that the file has. */
  sync(): Promise<void> {
    return told(this.#directory, async () => {
      await this.#file.datasync();
      await syncDirectory(this.#directory);
    });
  }

  /** Records the run, whose output is in its place. From then on, whoever opens the set adds the keys. */
  commit(run: Pick<CommittedRun, "call" | "outputs">): Promise<void> {
    return told(this.#directory, () => this.#record(run));
  }

  async #record(run: Pick<CommittedRun, "call" | "outputs">): Promise<void> {
    await this.#checkPlace();
    const { profileId, bits } = this.#identity;
    const keys = { name: this.#name, bytes: this.#bytes, checksum: this.#checksum };
    // A file that could not be locked has had the name that nobody removes.
    const place = paths().join(this.#directory, this.#name);
    if (this.#path !== place) {
      await renameOver(this.#path, place);
      await syncDirectory(this.#directory);
      this.#path = place;
    }
    await writeRun(this.#directory, { ...run, profileId, bits, keys });
    await removeOldRuns(this.#directory);
  }

  /** Throws `SEEN_FAILED` if the directory was moved: what has its name now may be another set. */
  async #checkPlace(): Promise<void> {
    const found = await statOwn(this.#path);
    if (isSameFile(await this.#file.stat(), found)) return;
    throw new UrlmillError(
      "SEEN_FAILED",
      `${this.#directory} was moved or replaced while it was open: the output is written, and its keys are not in the set`,
    );
  }

  pieces(): AsyncGenerator<Uint8Array> {
    return piecesOf(this.#file, this.#bytes);
  }

  /** Removes the file: its keys are in the set, or the run has failed. */
  async remove(): Promise<void> {
    await files().rm(this.#path, { force: true });
    await this.close();
  }

  /** Leaves the file to whoever opens the set next. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Does work in a directory. Names it in the error if the system refuses a call. */
function told<T>(directory: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw storeFailed(directory, error);
  });
}

async function writeAll(file: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, from + at);
    at += bytesWritten;
  }
}

/** The most bytes of fingerprints that are read at a time. A fingerprint never lies in two pieces. */
const PIECE = 1 << 20;

/** Yields the first bytes of a file of keys, in pieces that are valid until the next one. */
export async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(PIECE, bytes));
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(piece.length, bytes - at);
    const length = await readAll(file, piece.subarray(0, wanted), at);
    if (length < wanted) return; // its reader compares the checksum
    yield piece.subarray(0, length);
    at += length;
  }
}

async function readAll(file: FileHandle, into: Uint8Array, from: number): Promise<number> {
  let length = 0;
  while (length < into.length) {
    const { bytesRead } = await file.read(into, length, into.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
