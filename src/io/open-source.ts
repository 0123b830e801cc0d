import { createReadStream, fstatSync, read, readSync, statSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { copyBytes } from "../base/copy-bytes.ts";
import { type Gathered, gather } from "../base/gather.ts";
import {
  type CountedStream,
  compressionByHead,
  decompressed,
  decompressedFile,
} from "./compression/decompressed.ts";
import { FOREIGN_LENGTH, ForeignFormat } from "./compression/foreign-format.ts";
import type { ReadRange } from "./compression/gzip-members.ts";
import type { InputPlace } from "./files/input-states.ts";
import { withPlainFile } from "./files/plain-file.ts";
import type { Gaps } from "./gaps.ts";
import { becameShorter, describeSystemError, IoError, shownInput } from "./io-error.ts";
import { type Source, UnmarkedSource } from "./source.ts";
import { descriptorStats, inputPosition, standardStreams } from "./standard.ts";

const readFd = promisify(read);

/** Bytes to read of a file at a time. */
const READ_BYTES = 1 << 18;
/** Bytes of a file that tell an archive from a workbook. */
const START_BYTES = 1 << 16;

/**
 * Opens a file, or standard input for `-`. Detects gzip, zstd and UTF-16 by their first bytes, and skips a byte order
 * mark of UTF-8. Throws an IoError for other compression, archives and Parquet; it says what to do. Reading
 * throws one if a file ends before the size that it had here. What is appended later is read too.
 * A read of a stream gathers what it has room for, unless the stream is silent for a moment, or `isAtOnce`. `place`: the file
 * that has the bytes, and how many of a regular one are read; errors give the name.
 */
export async function openSource(
  name: string,
  isAtOnce = false,
  place: InputPlace = { path: name },
): Promise<Source> {
  return new UnmarkedSource(await openMarked(name, isAtOnce, place));
}

/** Throws an IoError if a file cannot be opened for reading. */
export async function checkInput(name: string): Promise<void> {
  try {
    const found = await stat(name);
    if (found.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
    // Opening a named pipe would wait for its writer.
    if (found.isFile()) await (await open(name)).close();
  } catch (error) {
    throw readError(name, error);
  }
}

async function openMarked(name: string, isAtOnce: boolean, place: InputPlace): Promise<Source> {
  const { path, length } = place;
  try {
    if (path === "-") {
      const found = descriptorStats(0);
      // Node reads a folder as an empty stream. `openFile` refuses it.
      if (found?.isFile() === true || found?.isDirectory() === true) {
        return await openFile(0, name, isAtOnce, length);
      }
      return new StreamSource(
        await decompressed(standardStreams().stdin, isAtOnce),
        name,
        isAtOnce,
      );
    }
    const file = await open(path);
    try {
      return await openFile(file, name, isAtOnce, length);
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw readError(name, error);
  }
}

/** `length`: the most bytes that are read; all by default, also those that are appended meanwhile. */
async function openFile(
  file: FileHandle | 0,
  name: string,
  isAtOnce: boolean,
  length = Number.POSITIVE_INFINITY,
): Promise<Source> {
  const fd = file === 0 ? 0 : file.fd;
  const stats = fstatSync(fd);
  if (stats.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  const head = Buffer.alloc(FOREIGN_LENGTH);
  const size = stats.isFile() ? Math.min(stats.size, length) : 0;
  const from = file === 0 ? inputPosition() : 0;
  // Only a file that can be read twice is looked at first.
  if (stats.isFile() && from !== null) {
    const { bytesRead } = await readFd(fd, head, 0, head.length, from);
    const compression = compressionByHead(head.subarray(0, Math.min(bytesRead, length)));
    if (compression === null) return new FileSource(file, name, size, length);
    // Of standard input, another program may have read the beginning.
    if (compression === "gzip" && file !== 0) {
      const content = decompressedFile(rangesOf(file, size, length, name));
      return new StreamSource(content, name, isAtOnce, size, file);
    }
  }
  const bytes = createReadStream("", {
    fd: file === 0 ? 0 : file,
    autoClose: file !== 0, // who opened it closes it
    highWaterMark: READ_BYTES,
    end: Math.max(0, length - 1),
  });
  const stream = stats.isFile() ? upTo(size, bytes, file, name) : bytes;
  return new StreamSource(await decompressed(stream, isAtOnce), name, isAtOnce, size);
}

/**
 * Returns a reader of parts of a file, as if it ended after `length` bytes. It throws if a part ends before its end, or the
 * file before `size`.
 */
function rangesOf(file: FileHandle, size: number, length: number, name: string): ReadRange {
  return async function* (start, end) {
    const last = Math.min(end, length);
    for (let at = start; at < last; ) {
      const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, last - at));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) return checkEnd(at, Math.min(size, end), file, name);
      at += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  };
}

/** Yields the bytes of a file. Throws if it ends before `size`. */
async function* upTo(
  size: number,
  bytes: AsyncIterable<Uint8Array>,
  file: FileHandle | 0,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let taken = 0;
  for await (const piece of bytes) {
    taken += piece.length;
    yield piece;
  }
  checkEnd(taken, size, file, name);
}

/** Throws if a file ended after `taken` bytes, before the size that it had when it was opened. */
function checkEnd(taken: number, size: number, file: FileHandle | 0, name: string): void {
  if (taken >= size) return;
  // Another program may have read the beginning of standard input.
  if (file === 0 && fstatSync(0).size >= size) return;
  throw becameShorter(name);
}

class FileSource implements Source {
  readonly #file: FileHandle | 0;
  readonly #name: string;
  /** The bytes of the file when it was opened. More may be appended. */
  readonly #size: number;
  /** The most bytes that are read. */
  readonly #length: number;
  /** The last read, which may be under way. */
  #reading: Promise<unknown> = Promise.resolve();
  taken = 0;

  constructor(file: FileHandle | 0, name: string, size: number, length: number) {
    this.#file = file;
    this.#name = name;
    this.#size = size;
    this.#length = length;
  }

  async read(into: Uint8Array): Promise<number> {
    try {
      const fd = this.#file === 0 ? 0 : this.#file.fd;
      const most = Math.min(into.length, this.#length - this.taken);
      if (most === 0) return 0;
      const reading = readFd(fd, into, 0, most, null);
      this.#reading = reading;
      const { bytesRead } = await reading;
      this.taken += bytesRead;
      if (bytesRead === 0) checkEnd(this.taken, this.#size, this.#file, this.#name);
      return bytesRead;
    } catch (error) {
      throw readError(this.#name, error);
    }
  }

  async close(): Promise<void> {
    // The next file that is opened may get this number, and a read under way would take its bytes.
    await Promise.allSettled([this.#reading]);
    if (this.#file !== 0) await this.#file.close();
  }
}

class StreamSource implements Source {
  readonly gaps: Gaps | undefined;
  readonly #counted: CountedStream;
  readonly #batches: Gathered<Uint8Array>;
  readonly #name: string;
  /** The bytes of the file when it was opened; 0 if the input is not a file. */
  readonly #size: number;
  /** The file to close after the stream; null if the stream closes it. */
  readonly #file: FileHandle | null;
  #rest: Uint8Array[] = [];
  /** The bytes to gather for the current read. */
  #wanted = 0;

  constructor(
    counted: CountedStream,
    name: string,
    isAtOnce: boolean,
    size = 0,
    file: FileHandle | null = null,
  ) {
    const limit = (): number => (isAtOnce ? 1 : this.#wanted);
    this.#counted = counted;
    this.#batches = gather(counted.stream, (bytes) => bytes.length, limit);
    this.gaps = counted.gaps;
    this.#name = name;
    this.#size = size;
    this.#file = file;
  }

  get taken(): number {
    return this.#counted.count();
  }

  get isUtf16(): boolean | undefined {
    return this.#counted.isUtf16;
  }

  async read(into: Uint8Array): Promise<number> {
    try {
      this.gaps?.check();
      this.#wanted = into.length;
      while (this.#rest.length === 0) {
        const next = await this.#batches.next();
        if (next.done === true) return 0;
        this.#rest = next.value.filter((bytes) => bytes.length > 0);
      }
    } catch (error) {
      // While a file is cut, the system may give zeros in place of its last bytes.
      const found = this.#name === "-" ? null : await stat(this.#name).catch(() => null);
      throw found !== null && found.size < this.#size
        ? becameShorter(this.#name)
        : readError(this.#name, error);
    }
    let at = 0;
    while (this.#rest.length > 0 && at < into.length) {
      const first = this.#rest[0] as Uint8Array;
      const taken = first.subarray(0, into.length - at);
      copyBytes(into, taken, at);
      at += taken.length;
      if (taken.length < first.length) this.#rest[0] = first.subarray(taken.length);
      else this.#rest.shift();
    }
    return at;
  }

  async close(): Promise<void> {
    await this.#batches.return();
    await this.#file?.close();
  }
}

/** Returns the first bytes of a file, which can be read again; none of another input. */
function startOf(name: string): Buffer | undefined {
  if (name === "-" || !statSync(name, { throwIfNoEntry: false })?.isFile()) return undefined;
  const bytes = Buffer.alloc(START_BYTES);
  return bytes.subarray(
    0,
    withPlainFile(name, (fd) => readSync(fd, bytes)),
  );
}

/** Makes the error of an input that cannot be read. */
export function readError(name: string, error: unknown): IoError {
  if (error instanceof IoError) return error;
  if (error instanceof ForeignFormat) {
    return new IoError(`cannot read ${shownInput(name)}: ${error.describe(name, startOf(name))}`);
  }
  return new IoError(`cannot read ${shownInput(name)}: ${describeSystemError(error)}`);
}
