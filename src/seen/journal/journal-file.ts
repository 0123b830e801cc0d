import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, paths } from "../../base/peer.ts";
import { FingerprintDigest } from "../../fingerprints/digest.ts";
import { openOwn } from "../folder/own-file.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import { blockHeader, HEADER, LARGEST } from "./block.ts";
import {
  blocksOf,
  type Contents,
  damagedAt,
  READ,
  readBlocks,
  unfinishedBytes,
} from "./read-blocks.ts";

/** Holds one file of blocks, to which more are added. */
export class JournalFile {
  #name: string;
  readonly #handle: FileHandle;
  readonly #journal: number;
  /** Bytes of the whole blocks. */
  #bytes: number;
  #blocks: number;
  #synced = 0;

  private constructor(name: string, handle: FileHandle, journal: number, contents: Contents) {
    this.#name = name;
    this.#handle = handle;
    this.#journal = journal;
    this.#bytes = contents.bytes;
    this.#blocks = contents.blocks;
  }

  /** Creates a file, in the place of an unfinished one of that name. */
  static async create(folder: SetFolder, name: string, journal: number): Promise<JournalFile> {
    const handle = await folder.create(name);
    return new JournalFile(folder.pathOf(name), handle, journal, { bytes: 0, blocks: 0 });
  }

  /**
   * Opens a file and hands the fingerprints of each block to `take`, which must copy what it keeps. Cuts the
   * file at the first gap and returns the number of bytes `cut`. Throws `SEEN_CORRUPT` if the file is missing or
   * damaged.
   */
  static async open(
    name: string,
    journal: number,
    durableBytes: number,
    take: (fingerprints: Uint8Array) => void,
  ): Promise<{ file: JournalFile; cut: number }> {
    const handle = await openOwn(name, "r+");
    try {
      const contents = await readBlocks(handle, journal, take);
      const cut = await unfinishedBytes(handle, { name, journal, durableBytes }, contents.bytes);
      if (cut > 0) await handle.truncate(contents.bytes);
      const file = new JournalFile(name, handle, journal, contents);
      await file.sync();
      return { file, cut };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get name(): string {
    return this.#name;
  }

  /** Counts the bytes of whole blocks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the bytes that are on disk for certain. */
  get synced(): number {
    return this.#synced;
  }

  /** Counts the bytes of fingerprints, without headers. */
  get payload(): number {
    return this.#bytes - HEADER * this.#blocks;
  }

  /**
   * Writes fingerprints at the end. If the system refuses a write, it takes back those before: nobody is told what they
   * answer. Append nothing more then. Throws `SEEN_LOCKED` if another process has written to the file or has replaced it.
   */
  async append(fingerprints: Uint8Array): Promise<void> {
    const before = this.#bytes;
    for (let at = 0; at < fingerprints.length; at += LARGEST) {
      const rows = fingerprints.subarray(at, at + LARGEST);
      const place = { journal: this.#journal, number: this.#blocks };
      const block = Buffer.concat([blockHeader(place, rows, this.#synced), rows]);
      this.#checkUntouched();
      try {
        await this.#write(block);
      } catch (error) {
        await this.#handle.truncate(before).catch(() => {}); // the first error says more
        throw error;
      }
      this.#bytes += block.length;
      this.#blocks++;
    }
  }

  async #write(block: Uint8Array): Promise<void> {
    for (let done = 0; done < block.length; ) {
      const at = this.#bytes + done;
      const { bytesWritten } = await this.#handle.write(block, done, block.length - done, at);
      done += bytesWritten;
    }
  }

  /**
   * Throws if another process has written to the file. The lock normally prevents that; if it cannot, nothing
   * that others wrote is overwritten.
   */
  #checkUntouched(): void {
    const { size, nlink } = builtin("node:fs").fstatSync(this.#handle.fd);
    if (size === this.#bytes && nlink > 0) return;
    const what = nlink > 0 ? `has ${size} bytes, not ${this.#bytes}` : "was replaced";
    const message = `${this.name} ${what}: another process writes to this set`;
    throw new UrlmillError(
      "SEEN_LOCKED",
      `${message}. Let one process have it, then open it again`,
    );
  }

  /**
   * Reads what the blocks hold, from the beginning on. The next step overwrites the memory that it gives. Throws `SEEN_CORRUPT`
   * if there are fewer than were there when it began.
   */
  async *blocks(): AsyncGenerator<Uint8Array> {
    const end = this.#bytes;
    let bytes = 0;
    for await (const { fingerprints } of blocksOf(this.#handle, this.#journal)) {
      yield fingerprints;
      bytes += HEADER + fingerprints.length;
    }
    if (bytes < end) throw damagedAt(this.#name, bytes, end);
  }

  /** Copies all fingerprints to another file, in blocks as large as possible. */
  async copyTo(target: JournalFile): Promise<void> {
    const all = new Uint8Array(READ + LARGEST);
    let length = 0;
    for await (const { fingerprints } of blocksOf(this.#handle, this.#journal)) {
      all.set(fingerprints, length);
      length += fingerprints.length;
      if (length < READ) continue;
      const rest = length % LARGEST;
      await target.append(all.subarray(0, length - rest));
      all.copyWithin(0, length - rest, length);
      length = rest;
    }
    await target.append(all.subarray(0, length));
  }

  /** Reads the file again and returns the digest of its fingerprints. `bits`: size of a fingerprint. */
  async digest(bits: number): Promise<FingerprintDigest> {
    const digest = new FingerprintDigest(bits);
    await this.each((fingerprints) => digest.add(fingerprints));
    return digest;
  }

  /** Hands all fingerprints to `take`, block by block, which must copy what it keeps. */
  async each(take: (fingerprints: Uint8Array) => void): Promise<void> {
    await readBlocks(this.#handle, this.#journal, take);
  }

  /** Returns when all that was written before the call is on disk. */
  async sync(): Promise<void> {
    const bytes = this.#bytes;
    await this.#handle.datasync();
    this.#synced = Math.max(this.#synced, bytes);
  }

  /** Gives the file another name, in the place of the file that has it. */
  async rename(folder: SetFolder, name: string): Promise<void> {
    await folder.rename(paths().basename(this.#name), name);
    this.#name = folder.pathOf(name);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

export function journalName(journal: number): string {
  return `journal-${journal}`;
}

/** Returns whether a name is that of a journal's file. */
export function isJournal(name: string): boolean {
  return /^journal-\d+$/.test(name);
}
