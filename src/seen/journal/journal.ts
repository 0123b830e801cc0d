import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UrlmillError } from "../../errors.ts";
import { describeSystemError } from "../../io/io-error.ts";
import { checkIdentity, newIdentity, type SeenIdentity } from "../identity.ts";
import type { FingerprintDigest } from "../memory/digest.ts";
import type { SeenRequest } from "../request.ts";
import { makeDirectory, syncDirectory } from "./directory.ts";
import { JournalFile } from "./journal-file.ts";
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

/**
 * Says when a batch must be on disk: before it is answered, a second later at most, or when the set
 * is closed. Until then it outlives the process, but not a crash of the machine.
 */
export type Fsync = "batch" | "second" | "close";

/** Bytes since the last manifest at which a new one is due. */
const MANIFEST_EVERY = 1 << 26;
/** A journal of this many bytes is compacted when it is opened, if a fifth of it is not fingerprints. */
const COMPACT_FROM = 1 << 20;

/**
 * Takes the fingerprints of a journal: it is called with their identity and size in bytes, and
 * returns a function for their bytes.
 */
export type Load = (identity: SeenIdentity, bytes: number) => (fingerprints: Uint8Array) => void;

/**
 * Keeps fingerprints on disk, with one writer at a time, in a directory with a manifest and a file
 * of blocks that only grows. A write that fails breaks it: all later calls throw the same error.
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
   * Opens the journal of a directory, or begins one where there is none, and loads what it holds.
   * Throws `SEEN_MISMATCH`, `SEEN_CORRUPT`, `SEEN_LOCKED`, and `SEEN_FAILED` for what the system refuses.
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
        const manifest = (await readManifest(directory)) ?? (await begin(directory, wanted));
        checkIdentity(manifest.identity, wanted, directory);
        const name = journalName(directory, manifest.journal);
        // A file that is missing is reported when it is opened.
        const { size } = await stat(name).catch(() => ({ size: 0 }));
        const take = load(manifest.identity, size);
        const opened = await JournalFile.open(name, manifest.journal, manifest.durableBytes, take);
        try {
          // Only now: where the journal that counts is damaged, another may be all that is left.
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
      throw failed(directory, error);
    }
  }

  /** Returns what the fingerprints were made with. */
  get identity(): SeenIdentity {
    return this.#manifest.identity;
  }

  /** Counts the bytes on disk. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Returns whether the file is mostly overhead, as many small batches leave it. */
  get isWorthCompacting(): boolean {
    const { bytes, payload } = this.#file;
    return bytes >= COMPACT_FROM && payload < 0.8 * bytes;
  }

  /** Throws the error that broke the journal, if one did. */
  checkIntact(): void {
    if (this.#failure !== null) throw this.#failure;
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
   * Writes all anew in blocks as large as may be. `expected`: the digest of what the journal must hold,
   * made from another copy of it. Throws `SEEN_CORRUPT` where the new file does not hold that; then, and
   * where the system refuses (`SEEN_FAILED`), the old file stays and the journal goes on.
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
          `${this.#file.name}: a copy has ${counts}, or others`,
        );
      }
      manifest = { ...this.#manifest, journal, durableBytes: file.synced };
      await prepareManifest(this.#directory, manifest);
    } catch (error) {
      // What fails here is taken away when the set is opened next; the first error says more.
      await Promise.allSettled([file?.close(), rm(name, { force: true })]);
      throw failed(this.#directory, error);
    }
    const [old, compacted] = [this.#file, file];
    await this.#attempt(async () => {
      // Which file counts is what the manifest says; the next to open takes the other away.
      await replaceManifest(this.#directory).catch(async (error: unknown) => {
        await compacted.close();
        throw error;
      });
      this.#file = compacted;
      this.#manifest = manifest;
      await old.close();
      await rm(old.name);
    });
  }

  /** Makes all durable and lets others open it. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#attempt(() => this.#writeManifest());
    } finally {
      await this.#file.close().finally(() => this.#lock.release());
    }
  }

  /** Makes the file durable and says so. */
  async #writeManifest(): Promise<void> {
    await this.#file.sync();
    this.#manifest = { ...this.#manifest, durableBytes: this.#file.synced };
    await writeManifest(this.#directory, this.#manifest);
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#attempt(() => this.#file.sync()).catch(() => {}); // the next call throws it
    }, 1000).unref();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.checkIntact();
    try {
      await work();
    } catch (error) {
      this.#failure = failed(this.#directory, error);
      throw this.#failure;
    }
  }
}

/** Begins a set in a directory that holds nothing else. */
async function begin(directory: string, wanted: SeenRequest): Promise<Manifest> {
  for (const name of await readdir(directory)) {
    const { size } = await stat(join(directory, name));
    const isOurs = name === LOCK_FILE || name === UNFINISHED_MANIFEST;
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

/** Takes away what a compaction left that was cut short, or that could not delete the old file. */
async function removeOthers(directory: string, journal: number): Promise<void> {
  const current = journalName("", journal);
  for (const name of await readdir(directory)) {
    if (isJournal(name) && name !== current) await rm(join(directory, name));
  }
}

function journalName(directory: string, journal: number): string {
  return join(directory, `journal-${journal}`);
}

function isJournal(name: string): boolean {
  return /^journal-\d+$/.test(name);
}

function failed(directory: string, error: unknown): UrlmillError {
  if (error instanceof UrlmillError) return error;
  return new UrlmillError("SEEN_FAILED", `${directory}: ${describeSystemError(error)}`);
}
