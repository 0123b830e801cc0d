import { setImmediate } from "node:timers/promises";
import { megabytes, TemporaryFile } from "../../io/files/temporary-file.ts";
import type { Source } from "../../io/source.ts";
import { LF } from "../../url/chars.ts";
import { LineCheck } from "./line-check.ts";
import type { LineInput } from "./line-input.ts";
import { mergedPieces, type Stream } from "./merged-lines.ts";
import { SortKernel } from "./sort-kernel.ts";

/** The most bytes that are read at a time, and the least for which there must be room. */
const PIECE = 1 << 22;
const LEAST_PIECE = 1 << 15;
/** The bytes of sorted lines that are written at a time. */
const WRITTEN = 1 << 18;
/** The least memory that a stream of a merge takes. */
const LEAST_STREAM = 1 << 16;

/** Answers of `takeLines`. */
const FULL = 3;
const ODD = 2;

export interface SortOptions {
  /** The most bytes that lines take in memory, unless one line is longer. */
  readonly memory: number;
  /** The folder for temporary files; that of the system by default. */
  readonly tmp: string | undefined;
  readonly signal: AbortSignal;
}

/** Holds where a sorted run is in a temporary file. */
interface SortedRun {
  readonly file: TemporaryFile;
  readonly from: number;
  readonly to: number;
}

/**
 * Sorts lines of CDX or CDXJ by their bytes, as `LC_ALL=C sort` does. Lines that do not fit in memory go to a temporary file,
 * in sorted runs, which are merged.
 */
export class SortedLines {
  readonly #options: SortOptions;
  readonly #kernel = new SortKernel();
  readonly #check: LineCheck;
  /** The file of the runs, those before it, and the runs. */
  #file: TemporaryFile | null = null;
  #runs: SortedRun[] = [];
  /** Where the text that was read ends, and where the memory of a run ends. */
  #textEnd: number;
  #top: number;
  #linesRead = 0;
  /** The most bytes that temporary files had together. */
  bytesOnDisk = 0;

  constructor(options: SortOptions) {
    this.#options = options;
    this.#check = new LineCheck(this.#kernel);
    this.#textEnd = this.#kernel.start;
    this.#top = this.#textEnd + options.memory;
  }

  /** The lines that were read, without headers. */
  get lines(): number {
    return this.#linesRead - this.#check.headers;
  }

  get damaged(): number {
    return this.#check.damaged;
  }

