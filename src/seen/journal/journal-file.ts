import { type FileHandle, open } from "node:fs/promises";
import { UrlmillError } from "../../errors.ts";
import { blockHeader, HEADER, holdsHeader, LARGEST, readBlock } from "./block.ts";

/** Bytes read at a time: several of the largest blocks. */
const READ = 1 << 23;

/** What stands in a file. */
interface Contents {
  readonly bytes: number;
  readonly blocks: number;
}

/** One file of blocks, to which more are added. */
export class JournalFile {
  readonly name: string;
  readonly #handle: FileHandle;
  readonly #journal: number;
  /** Bytes of whole blocks. */
  bytes: number;
  #blocks: number;

  private constructor(name: string, handle: FileHandle, journal: number, contents: Contents) {
    this.name = name;
    this.#handle = handle;
    this.#journal = journal;
    this.bytes = contents.bytes;
    this.#blocks = contents.blocks;
  }

  /** A new file; one of that name that was left unfinished is overwritten. */
  static async create(name: string, journal: number): Promise<JournalFile> {
    const handle = await open(name, "w+", 0o600);
    return new JournalFile(name, handle, journal, { bytes: 0, blocks: 0 });
  }

  /**
   * Opens a file and hands the fingerprints of each block to `take`. What a write left unfinished at the
   * end is cut: `cut` of the result says how many bytes. Throws `SEEN_CORRUPT` for damage, which is what
   * stands before `durableBytes`, or before another block.
   */
  static async open(
    name: string,
    journal: number,
    durableBytes: number,
    take: (fingerprints: Uint8Array) => void,
  ): Promise<{ file: JournalFile; cut: number }> {
    const handle = await open(name, "r+").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw new UrlmillError("SEEN_CORRUPT", `${name} is missing`);
      throw error;
    });
    try {
      const contents = await readBlocks(handle, journal, take);
      const { size } = await handle.stat();
      if (contents.bytes < Math.max(durableBytes, size)) {
        const isTorn =
          contents.bytes >= durableBytes && !(await hasBlocks(handle, contents.bytes, journal));
        if (!isTorn) {
          const message = `${name} is damaged at byte ${contents.bytes} of ${Math.max(durableBytes, size)}`;
          throw new UrlmillError("SEEN_CORRUPT", message);
        }
        await handle.truncate(contents.bytes);
      }
      const file = new JournalFile(name, handle, journal, contents);
      return { file, cut: Math.max(0, size - contents.bytes) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Writes fingerprints behind those that are there. What fails leaves the file as it was, or torn. */
  async append(fingerprints: Uint8Array): Promise<void> {
    for (let at = 0; at < fingerprints.length; at += LARGEST) {
      const rows = fingerprints.subarray(at, at + LARGEST);
      const header = blockHeader({ journal: this.#journal, number: this.#blocks }, rows);
      const block = Buffer.concat([header, rows]);
      for (let done = 0; done < block.length; ) {
        const { bytesWritten } = await this.#handle.write(
          block,
          done,
          block.length - done,
          this.bytes + done,
        );
        done += bytesWritten;
      }
      this.bytes += block.length;
      this.#blocks++;
    }
  }

  /** Bytes of fingerprints, without what goes with them. */
  get payload(): number {
    return this.bytes - HEADER * this.#blocks;
  }

  /** Copies all fingerprints to another file, in blocks as large as may be. Throws `SEEN_CORRUPT`. */
  async copyTo(target: JournalFile): Promise<void> {
    const pending: Uint8Array[] = [];
    let length = 0;
    for await (const fingerprints of blocksOf(this.#handle, this.#journal)) {
      pending.push(fingerprints.slice());
      length += fingerprints.length;
      if (length < READ) continue;
      const rest = length % LARGEST;
      const all = Buffer.concat(pending.splice(0));
      await target.append(all.subarray(0, length - rest));
      pending.push(all.subarray(length - rest));
      length = rest;
    }
    await target.append(Buffer.concat(pending));
    if (target.payload !== this.payload) {
      const message = `${this.name} is damaged: ${target.payload} of ${this.payload} bytes can be read`;
      throw new UrlmillError("SEEN_CORRUPT", message);
    }
  }

  /** Returns when all is on disk. */
  sync(): Promise<void> {
    return this.#handle.datasync();
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
  for await (const fingerprints of blocksOf(handle, journal)) {
    take(fingerprints);
    bytes += HEADER + fingerprints.length;
    blocks++;
  }
  return { bytes, blocks };
}

/** The blocks of a file up to the first that is none. The views hold until the next step. */
async function* blocksOf(handle: FileHandle, journal: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(READ);
  let filled = 0;
  let position = 0;
  let number = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, READ - filled, position);
    position += bytesRead;
    filled += bytesRead;
    let at = 0;
    for (;;) {
      const block = readBlock(buffer.subarray(at, filled), { journal, number });
      if (block === null) break;
      yield block;
      at += HEADER + block.length;
      number++;
    }
    // What is left is the beginning of a block, or no block.
    if (bytesRead === 0 || filled - at >= HEADER + LARGEST) return;
    buffer.copyWithin(0, at, filled);
    filled -= at;
  }
}

/** Whether a block of the journal begins anywhere behind `position`. */
async function hasBlocks(handle: FileHandle, position: number, journal: number): Promise<boolean> {
  const buffer = Buffer.allocUnsafeSlow(READ);
  // The header at the position itself may be whole and its block not.
  for (let at = position + 1; ; at += READ - HEADER) {
    const { bytesRead } = await handle.read(buffer, 0, READ, at);
    if (holdsHeader(buffer.subarray(0, bytesRead), journal)) return true;
    if (bytesRead < READ) return false;
  }
}
