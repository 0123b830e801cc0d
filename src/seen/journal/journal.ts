import { UrlmillError } from "../../base/errors.ts";
import { markHandled } from "../../base/handled.ts";
import { files, paths } from "../../base/peer.ts";
import { makeDirectory, removeOld, syncDirectory } from "../../io/files/directory.ts";
import { IoError } from "../../io/io-error.ts";
import { checkIdentity, newIdentity, type SeenIdentity } from "../identity.ts";
import type { FingerprintDigest } from "../memory/digest.ts";
import type { SeenRequest } from "../request.ts";
import { storeFailed } from "../store-failed.ts";
import { isOfSystem, refuseOtherStores } from "../stored/heads.ts";
import { isJournal, JournalFile, journalName } from "./journal-file.ts";
import { LOCK_FILE, type Lock, lockDirectory } from "./lock.ts";
import {
  MANIFEST,
  type Manifest,
  prepareManifest,
  readManifest,
  replaceManifest,
  UNFINISHED_MANIFEST,
  writeManifest,
} from "./manifest.ts";
import { checkBlock } from "./read-blocks.ts";

/**
 * Says when a batch must be on disk: before it is answered, at most a second later, or when the set is
 * closed. Until then it survives the end of the process, but not a crash of the machine.
 */
export type Fsync = "batch" | "second" | "close";

/** Writes a new manifest when the journal has grown by this many bytes. */
const MANIFEST_EVERY = 1 << 26;
/** A journal of at least this many bytes is compacted when it is opened, if a fifth of it is overhead. */
const COMPACT_FROM = 1 << 20;

/**
 * Takes the fingerprints of a journal. It is called with their identity and size in bytes, and returns a
 * function that takes their bytes.
 */
export type Load = (identity: SeenIdentity, bytes: number) => (fingerprints: Uint8Array) => void;

/**
 * Keeps fingerprints on disk, for one writer at a time, in a directory with a manifest and a file of blocks
 * that only grows. After a write fails, all later calls throw the same error.
 */
export class Journal {
  readonly #directory: string;
  readonly #fsync: Fsync;
  readonly #lock: Lock;
  #manifest: Manifest;
  #file: JournalFile;
  /** Bytes of unfinished writes that were cut when it was opened. */
  readonly cutBytes: number;
  #timer: NodeJS.Timeout | undefined;
  #failure: UrlmillError | null = null;

  private constructor(
    directory: string,
    fsync: Fsync,
    lock: Lock,
    manifest: Manifest,
    { file, cut }: { file: JournalFile; cut: number },
  ) {
    this.#directory = directory;
    this.#fsync = fsync;
    this.#lock = lock;
    this.#manifest = manifest;
    this.#file = file;
    this.cutBytes = cut;
  }

  /**
   * Opens the journal of a directory and loads its fingerprints, or begins a journal if there is none. Throws
   * `SEEN_MISMATCH`, `SEEN_CORRUPT` and `SEEN_LOCKED`, and `SEEN_FAILED` if the system refuses a call.
   */
  static async open(
    directory: string,
    wanted: SeenRequest,
    fsync: Fsync,
    load: Load,
  ): Promise<Journal> {
    try {
      await makeDirectory(directory);
      const lock = await lockDirectory(directory);
      try {
        await refuseOtherStores(directory, "journal");
        const manifest = (await readManifest(directory)) ?? (await begin(directory, wanted));
        checkIdentity(manifest.identity, wanted, directory);
        const name = journalName(directory, manifest.journal);
        // A file that is missing is reported when it is opened.
        const { size } = await files()
          .stat(name)
          .catch(() => ({ size: 0 }));
        const add = load(manifest.identity, size);
        const take = (fingerprints: Uint8Array): void => {
          checkBlock(fingerprints, name, manifest.identity.bits);
          add(fingerprints);
        };
        const opened = await JournalFile.open(name, manifest.journal, manifest.durableBytes, take);
        try {
          // Only now: if the journal in the manifest is damaged, another may be all that is left.
          await removeOthers(directory, manifest.journal);
        } catch (error) {
          await opened.file.close();
          throw error;
        }
        return new Journal(directory, fsync, lock, manifest, opened);
      } catch (error) {
        await lock.release();
        throw error;
      }
    } catch (error) {
      throw storeFailed(directory, error);
    }
  }

  /** Returns the identity that the fingerprints were made with. */
  get identity(): SeenIdentity {
    return this.#manifest.identity;
  }

