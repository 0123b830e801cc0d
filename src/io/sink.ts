import { constants, fdatasync, fstatSync, ftruncate, statSync, write } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { LF } from "../url/chars.ts";
import { isNullDevice, shownOutput } from "./io-error.ts";
import { say } from "./say.ts";
import { descriptorStats, procValue, standardStreams } from "./standard.ts";
import { hasTornLine, takeBack, writesAtEnd } from "./text/torn-line.ts";

const writeFd = promisify(write);
const syncFd = promisify(fdatasync);
const truncateFd = promisify(ftruncate);
/** The device number of /dev/null on Linux: 1, 3. */
const NULL_DEVICE = 0x103n;
/** O_RDWR of Linux. */
const READ_WRITE = 2;

/**
 * Counts the bytes that a pipe takes as a whole or not at all (PIPE_BUF): 4096 on Linux, 512 at least elsewhere. A line of at
 * most this length is never cut.
 */
export const WHOLE_IN_PIPE = process.platform === "linux" ? 4096 : 512;
/** Bytes that are written to a pipe at a time. */
const PIPE_PIECE = 4096;
/** Bytes that are written to a named pipe at a time, because each write is a task for another thread. */
const NAMED_PIPE_PIECE = 1 << 16;
/** Bytes that are compressed at a time: a stop waits only for these. */
const COMPRESSED_PIECE = 1 << 18;

/** Takes bytes, one write at a time. */
export interface Sink {
  /** Says how many bytes to write at a time, so that a stop takes effect soon. */
  readonly pieceBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the current write throw if its reader takes nothing; absent if that is not possible. */
  giveUp?(reason: Error): void;
  /** Gives the descriptor of a file, for others who write to it in turn; absent if there is none. */
  readonly descriptor?: number;
  /** The byte that ends each line of a file; absent if the sink adds no line end. */
  lineEnd?: number;
  /** Makes the written bytes durable; absent if only the end can do that. */
  sync?(): Promise<void>;
  /** Empties a file that is not written yet. Writing does so, too. */
  begin?(): Promise<void>;
  end(): Promise<void>;
  /** Ends where nothing was written: a file is as it was before, and one that was made is removed. */
  discard?(): Promise<void>;
}

/**
 * Opens a sink. `-` and names of descriptors are those that the process has. Any other name is a file, which
 * is compressed if `ending`, by default the name, ends with `.gz` or `.zst`. The file keeps its content until the first write,
 * or the end. `isDurable`: whether `sync` and `end` return only when a file is on disk. Throws the system's error.
 */
export async function openSink(name: string, isDurable: boolean, ending = name): Promise<Sink> {
  if (isNullDevice(name)) return nowhere();
  const compressor = compressorFor(ending);
  const sink = inheritedSink(name, isDurable) ?? new FileSink(await openNamed(name), isDurable);
  return compressor === null ? sink : new CompressingSink(compressor, sink);
}

/** Returns a sink that keeps nothing. */
export function nowhere(): Sink {
  return { pieceBytes: Number.POSITIVE_INFINITY, write: async () => {}, end: async () => {} };
}

/** Throws the system's error if a sink cannot be opened. Leaves a file as it is. */
export async function checkSink(name: string): Promise<void> {
  compressorFor(name)?.destroy();
  if (isNullDevice(name)) return;
  if (descriptorOf(name) !== null) {
    inheritedSink(name, false);
    return;
  }
  const found = await stat(name).catch(() => null);
  // Opening a named pipe would wait for its reader.
  if (found !== null && !found.isFile() && !found.isDirectory()) return;
  const { file, isMade } = await openNamed(name);
  await file.close();
  if (isMade) await rm(name);
}

/** Holds a file that was opened for writing, and the name of one that was made. */
interface NamedFile {
  readonly name: string;
  readonly file: FileHandle;
  readonly isMade: boolean;
}

