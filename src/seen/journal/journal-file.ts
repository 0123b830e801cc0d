import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files } from "../../base/peer.ts";
import { FingerprintDigest } from "../memory/digest.ts";
import { type Block, blockHeader, HEADER, LARGEST, largestSynced, readBlock } from "./block.ts";

/** Bytes read at a time: several of the largest blocks. */
const READ = 1 << 23;

/** The contents of a file. */
interface Contents {
  readonly bytes: number;
  readonly blocks: number;
}

/** Holds one file of blocks, to which more are added. */
export class JournalFile {
  readonly name: string;
  readonly #handle: FileHandle;
  readonly #journal: number;
  /** Bytes of the whole blocks. */
  #bytes: number;
  #blocks: number;
  #synced = 0;

  private constructor(name: string, handle: FileHandle, journal: number, contents: Contents) {
    this.name = name;
    this.#handle = handle;
    this.#journal = journal;
    this.#bytes = contents.bytes;
    this.#blocks = contents.blocks;
  }

  /** Creates a file. Overwrites an unfinished one of that name. */
  static async create(name: string, journal: number): Promise<JournalFile> {
    const handle = await files().open(name, "w+", 0o600);
    return new JournalFile(name, handle, journal, { bytes: 0, blocks: 0 });
  }

  /**
   * Opens a file and hands the fingerprints of each block to `take`, which must copy what it keeps. Cuts the
   * file at the first gap and returns the number of bytes `cut`. A power cut leaves a gap if later pages were
   * written before earlier ones. Throws `SEEN_CORRUPT` if the gap is in the part that was on disk for
   * certain, by the manifest (`durableBytes`) or by a later block.
   */
  static async open(
    name: string,
    journal: number,
    durableBytes: number,
    take: (fingerprints: Uint8Array) => void,
  ): Promise<{ file: JournalFile; cut: number }> {
    const handle = await files()
      .open(name, "r+")
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") throw new UrlmillError("SEEN_CORRUPT", `${name} is missing`);
        throw error;
      });
    try {
      const contents = await readBlocks(handle, journal, take);
      const { size } = await handle.stat();
      const later = contents.bytes < size ? await syncedAfter(handle, contents.bytes, journal) : 0;
      if (contents.bytes < Math.max(durableBytes, later)) {
        const message = `${name} is damaged at byte ${contents.bytes} of ${Math.max(durableBytes, size)}`;
        throw new UrlmillError("SEEN_CORRUPT", message);
      }
      if (contents.bytes < size) await handle.truncate(contents.bytes);
      const file = new JournalFile(name, handle, journal, contents);
      await file.sync();
      return { file, cut: size - contents.bytes };
    } catch (error) {
      await handle.close();
      throw error;
    }
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
   * Writes fingerprints at the end. If it throws, the file is as it was, or has an unfinished block. Throws
   * `SEEN_LOCKED` if another process has written to the file or has replaced it.
   */
  async append(fingerprints: Uint8Array): Promise<void> {
    for (let at = 0; at < fingerprints.length; at += LARGEST) {
      const rows = fingerprints.subarray(at, at + LARGEST);
      const place = { journal: this.#journal, number: this.#blocks };
      const block = Buffer.concat([blockHeader(place, rows, this.#synced), rows]);
      this.#checkUntouched();
      for (let done = 0; done < block.length; ) {
        const { bytesWritten } = await this.#handle.write(
          block,
          done,
          block.length - done,
          this.#bytes + done,
        );
        done += bytesWritten;
      }
      this.#bytes += block.length;
      this.#blocks++;
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

  /** Reads what the blocks hold, from the beginning on. The next step overwrites the memory that it gives. */
  async *blocks(): AsyncGenerator<Uint8Array> {
    for await (const { fingerprints } of blocksOf(this.#handle, this.#journal)) yield fingerprints;
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
    await readBlocks(this.#handle, this.#journal, (fingerprints) => digest.add(fingerprints));
    return digest;
  }

  /** Returns when all that was written before the call is on disk. */
  async sync(): Promise<void> {
    const bytes = this.#bytes;
    await this.#handle.datasync();
    this.#synced = Math.max(this.#synced, bytes);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function readBlocks(
  handle: FileHandle,
  journal: number,
  take: (fingerprints: Uint8Array) => void,
): Promise<Contents> {
  let bytes = 0;
  let blocks = 0;
  for await (const { fingerprints } of blocksOf(handle, journal)) {
    take(fingerprints);
    bytes += HEADER + fingerprints.length;
    blocks++;
  }
  return { bytes, blocks };
}

/** Reads the blocks of a file up to the first gap. The next step overwrites the memory that a block views. */
async function* blocksOf(handle: FileHandle, journal: number): AsyncGenerator<Block> {
  // A small file takes a small buffer, with room for the step that finds its end.
  const room = Math.min(READ, (await handle.stat()).size + 1);
  const buffer = new Uint8Array(room);
  let filled = 0;
  let position = 0;
  let number = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, room - filled, position);
    position += bytesRead;
    filled += bytesRead;
    let at = 0;
    for (;;) {
      const block = readBlock(buffer.subarray(at, filled), { journal, number });
      if (block === null) break;
      yield block;
      at += HEADER + block.fingerprints.length;
      number++;
    }
    // The rest is the beginning of a block, or a gap.
    if (bytesRead === 0 || filled - at >= HEADER + LARGEST) return;
    buffer.copyWithin(0, at, filled);
    filled -= at;
  }
}

/** Returns how many bytes of the file were on disk for certain, by the headers from `position` on. */
async function syncedAfter(handle: FileHandle, position: number, journal: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(READ);
  let synced = 0;
  for (let at = position; ; at += READ - HEADER) {
    const { bytesRead } = await handle.read(buffer, 0, READ, at);
    synced = Math.max(synced, largestSynced(buffer.subarray(0, bytesRead), journal));
    if (bytesRead < READ) return synced;
  }
}
