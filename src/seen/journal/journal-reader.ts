import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { paths } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import { countByReading, type StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { openOwn } from "../folder/own-file.ts";
import { HEADER } from "./block.ts";
import { journalName } from "./journal-file.ts";
import { MANIFEST, type Manifest, readManifest } from "./manifest.ts";
import { blocksOf, checkBlock, unfinishedBytes } from "./read-blocks.ts";

/** Opens a journal to read it. Whoever calls this has its lock. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function readJournal(directory: string): Promise<StoredReader> {
  try {
    const manifest = await manifestOf(directory);
    const name = paths().join(directory, journalName(manifest.journal));
    const handle = await openOwn(name, "r");
    try {
      const { size } = await handle.stat();
      return new JournalReader(directory, name, manifest, handle, size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Returns what a journal was made with. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function journalIdentity(directory: string): Promise<SeenIdentity> {
  try {
    return (await manifestOf(directory)).identity;
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Returns the number of a journal, with which the name of its file ends. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function journalNumber(directory: string): Promise<number> {
  try {
    return (await manifestOf(directory)).journal;
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

async function manifestOf(directory: string): Promise<Manifest> {
  const manifest = await readManifest(directory);
  if (manifest !== null) return manifest;
  throw new UrlmillError("SEEN_CORRUPT", `${directory} has no ${MANIFEST}`);
}

class JournalReader implements StoredReader {
  readonly where: string;
  readonly store = "journal";
  readonly hasChecksums = true;
  readonly storedBytes: number;
  left: string | null = null;
  readonly #name: string;
  readonly #manifest: Manifest;
  readonly #handle: FileHandle;

  constructor(where: string, name: string, manifest: Manifest, handle: FileHandle, bytes: number) {
    this.where = where;
    this.storedBytes = bytes;
    this.#name = name;
    this.#manifest = manifest;
    this.#handle = handle;
  }

  get identity(): SeenIdentity {
    return this.#manifest.identity;
  }

  get bits(): number {
    return this.identity.bits;
  }

  size(): Promise<number> {
    return countByReading(this);
  }

  async *fingerprints(): AsyncGenerator<Uint8Array, void, undefined> {
    const place = { name: this.#name, ...this.#manifest };
    let bytes = 0;
    try {
      for await (const { fingerprints } of blocksOf(this.#handle, place.journal)) {
        checkBlock(fingerprints, this.#name, this.bits);
        yield fingerprints;
        bytes += HEADER + fingerprints.length;
      }
      const unfinished = await unfinishedBytes(this.#handle, place, bytes);
      this.left = unfinished === 0 ? null : `${unfinished} bytes of an unfinished write`;
    } catch (error) {
      throw storeFailed(this.where, error);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
