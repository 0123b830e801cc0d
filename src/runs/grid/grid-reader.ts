import { readSync } from "node:fs";
import { UrlmillError } from "../../base/errors.ts";
import { closePlainFile, openPlainFile, type PlainFile } from "../../io/files/plain-file.ts";
import { becameShorter } from "../../io/io-error.ts";
import { readError } from "../../io/open-source.ts";
import { CR, LF } from "../../url/chars.ts";
import type { ChunkGrid, ChunkRange } from "./chunk-grid.ts";

/** The bytes of memory that a chunk takes besides its own: the beginning of its first line, and a last LF. */
export const OVERHEAD = 1 << 14;
/** The bytes before a chunk to search for the start of its first line. Nearly all first lines begin there. */
const NEAR = 1 << 10;
/** The bytes to read at a time when the search continues further back. */
const FAR = 1 << 16;

/** Returns the error of lines that there is no memory for. */
export function chunkTooLarge(bytes: number): UrlmillError {
  const message = `no memory for the lines of a chunk of ${bytes} bytes: use --engine js`;
  return new UrlmillError("BATCH_TOO_LARGE", message);
}

/** Holds the position of a line that is too long to be read whole, from its first byte to its LF or the end of the file. */
export interface LongLineRange {
  readonly file: PlainFile;
  readonly from: number;
  readonly to: number;
}

/** Holds the memory that chunks are read into. */
export interface ChunkMemory {
  readonly input: Uint8Array;
  /** The number of bytes for which there is room. */
  readonly capacity: number;
  /** Makes room for `bytes`; the input is lost. Returns false if the platform has no memory for that. */
  reserve(bytes: number): boolean;
}

/** Describes the data that was read for a chunk. */
export interface ReadChunk {
  /** The first line, if it is too long for a memory. */
  readonly long: LongLineRange | null;
  /** The number of bytes in the memory: the other lines, and the beginning of the next chunk. */
  readonly length: number;
  /** The position of these bytes in the file. It is null if no bytes were read. */
  readonly start: number | null;
  readonly file: PlainFile;
  /** Says whether the chunk is the first of its file. */
  readonly isFirst: boolean;
}

/** Gives chunks of lines to a kernel: what it needs of a `GridReader`. */
export interface ChunkSource {
  read(chunk: number, memory: ChunkMemory): Pick<ReadChunk, "long" | "length" | "start">;
  noteStart(chunk: number, start: number): void;
}

/** Reads the lines of chunks into memory. */
export class GridReader {
  readonly #grid: ChunkGrid;
  readonly #longestLine: number;
  readonly #isStopped: () => boolean;
  readonly #near = Buffer.alloc(NEAR);
  /** The start of the first line of a chunk, if the chunk before it was read here. */
  #known: { readonly chunk: number; readonly start: number } | null = null;
  #open: { readonly file: PlainFile; readonly fd: number } | null = null;

  /**
   * `longestLine`: the bytes of the longest line that is read whole, without its line end; `isStopped`: says whether the data
   * is no longer needed.
   */
  constructor(grid: ChunkGrid, longestLine: number, isStopped: () => boolean) {
    this.#grid = grid;
    this.#longestLine = longestLine;
    this.#isStopped = isStopped;
  }

  /**
   * Reads a chunk. Adds an LF if the last line of a file lacks one. Throws an IoError, and `BATCH_TOO_LARGE` if the platform
   * has no memory for a line. The memory grows to a chunk and NEAR bytes if it has less.
   */
  read(chunk: number, memory: ChunkMemory): ReadChunk {
    const range = this.#grid.rangeOf(chunk);
    const start = this.#nearStart(chunk, range);
    if (start !== null && range.from - start <= NEAR) return this.#readFrom(range, start, memory);
    return this.#readFar(range, start, memory);
  }

  /** Returns the position of a chunk. Request chunks in ascending order. */
  rangeOf(chunk: number): ChunkRange {
    return this.#grid.rangeOf(chunk);
  }

