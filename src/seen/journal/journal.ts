import { UrlmillError } from "../../base/errors.ts";
import { markHandled } from "../../base/handled.ts";
import type { FingerprintDigest } from "../../fingerprints/digest.ts";
import { HOME } from "../../fingerprints/table.ts";
import { IoError } from "../../io/io-error.ts";
import {
  checkIdentity,
  newIdentity,
  type SeenIdentity,
  type SeenRequest,
} from "../contract/identity.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { statOwn } from "../folder/own-file.ts";
import { SetFolder } from "../folder/set-folder.ts";
import { Spread } from "../folder/spread.ts";
import { isBesideSet, refuseOtherStores } from "../folder/store-names.ts";
import { isJournal, JournalFile, journalName } from "./journal-file.ts";
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
  readonly #folder: SetFolder;
  readonly #fsync: Fsync;
  #manifest: Manifest;
  #file: JournalFile;
  /** Bytes of unfinished writes that were cut when it was opened. */
  readonly cutBytes: number;
  #timer: NodeJS.Timeout | undefined;
  #failure: UrlmillError | null = null;

  private constructor(
    folder: SetFolder,
    fsync: Fsync,
    manifest: Manifest,
    { file, cut }: { file: JournalFile; cut: number },
  ) {
    this.#folder = folder;
    this.#fsync = fsync;
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
      const folder = await SetFolder.take(directory);
      try {
        await refuseOtherStores(directory, "journal");
        const manifest = (await readManifest(directory)) ?? (await begin(folder, wanted));
        checkIdentity(manifest.identity, wanted, directory);
        const name = folder.pathOf(journalName(manifest.journal));
        // A file that is missing is reported when it is opened.
        const size = (await statOwn(name))?.size ?? 0;
        const add = load(manifest.identity, size);
        const { bits } = manifest.identity;
        const spread = new Spread(size / (bits / 8), name);
        const take = (fingerprints: Uint8Array): void => {
          checkBlock(fingerprints, name, bits);
          spread.add(fingerprints, bits / 8, HOME);
          add(fingerprints);
        };
        const opened = await JournalFile.open(name, manifest.journal, manifest.durableBytes, take);
        try {
          // Only now: if the journal in the manifest is damaged, another may be all that is left.
          await removeOthers(folder, manifest.journal);
        } catch (error) {
          await opened.file.close();
          throw error;
        }
        return new Journal(folder, fsync, manifest, opened);
      } catch (error) {
        await folder.release();
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
      throw error instanceof IoError ? error : storeFailed(this.#folder.path, error);
    }
  }

  /** Adds fingerprints, which must not be in the journal yet. */
  append(fingerprints: Uint8Array): Promise<void> {
    return this.#attempt(async () => {
      // Before, so that a call is not recorded and then throws.
      if (this.bytes - this.#manifest.durableBytes >= MANIFEST_EVERY) await this.#writeManifest();
      await this.#file.append(fingerprints);
      if (this.#fsync === "batch") await this.#file.sync();
      if (this.#fsync === "second") this.#syncSoon();
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
    const name = journalName(journal);
    let file: JournalFile | null = null;
    let manifest: Manifest;
    try {
      file = await JournalFile.create(this.#folder, name, journal);
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
      await prepareManifest(this.#folder, manifest);
    } catch (error) {
      // Files that cannot be removed here are removed when the set is opened next. The first error says more.
      await Promise.allSettled([file?.close(), this.#folder.remove(name)]);
      throw storeFailed(this.#folder.path, error);
    }
    const [old, compacted] = [this.#file, file];
    await this.#attempt(async () => {
      // The manifest says which file counts. The next process that opens the set removes the other.
      await replaceManifest(this.#folder).catch(async (error: unknown) => {
        await compacted.close();
        throw error;
      });
      this.#file = compacted;
      this.#manifest = manifest;
      await old.close();
      await this.#folder.remove(journalName(journal - 1));
    });
  }

  /** Makes all fingerprints durable and releases the lock. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#attempt(() => this.#writeManifest());
    } finally {
      await this.#closeFiles();
    }
  }

  async #closeFiles(): Promise<void> {
    try {
      await this.#file.close().finally(() => this.#folder.release());
    } catch (error) {
      throw storeFailed(this.#folder.path, error);
    }
  }

  /** Makes the file durable and records that in the manifest. */
  async #writeManifest(): Promise<void> {
    await this.#file.sync();
    this.#manifest = { ...this.#manifest, durableBytes: this.#file.synced };
    await writeManifest(this.#folder, this.#manifest);
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
      this.#failure = storeFailed(this.#folder.path, error);
      throw this.#failure;
    }
  }
}

/** Begins a set in a folder without other files. */
async function begin(folder: SetFolder, wanted: SeenRequest): Promise<Manifest> {
  for (const name of await folder.names()) {
    if (isBesideSet(name) || name === UNFINISHED_MANIFEST) continue;
    if (isJournal(name) && (await statOwn(folder.pathOf(name)))?.size === 0) continue;
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${folder.path} holds ${name} and no ${MANIFEST}: give a directory of the set's own`,
    );
  }
  const manifest = { identity: newIdentity(wanted), journal: 1, durableBytes: 0 };
  const name = journalName(manifest.journal);
  const file = await JournalFile.create(folder, name, manifest.journal);
  await file.close();
  await folder.sync();
  await writeManifest(folder, manifest);
  return manifest;
}

/** Removes files that a compaction left, because it was interrupted or could not delete the old file. */
async function removeOthers(folder: SetFolder, journal: number): Promise<void> {
  for (const name of await folder.names()) {
    if (isJournal(name) && name !== journalName(journal)) await folder.remove(name);
  }
}