  /** Counts the bytes on disk. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Returns whether much of the file is overhead, as many small batches leave it. */
  get isWorthCompacting(): boolean {
    const { bytes, payload } = this.#file;
    return bytes >= COMPACT_FROM && payload < 0.8 * bytes;
  }

  /** Throws the error of an earlier write, if one failed. */
  checkIntact(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Hands all fingerprints to `take`, which must copy what it keeps. */
  async each(take: (fingerprints: Uint8Array) => void): Promise<void> {
    try {
      await this.#file.each(take);
    } catch (error) {
      throw error instanceof IoError ? error : storeFailed(this.#directory, error);
    }
  }

  /** Adds fingerprints, which must not be in the journal yet. */
  append(fingerprints: Uint8Array): Promise<void> {
    return this.#attempt(async () => {
      await this.#file.append(fingerprints);
      if (this.#fsync === "batch") await this.#file.sync();
      if (this.#fsync === "second") this.#syncSoon();
      if (this.bytes - this.#manifest.durableBytes >= MANIFEST_EVERY) await this.#writeManifest();
    });
  }

  /**
   * Writes the whole journal again, in blocks as large as possible. `expected`: the digest of what it must
   * hold, made from another copy. Throws `SEEN_CORRUPT` if the new file does not hold that, and `SEEN_FAILED`
   * if the system refuses a call. Then the old file stays, and the journal can still be used.
   */
  async compact(expected: FingerprintDigest): Promise<void> {
    this.checkIntact();
    const journal = this.#manifest.journal + 1;
    const name = journalName(this.#directory, journal);
    let file: JournalFile | null = null;
    let manifest: Manifest;
    try {
      file = await JournalFile.create(name, journal);
      await this.#file.copyTo(file);
      await file.sync();
      const written = await file.digest(this.identity.bits);
      if (!written.equals(expected)) {
        const counts = `${written.count} fingerprints of ${expected.count}`;
        throw new UrlmillError(
          "SEEN_CORRUPT",
          `${this.#file.name}: a copy does not hold the same fingerprints (${counts}), so the old file stays`,
        );
      }
      manifest = { ...this.#manifest, journal, durableBytes: file.synced };
      await prepareManifest(this.#directory, manifest);
    } catch (error) {
      // Files that cannot be removed here are removed when the set is opened next. The first error says more.
      await Promise.allSettled([file?.close(), files().rm(name, { force: true })]);
      throw storeFailed(this.#directory, error);
    }
    const [old, compacted] = [this.#file, file];
    await this.#attempt(async () => {
      // The manifest says which file counts. The next process that opens the set removes the other.
      await replaceManifest(this.#directory).catch(async (error: unknown) => {
        await compacted.close();
        throw error;
      });
      this.#file = compacted;
      this.#manifest = manifest;
      await old.close();
      await removeOld(old.name);
    });
  }

  /** Makes all fingerprints durable and releases the lock. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#attempt(() => this.#writeManifest());
    } finally {
      await this.#file.close().finally(() => this.#lock.release());
    }
  }

  /** Makes the file durable and records that in the manifest. */
  async #writeManifest(): Promise<void> {
    await this.#file.sync();
    this.#manifest = { ...this.#manifest, durableBytes: this.#file.synced };
    await writeManifest(this.#directory, this.#manifest);
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      markHandled(this.#attempt(() => this.#file.sync())); // the next call throws the error
    }, 1000).unref();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.checkIntact();
    try {
      await work();
    } catch (error) {
      this.#failure = storeFailed(this.#directory, error);
      throw this.#failure;
    }
  }
}

/** Begins a set in a directory without other files. */
async function begin(directory: string, wanted: SeenRequest): Promise<Manifest> {
  for (const name of await files().readdir(directory)) {
    const { size } = await files().stat(paths().join(directory, name));
    const isOurs = name === LOCK_FILE || name === UNFINISHED_MANIFEST || isOfSystem(name);
    if (isOurs || (isJournal(name) && size === 0)) continue;
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${directory} holds ${name} and no ${MANIFEST}: give a directory of the set's own`,
    );
  }
  const manifest = { identity: newIdentity(wanted), journal: 1, durableBytes: 0 };
  const file = await JournalFile.create(journalName(directory, manifest.journal), manifest.journal);
  await file.close();
  await syncDirectory(directory);
  await writeManifest(directory, manifest);
  return manifest;
}

/** Removes files that a compaction left, because it was interrupted or could not delete the old file. */
async function removeOthers(directory: string, journal: number): Promise<void> {
  const current = journalName("", journal);
  for (const name of await files().readdir(directory)) {
    if (isJournal(name) && name !== current) await removeOld(paths().join(directory, name));
  }
}