  /**
   * Reads all lines. Throws an IoError, a CommandFailure for other fields, and the reason of the signal. Call `close`
   * afterwards.
   */
  async take(inputs: Iterable<LineInput>): Promise<void> {
    const { calls, start } = this.#kernel;
    this.#kernel.reserve(this.#top);
    calls.beginRun(start, 0, this.#top);
    for (const { shown, open } of inputs) {
      calls.setLinesRead(0);
      const source = await open();
      try {
        while (await this.#read(source)) await this.#takeLines(shown);
      } finally {
        await source.close();
      }
      this.#endLine();
      await this.#takeLines(shown);
      this.#linesRead += calls.linesRead.value;
    }
    this.#check.sayRest();
    if (this.#runs.length > 0) await this.#putRun();
    else calls.sort();
  }

  /** Reads more text. Returns whether there was some. */
  async #read(source: Source): Promise<boolean> {
    const { calls } = this.#kernel;
    this.#options.signal.throwIfAborted();
    while (calls.room() >>> 0 < LEAST_PIECE) {
      if (calls.hasLines() !== 0) await this.#putRun();
      else this.#grow();
    }
    // Some room is left for the entries of lines.
    const most = Math.min(PIECE, (calls.room() >>> 0) - (LEAST_PIECE >> 1));
    const from = this.#textEnd;
    const length = await source.read(this.#kernel.bytes.subarray(from, from + most));
    this.#textEnd = from + length;
    calls.setTextEnd(this.#textEnd);
    return length > 0;
  }

  /** Makes room for a line that has none. */
  #grow(): void {
    this.#top = this.#kernel.start + 2 * (this.#top - this.#kernel.start);
    this.#kernel.reserve(this.#top);
    this.#kernel.calls.setTop(this.#top);
  }

  /** Ends the last line of an input, which may lack its end. */
  #endLine(): void {
    const { calls, bytes } = this.#kernel;
    if (calls.lineStart() >>> 0 === this.#textEnd) return;
    bytes[this.#textEnd++] = LF;
    calls.setTextEnd(this.#textEnd);
  }

  async #takeLines(shown: string): Promise<void> {
    const { calls } = this.#kernel;
    for (;;) {
      const answer = calls.takeLines();
      if (answer === FULL) {
        if (calls.hasLines() !== 0) await this.#putRun();
        else this.#grow();
      } else if (answer === ODD) this.#judge(shown);
      else return;
    }
  }

  #judge(shown: string): void {
    const { calls, bytes, lineEnd } = this.#kernel;
    const line = bytes.toString("latin1", calls.lineStart() >>> 0, lineEnd);
    const number = calls.linesRead.value + 1;
    if (this.#check.leavesOut(line, { shown, number })) calls.dropLine();
    else calls.keepLine();
  }

  /** Sorts the lines in memory and puts them into the temporary file. */
  async #putRun(): Promise<void> {
    const { calls, start } = this.#kernel;
    const { tmp, signal } = this.#options;
    this.#file ??= new TemporaryFile(tmp);
    const file = this.#file;
    const from = file.size;
    calls.sort();
    for (const piece of this.#sorted()) file.append(piece, this.#needed);
    this.bytesOnDisk = Math.max(this.bytesOnDisk, file.size);
    this.#runs.push({ file, from, to: file.size });
    const rest = this.#textEnd - (calls.lineStart() >>> 0);
    calls.beginRun(start, rest, this.#top);
    this.#textEnd = start + rest;
    await setImmediate();
    signal.throwIfAborted();
  }

  readonly #needed = (): string =>
    `the sorted lines took ${megabytes(this.#file?.size ?? 0)} so far`;

  /** Yields the lines in memory, sorted. A piece is valid until the next one. */
  *#sorted(): Generator<Buffer, void, undefined> {
    const { calls, pad } = this.#kernel;
    const at = this.#top + pad;
    this.#kernel.reserve(at + WRITTEN);
    for (;;) {
      const end = calls.gather(at, at + WRITTEN) >>> 0;
      if (end === at) return;
      yield this.#kernel.bytes.subarray(at, end);
    }
  }

  /**
   * Yields the header of CDX, and all lines. A piece is valid until the next one. Throws an IoError and the reason of the
   * signal.
   */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const header = this.#check.headerLine;
    if (header.length > 0) yield header;
    if (this.#runs.length === 0) {
      for (const piece of this.#sorted()) {
        this.#options.signal.throwIfAborted();
        yield piece;
      }
      return;
    }
    const most = Math.max(2, Math.floor(this.#options.memory / LEAST_STREAM) - 1);
    while (this.#runs.length > most) await this.#mergeSome(most);
    yield* this.#merged(this.#runs);
  }

  /** Merges as many runs as memory has room for, until all are in another file. */
  async #mergeSome(most: number): Promise<void> {
    const [before, runs] = [this.#file as TemporaryFile, this.#runs];
    const file = new TemporaryFile(this.#options.tmp);
    this.#file = file;
    this.#runs = [];
    try {
      for (let at = 0; at < runs.length; at += most) {
        const from = file.size;
        for await (const piece of this.#merged(runs.slice(at, at + most))) {
          file.append(piece, this.#needed);
        }
        this.#runs.push({ file, from, to: file.size });
      }
      this.bytesOnDisk = Math.max(this.bytesOnDisk, before.size + file.size);
    } finally {
      before.close();
    }
  }

  #merged(runs: readonly SortedRun[]): AsyncGenerator<Uint8Array, void, undefined> {
    const { memory, signal } = this.#options;
    return mergedPieces(this.#kernel, runs.map(streamOf), { memory, signal, judge: null });
  }

  /** Removes the temporary files. */
  close(): void {
    this.#file?.close();
  }
}

/** Returns the stream of a run, which ends in memory. */
function streamOf({ file, from, to }: SortedRun): Stream {
  let taken = 0;
  return {
    shown: "a temporary file",
    source: {
      get taken() {
        return taken;
      },
      async read(into) {
        const length = Math.min(into.length, to - from - taken);
        file.read(from + taken, into.subarray(0, length));
        taken += length;
        return length;
      },
      async close() {},
    },
  };
}