/** Opens a file for writing. Does not empty it. */
async function openNamed(name: string): Promise<NamedFile> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const made = await open(name, O_WRONLY | O_CREAT | O_EXCL, 0o666).catch(
    (error: NodeJS.ErrnoException) => {
      // Something has the name. An exclusive open of a folder or of a link tells this too.
      if (error.code === "EEXIST") return null;
      throw error;
    },
  );
  if (made !== null) return { name, file: made, isMade: true };
  return { name, file: await open(name, O_WRONLY | O_CREAT, 0o666), isMade: false };
}

/**
 * Returns whether a name is that of a file, existing or not, that takes bytes as they are from any thread.
 * Does not open the file.
 */
export function takesDirectWrites(name: string): boolean {
  if (/\.(?:gz|zst)$/.test(shownOutput(name)) || isNullDevice(name)) return false;
  try {
    const fd = descriptorOf(name);
    if (fd !== null) {
      const isFile = descriptorStats(fd)?.isFile() === true;
      return isFile && writesAtEnd(fd) && hasTornLine(fd) === false;
    }
    return statSync(name, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return false; // opened as a sink, it throws the same error
  }
}

/** A file that was opened here, or a descriptor inherited from the parent process. */
class FileSink implements Sink {
  readonly pieceBytes: number;
  lineEnd = LF;
  readonly #file: NamedFile | number;
  readonly #isDurable: boolean;
  #mayFollowTornLine: boolean;
  /** Says whether the file still has the content that it had before. */
  #hasOldContent: boolean;

  constructor(file: NamedFile | number, isDurable: boolean) {
    this.#file = file;
    this.#mayFollowTornLine = typeof file === "number";
    const stats = fstatSync(this.#fd);
    this.#hasOldContent = typeof file !== "number" && stats.isFile();
    this.pieceBytes = stats.isFIFO() ? NAMED_PIPE_PIECE : Number.POSITIVE_INFINITY;
    // Devices and pipes are not on a disk.
    this.#isDurable = isDurable && stats.isFile();
  }

  get descriptor(): number {
    return this.#fd;
  }

  get #fd(): number {
    return typeof this.#file === "number" ? this.#file : this.#file.file.fd;
  }

  async begin(): Promise<void> {
    if (!this.#hasOldContent) return;
    this.#hasOldContent = false;
    await truncateFd(this.#fd);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.begin();
    if (this.#mayFollowTornLine) {
      this.#mayFollowTornLine = false;
      await this.#endTornLine();
    }
    await this.#writeAll(bytes);
  }

  async #endTornLine(): Promise<void> {
    const isTorn = hasTornLine(this.#fd, this.lineEnd);
    if (isTorn === "unknown") {
      say(
        "the file that is appended to cannot be read; a line end is written first, because its last line may lack one",
      );
    }
    if (isTorn !== false) await this.#writeAll(Uint8Array.of(this.lineEnd));
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    const fd = this.#fd;
    let at = 0;
    try {
      while (at < bytes.length) {
        const { bytesWritten } = await writeFd(fd, bytes, at, bytes.length - at, null);
        at += bytesWritten;
      }
    } catch (error) {
      takeBack(fd, at);
      throw error;
    }
  }

  async sync(): Promise<void> {
    if (this.#isDurable) await syncFd(this.#fd);
  }

  async end(): Promise<void> {
    try {
      await this.begin();
      await this.sync();
    } finally {
      if (typeof this.#file !== "number") await this.#file.file.close();
    }
  }

  async discard(): Promise<void> {
    if (typeof this.#file === "number") return;
    const { file, name, isMade } = this.#file;
    await file.close();
    if (isMade && this.#hasOldContent) await rm(name);
  }
}

/** A stream, which is written to no faster than it takes bytes. */
class StreamSink implements Sink {
  readonly pieceBytes = PIPE_PIECE;
  readonly #stream: Writable;
  #failure: Error | null = null;
  /** Rejects the current write. */
  #refuse: (error: Error) => void = () => {};

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", (error) => {
      this.#failure = error;
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      if (this.#failure !== null) reject(this.#failure);
      else this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  giveUp(reason: Error): void {
    this.#failure = reason;
    this.#refuse(reason);
  }

  async sync(): Promise<void> {}

  async end(): Promise<void> {}
}

/** Returns the sink for the name of a descriptor of the process; null for any other name. */
function inheritedSink(name: string, isDurable: boolean): Sink | null {
  const fd = descriptorOf(name);
  if (fd === null) return null;
  if (fd === 1 && mayBeClosed(fd)) {
    throw new Error(
      "it is closed, or is /dev/null for reading and writing; give it a file, or >/dev/null",
    );
  }
  // A file takes writes on another thread; `process.stdout` would write on this one. Opening it by a
  // name such as /dev/stdout would empty it after `>>`.
  if (descriptorStats(fd)?.isFile() === true) return new FileSink(fd, isDurable);
  if (fd === 1) return new StreamSink(standardStreams().stdout);
  return fd === 2 ? new StreamSink(standardStreams().stderr) : null;
}

/**
 * Returns whether a descriptor may have been closed when the process began. Node then opens /dev/null for reading and
 * writing in its place; a shell opens it for writing only. Only Linux tells how a descriptor was opened.
 */
function mayBeClosed(fd: number): boolean {
  if (process.platform !== "linux" || descriptorStats(fd)?.rdev !== NULL_DEVICE) return false;
  return (Number.parseInt(procValue(`fdinfo/${fd}`, "flags") ?? "0", 8) & READ_WRITE) !== 0;
}

/** Returns the descriptor of the process that a name means; null for any other name. */
export function descriptorOf(name: string): number | null {
  if (name === "-" || name === "/dev/stdout") return 1;
  if (name === "/dev/stderr") return 2;
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

/** Compresses into another sink. */
class CompressingSink implements Sink {
  readonly pieceBytes = COMPRESSED_PIECE;
  readonly #compress: zlib.Gzip;
  readonly #target: Sink;
  readonly #pumped: Promise<void>;
  /** Rejects the current write. */
  #refuse: (error: Error) => void = () => {};

  constructor(compress: zlib.Gzip, target: Sink) {
    this.#compress = compress;
    this.#target = target;
    this.#pumped = this.#pump();
    this.#pumped.catch((error) => {
      compress.destroy(error);
      this.#refuse(error); // the compressor does not call back for a write that is under way
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      // An error of the target ends the compressor, whose own error would only say that it was ended.
      const fail = (error: Error) => this.#pumped.then(() => reject(error), reject);
      const { errored } = this.#compress;
      if (errored) fail(errored);
      else this.#compress.write(bytes, (error) => (error ? fail(error) : resolve()));
    });
  }

  async end(): Promise<void> {
    this.#compress.end();
    try {
      await this.#pumped;
    } finally {
      await this.#target.end();
    }
  }

  async discard(): Promise<void> {
    this.#compress.destroy();
    await this.#target.discard?.();
  }

  async #pump(): Promise<void> {
    for await (const bytes of this.#compress) await this.#target.write(bytes as Uint8Array);
  }
}

/** Makes the compressor for a file's name; returns null if its content is written as it is. */
function compressorFor(name: string): zlib.Gzip | null {
  if (name.endsWith(".gz")) return zlib.createGzip();
  if (!name.endsWith(".zst")) return null;
  const { createZstdCompress, constants } = zlib as unknown as {
    createZstdCompress?: (options: { params: Record<number, number> }) => zlib.Gzip;
    constants: { ZSTD_c_checksumFlag: number };
  };
  if (createZstdCompress === undefined) {
    throw new Error("writing .zst takes Node 22.15 or newer; .gz works here");
  }
  // Without a checksum, a damaged file could be read as other lines.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  return createZstdCompress({ params });
}
