import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { UrlmillError } from "../../errors.ts";
import { describeSystemError } from "../../io/io-error.ts";
import { checkIdentity, newIdentity, type SeenIdentity } from "../identity.ts";
import type { SeenRequest } from "../request.ts";
import { JournalFile } from "./journal-file.ts";
import { LOCK_FILE, type Lock, lockDirectory } from "./lock.ts";
import {
  MANIFEST,
  type Manifest,
  readManifest,
  UNFINISHED_MANIFEST,
  writeManifest,
} from "./manifest.ts";

/**
 * When what is written must be on disk: before a batch is answered, a second later at most, or when the
 * set is closed. Until then it outlives the process, but not a crash of the machine.
 */
export type Fsync = "batch" | "second" | "close";

/** Bytes behind the last manifest at which a new one is due. */
const MANIFEST_EVERY = 1 << 26;
/** A journal of this many bytes is compacted when it is opened, if a fifth of it is no fingerprint. */
const COMPACT_FROM = 1 << 20;

/** Takes fingerprints from a journal: is told what they are, and how many bytes of them come. */
export type Load = (identity: SeenIdentity, bytes: number) => (fingerprints: Uint8Array) => void;

/**
 * Fingerprints on disk, with one writer at a time: a directory of a manifest, and a file of blocks that
 * only grows. A call that fails breaks it: all later ones throw the same error.
 */
export class Journal {
  readonly #directory: string;
  readonly #fsync: Fsync;
  readonly #lock: Lock;
  #manifest: Manifest;
  #file: JournalFile;
  /** Bytes of an unfinished write that were cut when it was opened. */
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
      await mkdir(directory, { recursive: true });
      const lock = await lockDirectory(directory);
      try {
        const manifest = (await readManifest(directory)) ?? (await begin(directory, wanted));
        checkIdentity(manifest.identity, wanted, directory);
        const name = journalName(directory, manifest.journal);
        const { size } = await stat(name).catch(() => ({ size: 0 }));
        const take = load(manifest.identity, size);
        const opened = await JournalFile.open(name, manifest.journal, manifest.durableBytes, take);
        const journal = new Journal(directory, fsync, lock, manifest, opened);
        await journal.#settle().catch(async (error: unknown) => {
          await journal.#file.close();
          throw error;
        });
        return journal;
      } catch (error) {
        await lock.release();
        throw error;
      }
    } catch (error) {
      throw failed(directory, error);
    }
  }

  get identity(): SeenIdentity {
    return this.#manifest.identity;
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#file.bytes;
  }

  /** Adds fingerprints, which must be none that are there. */
  append(fingerprints: Uint8Array): Promise<void> {
    return this.#attempt(async () => {
      await this.#file.append(fingerprints);
      if (this.#fsync === "batch") await this.#file.sync();
      if (this.#fsync === "second") this.#syncSoon();
      if (this.bytes - this.#manifest.durableBytes >= MANIFEST_EVERY) await this.#writeManifest();
    });
  }

  /** Writes all anew in blocks as large as may be. */
  compact(): Promise<void> {
    return this.#attempt(async () => {
      const old = this.#file;
      const journal = this.#manifest.journal + 1;
      const file = await JournalFile.create(journalName(this.#directory, journal), journal);
      const manifest = { ...this.#manifest, journal };
      try {
        await old.copyTo(file);
        await file.sync();
        // Which file counts is what the manifest says; the next to open takes the other away.
        await writeManifest(this.#directory, { ...manifest, durableBytes: file.bytes });
      } catch (error) {
        await file.close();
        throw error;
      }
      this.#file = file;
      this.#manifest = { ...manifest, durableBytes: file.bytes };
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
      await this.#file.close();
      await this.#lock.release();
    }
  }

  /** Compacts a file that is mostly overhead, and takes what is left of earlier ones away. */
  async #settle(): Promise<void> {
    const current = journalName("", this.#manifest.journal);
    for (const name of await readdir(this.#directory)) {
      if (isJournal(name) && name !== current) await rm(join(this.#directory, name));
    }
    const { bytes, payload } = this.#file;
    if (bytes >= COMPACT_FROM && payload < 0.8 * bytes) await this.compact();
    else await this.#writeManifest();
  }

  /** Makes the file durable and says so. */
  async #writeManifest(): Promise<void> {
    await this.#file.sync();
    this.#manifest = { ...this.#manifest, durableBytes: this.#file.bytes };
    await writeManifest(this.#directory, this.#manifest);
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#attempt(() => this.#file.sync()).catch(() => {}); // the next call throws it
    }, 1000).unref();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
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
    throw new UrlmillError("SEEN_CORRUPT", `${directory} holds ${name} and no ${MANIFEST}`);
  }
  const manifest = { identity: newIdentity(wanted), journal: 1, durableBytes: 0 };
  const file = await JournalFile.create(journalName(directory, manifest.journal), manifest.journal);
  await file.close();
  await writeManifest(directory, manifest);
  return manifest;
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
