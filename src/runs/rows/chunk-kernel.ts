import { ByteBuilder } from "../../engine/byte-builder.ts";
import { Kernel } from "../../engine/wasm/kernel.ts";
import { escapeLine } from "../../io/text/line-escape.ts";
import { LF } from "../../url/chars.ts";
import { codeOfStatus } from "../base/marks.ts";
import type { UrlFilter } from "../filter/url-filter.ts";
import {
  type ChunkSource,
  chunkTooLarge,
  type LongLineRange,
  OVERHEAD,
} from "../grid/grid-reader.ts";
import type { DirectChunk, Split, TakePartitions } from "./direct-chunk.ts";
import { appendWithout, failedRows, type LineTexts, lineAsBytes } from "./failed-lines.ts";
import { countTabbed } from "./tabbed-lines.ts";
import type { WorkerCounts } from "./worker-counts.ts";

/**
 * The bytes of input for each row: a kernel has room for one row per four bytes. The output has four bytes for each
 * byte of input, which is also enough for a fingerprint of 16 bytes for each line.
 */
const BYTES_PER_ROW = 4;

/** Holds a chunk from reading to writing in the memory of a kernel of its own. */
export class ChunkKernel implements DirectChunk {
  readonly #kernel: Kernel;
  readonly #filter: UrlFilter | null;
  /** Holds normalized lines, and lines that are kept unchanged. The next chunk uses this memory again. */
  readonly #kept = ByteBuilder.withRoom(0);
  /** The number of the chunk. */
  chunk = -1;
  /** The number of its lines, without the long one. */
  rows = 0;
  /** The number of these lines that have an error. */
  failed = 0;
  /** The number of these that a list leaves out. */
  blocked = 0;
  /** The number of these lines whose normal form differs. */
  changed = 0;
  tabbed = 0;
  /** The part of the first line that is not written yet, if the line is too long to be read whole. */
  long: LongLineRange | null = null;
  /** Says whether some or all of that line is written. */
  isLongBegun = false;
  /** The error of a failed read. It is thrown when the chunk's turn comes. */
  failure: unknown = null;

  /**
   * `asksReasons`: says whether to record the steps that changed its lines. `filter`: the lists of the run. Throws
   * `ENGINE_UNAVAILABLE` if the platform has no memory for another kernel.
   */
  constructor(
    plan: Uint8Array,
    module: WebAssembly.Module,
    chunkBytes: number,
    asksReasons: boolean,
    filter: UrlFilter | null,
  ) {
    this.#filter = filter;
    this.#kernel = new Kernel(plan, chunkBytes + OVERHEAD, module, BYTES_PER_ROW);
    this.#kernel.askReasons(asksReasons);
  }

  /** Returns its lines as they were. */
  get texts(): LineTexts {
    return { input: this.#kernel.input, inputOffsets: this.#kernel.inOffsets };
  }

  /** Returns a status byte for each of its rows. */
  get status(): Uint8Array {
    return this.#kernel.status.subarray(0, this.rows);
  }

  /** Returns the reasons of its rows, if they were requested. */
  get reasons(): Uint32Array {
    return this.#kernel.reasonsOf(this.rows);
  }

  /** Reads and normalizes the lines of a chunk. Stores an error in `failure`. */
  load(chunk: number, reader: ChunkSource): void {
    this.chunk = chunk;
    this.rows = 0;
    this.failed = 0;
    this.blocked = 0;
    this.changed = 0;
    this.tabbed = 0;
    this.long = null;
    this.isLongBegun = false;
    this.failure = null;
    try {
      this.#load(reader);
      if (this.#filter !== null && this.rows > 0) this.#mark(this.#filter);
    } catch (error) {
      this.rows = 0;
      this.failure = error;
    }
  }

  #load(reader: ChunkSource): void {
    const kernel = this.#kernel;
    for (;;) {
      const { long, length, start } = reader.read(this.chunk, kernel);
      this.long = long;
      this.rows = length === 0 ? 0 : kernel.normalizeLines(length, false);
      this.failed = this.rows === 0 ? 0 : kernel.failed;
      this.changed = this.rows === 0 ? 0 : kernel.changed - kernel.failed;
      const consumed = length === 0 ? 0 : kernel.consumed;
      // The text after the last LF begins the next chunk.
      if (kernel.input.subarray(consumed, length).indexOf(LF) < 0) {
        this.tabbed = countTabbed(kernel.input.subarray(0, consumed));
        if (start !== null) reader.noteStart(this.chunk + 1, start + consumed);
        return;
      }
      // The chunk has many short lines, or lines that become far longer.
      const capacity = 2 * kernel.capacity;
      if (!kernel.reserve(capacity)) throw chunkTooLarge(length);
    }
  }

  /** Marks the lines that lists leave out, which are errors. */
  #mark(filter: UrlFilter): void {
    const kernel = this.#kernel;
    const { rows } = this;
    const offsets = kernel.outOffsets.subarray(0, rows + 1);
    const lines = { data: kernel.output, offsets, terminator: 1 } as const;
    const { blocked, changed } = filter.mark(lines, this.status);
    this.blocked = blocked;
    this.failed += blocked;
    this.changed -= changed;
  }

  /**
   * Divides the fingerprints of its lines into partitions, and calls `take` as `Kernel.splitFingerprints` does. Lines with
   * an error have those of their texts, or none without `texts`.
   */
  split(key: Uint8Array, split: Split, take: TakePartitions): void {
    if (this.rows > 0) this.#kernel.fingerprint(this.rows, key, 1, split.texts);
    this.#kernel.splitFingerprints(this.rows, split, take);
  }

  /** Returns the partition of each row after `split`, or 255 for a row that is in none. */
  get partitions(): Uint8Array {
    return this.#kernel.marksOf(this.rows);
  }

  chosen(partitions: number, answers: Uint8Array): Uint8Array {
    return this.#kernel.chooseAnswered(this.rows, partitions, answers);
  }

  written(keepsFailed: boolean): Uint8Array {
    const kernel = this.#kernel;
    if (this.rows === 0) return new Uint8Array(0);
    if (this.failed === 0 || (!keepsFailed && this.blocked === 0)) return kernel.output;
    const { output, outOffsets: outputOffsets } = kernel;
    this.#kept.length = 0;
    const lines = { ...this.texts, output, outputOffsets };
    appendWithout(this.#kept, lines, failedRows(this), keepsFailed);
    return this.#kept.bytes();
  }

  errorLines(first: number): Uint8Array {
    const lines = failedRows(this).map((row) => {
      const text = escapeLine(lineAsBytes(this.texts, row));
      return `${first + row}\t${codeOfStatus(this.status[row] as number)}\t${text}\n`;
    });
    return Buffer.from(lines.join(""), "latin1");
  }

  addTo(counts: WorkerCounts): void {
    counts.add(this);
  }
}