  /** Records the start of a line that continues in `chunk`, so that it need not be searched for. */
  noteStart(chunk: number, start: number): void {
    this.#known = { chunk, start };
  }

  /** Returns the start of a chunk's first line, or null if it is far before the chunk and not recorded. */
  #nearStart(chunk: number, { file, from }: ChunkRange): number | null {
    if (from === file.begin) return from;
    if (this.#known?.chunk === chunk) return this.#known.start;
    const near = Math.max(file.begin, from - NEAR);
    const before = this.#near.subarray(0, from - near);
    this.readAt(file, before, near);
    const newline = before.lastIndexOf(LF);
    if (newline >= 0) return near + newline + 1;
    return near === file.begin ? near : null;
  }

  /**
   * Reads a chunk whose first line begins far before it. Reads nothing if no line ends in the
   * chunk.
   */
  #readFar(range: ChunkRange, known: number | null, memory: ChunkMemory): ReadChunk {
    const { file, from, to } = range;
    const own = memory.input.subarray(0, to - from);
    this.readAt(file, own, from);
    const newline = own.indexOf(LF);
    if (newline < 0 && to < file.end)
      return { long: null, length: 0, start: known, file, isFirst: false };
    const lineEnd = newline < 0 ? to : from + newline;
    const start = known ?? this.#farStart(file, from);
    const line = { file, from: start, to: lineEnd };
    if (this.#isLong(line)) {
      return { ...this.#readFrom(range, Math.min(lineEnd + 1, to), memory), long: line };
    }
    const room = to - start + 1;
    if (room > memory.capacity && !memory.reserve(room)) throw chunkTooLarge(room);
    return this.#readFrom(range, start, memory);
  }

  /** Returns whether a line is longer than those that are read whole. A CR at its end belongs to the line end. */
  #isLong({ file, from, to }: LongLineRange): boolean {
    const over = to - from - this.#longestLine;
    if (over !== 1) return over > 1;
    const last = this.#near.subarray(0, 1);
    this.readAt(file, last, to - 1);
    return last[0] !== CR;
  }

  /** Reads from `start` to the end of the range. */
  #readFrom({ file, from, to }: ChunkRange, start: number, memory: ChunkMemory): ReadChunk {
    const { input } = memory;
    let length = to - start;
    this.readAt(file, input.subarray(0, length), start);
    if (to === file.end && length > 0 && input[length - 1] !== LF) input[length++] = LF;
    return { long: null, length, start, file, isFirst: from === file.begin };
  }

  /** Returns the start of the line that continues at `before`. */
  #farStart(file: PlainFile, before: number): number {
    const piece = Buffer.alloc(FAR);
    for (let end = before; end > file.begin && !this.#isStopped(); ) {
      const from = Math.max(file.begin, end - FAR);
      const bytes = piece.subarray(0, end - from);
      this.readAt(file, bytes, from);
      const newline = bytes.lastIndexOf(LF);
      if (newline >= 0) return from + newline + 1;
      end = from;
    }
    return file.begin;
  }

  /** Fills `into` with the bytes of a file from a position on. Throws an IoError, also if the file has fewer bytes. */
  readAt(file: PlainFile, into: Uint8Array, at: number): void {
    try {
      const fd = this.#fdOf(file);
      for (let length = 0; length < into.length; ) {
        const bytes = readSync(fd, into, length, into.length - length, at + length);
        if (bytes === 0) throw becameShorter(file.name);
        length += bytes;
      }
    } catch (error) {
      throw readError(file.name, error);
    }
  }

  #fdOf(file: PlainFile): number {
    if (this.#open?.file === file) return this.#open.fd;
    this.close();
    this.#open = { file, fd: openPlainFile(file.name) };
    return this.#open.fd;
  }

  /** Closes the file that is open. */
  close(): void {
    if (this.#open !== null) closePlainFile(this.#open.fd);
    this.#open = null;
  }
}
