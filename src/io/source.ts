import { createReadStream, fstatSync, read } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { type Gathered, gather } from "../pool/gather.ts";
import { compressionOf, MAGIC_LENGTH } from "./compression.ts";
import { describeSystemError, IoError } from "./io-error.ts";
import { shownInput } from "./names.ts";
import { decompressZstd } from "./zstd.ts";

const readFd = promisify(read);

/** Bytes of one input, read into memory of the caller's. */
export interface Source {
  /** Reads up to as many bytes as `into` has, as soon as there are any; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** Bytes taken from the file so far, compressed as they are there. */
  readonly taken: number;
  close(): Promise<void>;
}

/** Opens a file, or standard input for `-`; gzip and zstd are known by their first bytes. */
export async function openSource(name: string): Promise<Source> {
  try {
    if (name === "-") {
      if (fstatSync(0).isFile()) return await openFile(0, name);
      return new StreamSource(await decompressed(process.stdin), name);
    }
    const file = await open(name);
    try {
      return await openFile(file, name);
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw readError(name, error);
  }
}

async function openFile(file: FileHandle | 0, name: string): Promise<Source> {
  const fd = file === 0 ? 0 : file.fd;
  const stats = fstatSync(fd);
  if (stats.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  const head = Buffer.alloc(MAGIC_LENGTH);
  // Only what can be read twice is looked at before it is read.
  const isSeekable = stats.isFile();
  const { bytesRead } = isSeekable ? await readFd(fd, head, 0, MAGIC_LENGTH, 0) : { bytesRead: 0 };
  if (isSeekable && compressionOf(head.subarray(0, bytesRead)) === null) {
    return new FileSource(file, name);
  }
  const stream = createReadStream("", { fd: file === 0 ? 0 : file, highWaterMark: 1 << 18 });
  return new StreamSource(await decompressed(stream), name);
}

class FileSource implements Source {
  readonly #file: FileHandle | 0;
  readonly #name: string;
  taken = 0;

  constructor(file: FileHandle | 0, name: string) {
    this.#file = file;
    this.#name = name;
  }

  async read(into: Uint8Array): Promise<number> {
    try {
      const fd = this.#file === 0 ? 0 : this.#file.fd;
      const { bytesRead } = await readFd(fd, into, 0, into.length, null);
      this.taken += bytesRead;
      return bytesRead;
    } catch (error) {
      throw readError(this.#name, error);
    }
  }

  async close(): Promise<void> {
    if (this.#file !== 0) await this.#file.close();
  }
}

/** A stream of bytes and how many came into it. */
interface CountedStream {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly count: () => number;
}

class StreamSource implements Source {
  readonly #batches: Gathered<Uint8Array>;
  readonly #count: () => number;
  readonly #name: string;
  #rest: Uint8Array[] = [];

  constructor({ stream, count }: CountedStream, name: string) {
    this.#batches = gather(stream, (bytes) => bytes.length, 1 << 18);
    this.#count = count;
    this.#name = name;
  }

  get taken(): number {
    return this.#count();
  }

  async read(into: Uint8Array): Promise<number> {
    try {
      while (this.#rest.length === 0) {
        const next = await this.#batches.next();
        if (next.done === true) return 0;
        this.#rest = next.value.filter((bytes) => bytes.length > 0);
      }
    } catch (error) {
      throw readError(this.#name, error);
    }
    let at = 0;
    while (this.#rest.length > 0 && at < into.length) {
      const first = this.#rest[0] as Uint8Array;
      const taken = first.subarray(0, into.length - at);
      into.set(taken, at);
      at += taken.length;
      if (taken.length < first.length) this.#rest[0] = first.subarray(taken.length);
      else this.#rest.shift();
    }
    return at;
  }

  async close(): Promise<void> {
    // Not awaited: it may be waiting for what never comes.
    this.#batches.return().catch(() => {});
  }
}

/** The bytes of a stream, decompressed if its first bytes say so. */
async function decompressed(stream: AsyncIterable<Uint8Array>): Promise<CountedStream> {
  let taken = 0;
  const iterator = stream[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  while (byteLength(head) < MAGIC_LENGTH) {
    const next = await iterator.next();
    if (next.done === true) break;
    head.push(next.value);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for (const bytes of head) {
        taken += bytes.length;
        yield bytes;
      }
      for (;;) {
        const next = await iterator.next();
        if (next.done === true) return;
        taken += next.value.length;
        yield next.value;
      }
    } finally {
      await iterator.return?.(); // closes the file
    }
  }
  const count = (): number => taken;
  let compression: ReturnType<typeof compressionOf>;
  try {
    compression = compressionOf(Buffer.concat(head).subarray(0, MAGIC_LENGTH));
  } catch (error) {
    await iterator.return?.();
    throw error;
  }
  if (compression === "zstd") return { stream: await decompressZstd(all()), count };
  if (compression === null) return { stream: all(), count };
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  pipeline(Readable.from(all(), { objectMode: false }), gunzip, () => {}); // its reader hears of an error
  return { stream: gunzip, count };
}

function byteLength(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function readError(name: string, error: unknown): IoError {
  if (error instanceof IoError) return error;
  return new IoError(`cannot read ${shownInput(name)}: ${describeSystemError(error)}`);
}
