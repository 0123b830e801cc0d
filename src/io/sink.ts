import { fdatasync, fstatSync, statSync, write } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { say } from "./say.ts";
import { descriptorStats, standardStreams } from "./standard.ts";
import { hasTornLine, writesAtEnd } from "./torn-line.ts";

const writeFd = promisify(write);
const syncFd = promisify(fdatasync);
const NEWLINE = Uint8Array.of(0x0a);

/**
 * Counts the bytes that a pipe takes whole or not at all (PIPE_BUF of Linux): a line of them is
 * never cut.
 */
export const WHOLE_IN_PIPE = 4096;
/** Bytes that are written to a named pipe at a time: each write is a task for another thread. */
const NAMED_PIPE_PIECE = 1 << 16;
/** Bytes that are compressed at a time: a stop waits for no more. */
const COMPRESSED_PIECE = 1 << 18;

/** Takes bytes, one write at a time. */
export interface Sink {
  /** Bytes to write at a time, so that a stop finds an end soon. */
  readonly pieceBytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Makes the write under way throw, where its reader takes nothing; absent where that cannot be. */
  giveUp?(reason: Error): void;
  /** The descriptor of a file, for others who write to it in their turn; absent where that cannot be. */
  readonly descriptor?: number;
  /** Makes what is written durable; absent where that waits for the end. */
  sync?(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Opens a sink: `-` and names of descriptors are those that the process has; another name is a file,
 * which is emptied, compressed where the name ends with `.gz` or `.zst`. `isDurable`: whether `sync` and
 * `end` return only when a file is on disk. Throws the system's error.
 */
export async function openSink(name: string, isDurable: boolean): Promise<Sink> {
  const inherited = inheritedSink(name, isDurable);
  if (inherited !== null) return inherited;
  // Before the file is opened, which empties it.
  const compressor = compressorFor(name);
  const file = new FileSink(await open(name, "w"), isDurable);
  return compressor === null ? file : new CompressingSink(compressor, file);
}

/**
 * Says whether a name stands for a file, there or yet to be made, that takes bytes as they are from any thread. It
 * is not opened.
 */
export function takesDirectWrites(name: string): boolean {
  if (name.endsWith(".gz") || name.endsWith(".zst")) return false;
  try {
    const fd = descriptorOf(name);
    if (fd !== null) {
      const isFile = descriptorStats(fd)?.isFile() === true;
      return isFile && writesAtEnd(fd) && hasTornLine(fd) === false;
    }
    return statSync(name, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return false; // opened as a sink, it throws the same again
  }
}

/** A file that was opened and emptied here, or a descriptor that the process got from its parent. */
class FileSink implements Sink {
  readonly pieceBytes: number;
  readonly #file: FileHandle | number;
  readonly #isDurable: boolean;
  #mayFollowTornLine: boolean;

  constructor(file: FileHandle | number, isDurable: boolean) {
    this.#file = file;
    this.#mayFollowTornLine = typeof file === "number";
    const stats = fstatSync(this.#fd);
    this.pieceBytes = stats.isFIFO() ? NAMED_PIPE_PIECE : Number.POSITIVE_INFINITY;
    // Devices and pipes have no disk to be on.
    this.#isDurable = isDurable && stats.isFile();
  }

  get descriptor(): number {
    return this.#fd;
  }

  get #fd(): number {
    return typeof this.#file === "number" ? this.#file : this.#file.fd;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#mayFollowTornLine) {
      this.#mayFollowTornLine = false;
      await this.#endTornLine();
    }
    await this.#writeAll(bytes);
  }

  async #endTornLine(): Promise<void> {
    const isTorn = hasTornLine(this.#fd);
    if (isTorn === "unknown") {
      say(
        "the file that is appended to cannot be read; a line end is written first, in case its last line lacks one",
      );
    }
    if (isTorn !== false) await this.#writeAll(NEWLINE);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    const fd = this.#fd;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await writeFd(fd, bytes, at, bytes.length - at, null);
      at += bytesWritten;
    }
  }

  async sync(): Promise<void> {
    if (this.#isDurable) await syncFd(this.#fd);
  }

  async end(): Promise<void> {
    try {
      await this.sync();
    } finally {
      if (typeof this.#file !== "number") await this.#file.close();
    }
  }
}

/** A stream, written to no faster than it takes. */
class StreamSink implements Sink {
  readonly pieceBytes = WHOLE_IN_PIPE;
  readonly #stream: Writable;
  #failure: Error | null = null;
  /** Ends the write under way. */
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

/** The sink of a name that stands for a descriptor of the process; null for any other name. */
function inheritedSink(name: string, isDurable: boolean): Sink | null {
  const fd = descriptorOf(name);
  if (fd === null) return null;
  // A file takes writes on another thread; `process.stdout` would write on this one. Opening it by a
  // name such as /dev/stdout would empty it after `>>`.
  if (descriptorStats(fd)?.isFile() === true) return new FileSink(fd, isDurable);
  if (fd === 1) return new StreamSink(standardStreams().stdout);
  return fd === 2 ? new StreamSink(standardStreams().stderr) : null;
}

function descriptorOf(name: string): number | null {
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

  constructor(compress: zlib.Gzip, target: Sink) {
    this.#compress = compress;
    this.#target = target;
    this.#pumped = this.#pump();
    this.#pumped.catch((error) => compress.destroy(error));
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const { errored } = this.#compress;
      if (errored) reject(errored);
      else this.#compress.write(bytes, (error) => (error ? reject(error) : resolve()));
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

  async #pump(): Promise<void> {
    for await (const bytes of this.#compress) await this.#target.write(bytes as Uint8Array);
  }
}

/** Makes what compresses for a file's name; null where its content is written as it is. */
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
  // Without it a damaged file may be read as other lines.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  return createZstdCompress({ params });
}
