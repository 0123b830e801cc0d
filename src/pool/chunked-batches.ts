import { Status } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import { cutColumn, type Rows } from "../engine/cut-column.ts";
import type {
  Column,
  Fingerprints,
  NormalizedColumn,
  NormalizedStrings,
} from "../engine/engine.ts";
import type { FingerprintOptions, NormalizedLines } from "../normalizer/calls.ts";
import { checkColumnSize } from "../normalizer/check-calls.ts";
import { CHUNK_ROWS, chunkSize, cutLines, cutStrings } from "../threads/chunks.ts";
import type { Slot } from "../threads/slots.ts";
import type { ChunkRuns, PoolRunOptions } from "./chunk-runs.ts";
import { type Filled, fillColumn, fillLines, fillStrings } from "./fill.ts";
import { columnResult, fingerprintsResult, linesResult } from "./tasks.ts";

/** Holds the options of a call, and the key and bits of fingerprints. */
export type CallOptions = FingerprintOptions<ArrayBufferLike> & PoolRunOptions;

/**
 * Does batches chunk by chunk: copies each chunk to a worker, and its result back. It is slower than
 * `ParallelBatches`, but reports progress, takes any input, and names the chunk whose worker dies.
 */
export class ChunkedBatches {
  readonly #runs: ChunkRuns;
  readonly #threads: number;

  constructor(runs: ChunkRuns, threads: number) {
    this.#runs = runs;
    this.#threads = threads;
  }

  /** Normalizes strings of `units` UTF-16 units in all. */
  async strings(
    urls: readonly string[],
    units: number,
    options: CallOptions,
  ): Promise<NormalizedStrings> {
    const normalized = new Array<string | null>(urls.length).fill(null);
    const status = new Uint8Array(urls.length);
    const chunks = cutStrings(urls, chunkSize(units, this.#threads));
    const fill = (rows: Rows, slot: Slot): Filled => fillStrings("column", urls, rows, slot);
    for await (const { item, outcome } of this.#runs.run(chunks, fill, options)) {
      const done = columnResult(outcome);
      status.set(done.status, item.first);
      const text = Buffer.from(done.data.buffer, done.data.byteOffset, done.data.length);
      for (let row = 0; row < outcome.rows; row++) {
        const at = item.first + row;
        if (done.status[row] === Status.UNCHANGED) normalized[at] = urls[at] as string;
        else if (done.status[row] === Status.CHANGED) {
          normalized[at] = text.toString("latin1", done.offsets[row], done.offsets[row + 1]);
        }
      }
    }
    return { urls: normalized, status };
  }

  /** Normalizes lines. */
  async lines(bytes: Uint8Array, options: CallOptions): Promise<NormalizedLines<ArrayBufferLike>> {
    const out = ByteBuilder.inside(options.into, bytes.length + (bytes.length >> 4) + 64);
    const status = ByteBuilder.withRoom(1 + (bytes.length >> 4));
    const chunks = cutLines(bytes, chunkSize(bytes.length, this.#threads));
    const fill = (stretch: Uint8Array, slot: Slot): Filled => fillLines("lines", stretch, slot);
    for await (const { outcome } of this.#runs.run(chunks, fill, options)) {
      const done = linesResult(outcome);
      out.append(done.bytes);
      status.append(done.status);
    }
    return { bytes: out.bytes(), status: status.bytes(), lines: status.length };
  }

  /** Normalizes the rows of a column that has `bytes` bytes. */
  async column(
    column: Column,
    bytes: number,
    options: CallOptions,
  ): Promise<NormalizedColumn<ArrayBufferLike>> {
    const out = ByteBuilder.inside(options.into, bytes);
    const offsets = new Int32Array(column.offsets.length);
    const status = new Uint8Array(offsets.length - 1);
    const chunks = cutColumn(column, chunkSize(bytes, this.#threads), CHUNK_ROWS);
    const fill = (rows: Rows, slot: Slot): Filled => fillColumn("column", column, rows, slot);
    for await (const { item, outcome } of this.#runs.run(chunks, fill, options)) {
      const done = columnResult(outcome);
      checkColumnSize(out.length + done.data.length);
      for (let row = 0; row < outcome.rows; row++) {
        offsets[item.first + row + 1] = out.length + (done.offsets[row + 1] as number);
      }
      status.set(done.status, item.first);
      out.append(done.data);
    }
    return { data: out.bytes(), offsets, status };
  }

  /** Returns the fingerprints of URLs of `size` bytes or UTF-16 units in all. */
  async fingerprints(
    urls: readonly string[] | Column | Uint8Array,
    size: number,
    options: CallOptions,
  ): Promise<Fingerprints<ArrayBufferLike>> {
    const chunk = chunkSize(size, this.#threads);
    const fingerprints = ByteBuilder.inside(
      options.into,
      (size >> 6) * ((options.bits ?? 128) / 8),
    );
    const status = ByteBuilder.withRoom(size >> 6);
    const take = async <T>(
      chunks: Iterable<T>,
      fill: (rows: T, slot: Slot) => Filled,
    ): Promise<void> => {
      for await (const { outcome } of this.#runs.run(chunks, fill, options)) {
        const done = fingerprintsResult(outcome);
        fingerprints.append(done.fingerprints);
        status.append(done.status);
      }
    };
    if (urls instanceof Uint8Array) {
      await take(cutLines(urls, chunk), (lines, slot) =>
        fillLines("fingerprints of lines", lines, slot),
      );
    } else if ("offsets" in urls) {
      await take(cutColumn(urls, chunk, CHUNK_ROWS), (rows, slot) =>
        fillColumn("fingerprints", urls, rows, slot),
      );
    } else {
      await take(cutStrings(urls, chunk), (rows, slot) =>
        fillStrings("fingerprints", urls, rows, slot),
      );
    }
    return { fingerprints: fingerprints.bytes(), status: status.bytes() };
  }
}
