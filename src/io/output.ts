import { fdatasync, fstatSync, write } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { describeSystemError, IoError } from "./io-error.ts";
import { shownOutput } from "./names.ts";
import { say } from "./say.ts";
import { hasTornLine } from "./torn-line.ts";

const writeFd = promisify(write);
const syncFd = promisify(fdatasync);
const NEWLINE = Uint8Array.of(0x0a);

/** The reader went away: no reason to complain, none to go on. */
export class ClosedPipe extends Error {}

/**
 * Writes bytes in order, to a file or to standard output, compressed where the file's name ends with
 * `.gz` or `.zst`. One write is under way at a time: a slow reader slows the run.
 */
export class Output {
  readonly #sink: Sink;
  readonly #name: string;
  #last: Promise<void> = Promise.resolve();
  #ended: Promise<void> | null = null;
  /** Hears of all bytes in their order, just before they are written. */
  onWrite: (bytes: Uint8Array) => void = () => {};

  private constructor(sink: Sink, name: string) {
    this.#sink = sink;
    this.#name = name;
  }

  /** `isDurable`: whether what is written to a file must be on disk when it ends, and on `sync`. */
  static async toFile(name: string, isDurable = false): Promise<Output> {
    const shown = shownOutput(name);
    try {
      const inherited = inheritedSink(name, isDurable);
      if (inherited !== null) return new Output(inherited, shown);
      const file = new FileSink(await open(name, "w"), isDurable);
      return new Output(compressing(name, file), shown);
    } catch (error) {
      throw writeError(shown, error);
    }
  }

  /**
   * Writes behind what was given before. Fulfilled when the bytes are handed over and their memory may
   * be used again; throws the first error of any write.
   */
  write(bytes: Uint8Array): Promise<void> {
    return bytes.length === 0 ? this.#last : this.writeLater(Promise.resolve(bytes));
  }

  /** The same for bytes that are not there yet; what is given next waits for them. */
  writeLater(coming: Promise<Uint8Array>): Promise<void> {
    this.#last = this.#last.then(async () => {
      const bytes = await coming;
      this.onWrite(bytes);
      try {
        if (bytes.length > 0) await this.#sink.write(bytes);
      } catch (error) {
        throw writeError(this.#name, error);
      }
    });
    this.#last.catch(() => {}); // the next call or finish hears of it
    return this.#last;
  }

  /** Whether `sync` reaches what was written: a compressor holds some of it back until the end. */
  get canSync(): boolean {
    return this.#sink.sync !== undefined;
  }

  /** Returns when what is written is on disk, where it goes to a file. */
  async sync(): Promise<void> {
    try {
      await this.#last;
      await this.#sink.sync?.();
    } catch (error) {
      throw writeError(this.#name, error);
    }
  }

  /** Waits until all is written, and closes a file; called again, it is the same end. */
  finish(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    try {
      await this.#last;
    } finally {
      await this.#sink.end().catch((error: unknown) => {
        throw writeError(this.#name, error);
      });
    }
  }
}

interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes what is written durable; absent where that waits for the end. */
  sync?(): Promise<void>;
  end(): Promise<void>;
}

/** A file that was opened and emptied here, or a descriptor that the process got from its parent. */
class FileSink implements Sink {
  readonly #file: FileHandle | number;
  readonly #isDurable: boolean;
  #mayFollowTornLine: boolean;

  constructor(file: FileHandle | number, isDurable: boolean) {
    this.#file = file;
    this.#mayFollowTornLine = typeof file === "number";
    // Devices and pipes have no disk to be on.
    this.#isDurable = isDurable && fstatSync(this.#fd).isFile();
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
  readonly #stream: Writable;
  #failure: Error | null = null;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", (error) => {
      this.#failure = error;
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure);
      else this.#stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
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
  if (fstatSync(fd).isFile()) return new FileSink(fd, isDurable);
  if (fd === 1) return new StreamSink(process.stdout);
  return fd === 2 ? new StreamSink(process.stderr) : null;
}

function descriptorOf(name: string): number | null {
  if (name === "-" || name === "/dev/stdout") return 1;
  if (name === "/dev/stderr") return 2;
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

/** Compresses into another sink. */
class CompressingSink implements Sink {
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

function compressing(name: string, sink: Sink): Sink {
  if (name.endsWith(".gz")) return new CompressingSink(zlib.createGzip(), sink);
  if (!name.endsWith(".zst")) return sink;
  const { createZstdCompress, constants } = zlib as unknown as {
    createZstdCompress?: (options: { params: Record<number, number> }) => zlib.Gzip;
    constants: { ZSTD_c_checksumFlag: number };
  };
  if (createZstdCompress === undefined) {
    throw new Error("writing .zst takes Node 22.15 or newer; .gz works here");
  }
  // Without it a damaged file may be read as other lines.
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  return new CompressingSink(createZstdCompress({ params }), sink);
}

function writeError(name: string, error: unknown): Error {
  if (error instanceof IoError || error instanceof ClosedPipe) return error;
  if ((error as NodeJS.ErrnoException).code === "EPIPE") return new ClosedPipe();
  return new IoError(`cannot write ${name}: ${describeSystemError(error)}`);
}
