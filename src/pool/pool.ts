import type { Duplex } from "node:stream";
import { isShared } from "../base/copy-bytes.ts";
import { gather } from "../base/gather.ts";
import { builtin } from "../base/peer.ts";
import { Status, type StatusCode } from "../base/status.ts";
import type {
  Column,
  Fingerprints,
  NormalizedColumn,
  NormalizedStrings,
  UrlText,
} from "../engine/engine.ts";
import { textOf } from "../engine/strings.ts";
import {
  checkIterable,
  readBatch,
  readTexts,
  type UrlBatch,
  type UrlList,
} from "../normalizer/batch.ts";
import {
  type BatchOptions,
  type BytesOptions,
  type FingerprintOptions,
  type NormalizedLines,
  rowResult,
  type TryResult,
} from "../normalizer/calls.ts";
import {
  checkBytes,
  checkColumn,
  checkFingerprintOptions,
  checkInto,
} from "../normalizer/check-calls.ts";
import { checkRunOptions } from "../normalizer/check-run-options.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import { CHUNK, CHUNK_ROWS } from "../threads/chunks.ts";
import type { Slot } from "../threads/slots.ts";
import type { Workers } from "../threads/workers.ts";
import { inMemoryOf } from "./batch-memory.ts";
import { ChunkRuns, type PoolRunOptions } from "./chunk-runs.ts";
import { abortOnLeave, abortWith } from "./leaving.ts";
import { linesOfStream } from "./line-stream.ts";
import { ParallelBatches } from "./parallel-batches.ts";
import { SharedBatches } from "./shared-batches.ts";
import {
  columnResult,
  type Filled,
  fillLines,
  fillStrings,
  linesResult,
  type PoolResult,
  type PoolTask,
} from "./tasks.ts";
import { type BatchKind, WorthThreads } from "./worth-threads.ts";

/** Holds one URL of a stream as it was given (`input`), and its result. */
export type PooledUrl<T extends UrlText = string> = TryResult & { readonly input: T };

/** Holds a URL of a stream, and the text that it had when it came; null for what is not a URL object or a string. */
interface GivenUrl<T> {
  readonly input: T;
  readonly given: string | null;
}

/** The options of a batch of bytes. */
type PoolBytesOptions = BytesOptions<ArrayBufferLike> & PoolRunOptions;
/** Says that the result is in the same kind of memory as the input. */
type NoInto = { readonly into?: undefined };

/**
 * Normalizes batches of any size on several threads. Results are those of a `Normalizer` with the
 * same options, in the order of the input. `createPool` makes one; threads start with the first
 * batch that is worth them.
 *
 * Do not write to the memory of a batch before its call has ended: threads may read it in place.
 *
 * Every method throws what the method of `Normalizer` throws. It also throws `WORKER_DIED` if a chunk ended
 * its worker twice, and `POOL_CLOSED` after `close`.
 *
 * @example
 * import { createPool } from "urlmill/pool";
 * const pool = createPool({ threads: 2, preset: "crawl" });
 * (await pool.normalizeBatch(["HTTP://A", "http://b/#c"])).urls; // ["http://a/", "http://b/"]
 * await pool.close(); // undefined
 */
export class Pool {
  readonly #local: Normalizer;
  readonly #workers: Workers<PoolTask, PoolResult>;
  readonly #runs: ChunkRuns;
  readonly #parallel: ParallelBatches;
  readonly #maxLength: number;
  readonly #worth: WorthThreads;
  /** Counts the threads that normalize: those that were asked for, or fewer if `ulimit -v` has no room for them. */
  readonly threads: number;

  /** @internal */
  constructor(
    local: Normalizer,
    workers: Workers<PoolTask, PoolResult>,
    threads: number,
    { maxLength, minBatchBytes }: { maxLength: number; minBatchBytes: number | undefined },
  ) {
    this.#worth = new WorthThreads(local.engine, minBatchBytes);
    this.#local = local;
    this.#maxLength = maxLength;
    this.#workers = workers;
    this.#runs = new ChunkRuns(workers, threads);
    this.#parallel = new ParallelBatches(new SharedBatches(workers, threads));
    this.threads = threads;
  }

  /** Returns the name of the engine that runs: WebAssembly, or JavaScript with the same results. */
  get engine(): "wasm" | "js" {
    return this.#local.engine;
  }

  /**
   * Returns a short name for everything that a result depends on besides the input, as
   * `Normalizer.profileId` does.
   */
  get profileId(): string {
    return this.#local.profileId;
  }

  /** Returns a copy of the key of the pool's fingerprints, 16 random bytes. A call can use another key. */
  get fingerprintKey(): Uint8Array<ArrayBuffer> {
    return this.#local.fingerprintKey;
  }

  /**
   * Normalizes strings and `URL` objects on the threads of the pool, as `Normalizer.normalizeBatch`
   * does.
   */
  async normalizeBatch(
    batch: UrlList,
    options: BatchOptions & PoolRunOptions = {},
  ): Promise<NormalizedStrings> {
    this.#begin(options);
    const rows = readBatch(batch, "strings");
    const { texts, length, notStrings } = readTexts(rows);
    if (!this.#worth.is("strings", length, options))
      return this.#local.normalizeBatch(rows, options);
    const done = await this.#parallel.strings(texts, length, options);
    for (const row of notStrings) {
      done.urls[row] = null;
      done.status[row] = Status.NOT_A_STRING;
    }
    return done;
  }

  /**
   * Normalizes lines of bytes on the threads of the pool, as `Normalizer.normalizeLines` does. A byte order
   * mark is part of its line. Lines in shared memory are not copied, and their results are in shared memory
   * too, unless `into` gives other memory. Do not write to it before the call has ended.
   *
   * @example
   * const pool = createPool({ threads: 2 });
   * const shared = new Uint8Array(new SharedArrayBuffer(9));
   * shared.set(Buffer.from("HTTP://A\n"));
   * const { bytes } = await pool.normalizeLines(shared);
   * Buffer.from(bytes).toString(); // "http://a/\n"
   * bytes.buffer instanceof SharedArrayBuffer; // true
   * await pool.close(); // undefined
   */
  normalizeLines<B extends ArrayBufferLike>(
    bytes: Uint8Array<B>,
    options?: PoolBytesOptions & NoInto,
  ): Promise<NormalizedLines<B>>;
  normalizeLines(
    bytes: Uint8Array,
    options: PoolBytesOptions,
  ): Promise<NormalizedLines<ArrayBufferLike>>;
  async normalizeLines(
    bytes: Uint8Array,
    options: PoolBytesOptions = {},
  ): Promise<NormalizedLines<ArrayBufferLike>> {
    this.#begin(options);
    checkBytes(bytes);
    checkInto(options.into, bytes);
    const done = this.#worth.is(batchKind(bytes), bytes.length, options)
      ? await this.#parallel.lines(bytes, options)
      : this.#local.normalizeLines(bytes, options);
    return inMemoryOf(bytes, options.into, done);
  }

  /**
   * Normalizes the rows of a column on the threads of the pool, as `Normalizer.normalizeColumn`
   * does. The data of a column may be in shared memory, as lines may.
   */
  normalizeColumn<B extends ArrayBufferLike>(
    column: Column<B>,
    options?: PoolBytesOptions & NoInto,
  ): Promise<NormalizedColumn<B>>;
  normalizeColumn(
    column: Column,
    options: PoolBytesOptions,
  ): Promise<NormalizedColumn<ArrayBufferLike>>;
  async normalizeColumn(
    column: Column,
    options: PoolBytesOptions = {},
  ): Promise<NormalizedColumn<ArrayBufferLike>> {
    this.#begin(options);
    checkColumn(column);
    checkInto(options.into, column);
    const bytes = bytesOf(column);
    const done = this.#worth.is(batchKind(column.data), bytes, options)
      ? await this.#parallel.column(column, bytes, options)
      : this.#local.normalizeColumn(column, options);
    return inMemoryOf(column.data, options.into, done);
  }

  /**
   * Returns a fingerprint of each normalized URL, as `Normalizer.fingerprintBatch` does. All threads share
   * one key. Lines, and the data of a column, may be in shared memory.
   */
  fingerprintBatch(
    batch: UrlList,
    options?: FingerprintOptions<ArrayBufferLike> & PoolRunOptions & NoInto,
  ): Promise<Fingerprints>;
  fingerprintBatch<B extends ArrayBufferLike>(
    batch: Uint8Array<B> | Column<B>,
    options?: FingerprintOptions<ArrayBufferLike> & PoolRunOptions & NoInto,
  ): Promise<Fingerprints<B>>;
  fingerprintBatch(
    batch: UrlBatch,
    options?: FingerprintOptions<ArrayBufferLike> & PoolRunOptions,
  ): Promise<Fingerprints<ArrayBufferLike>>;
  async fingerprintBatch(
    batch: UrlBatch,
    options: FingerprintOptions<ArrayBufferLike> & PoolRunOptions = {},
  ): Promise<Fingerprints<ArrayBufferLike>> {
    this.#begin(options);
    const { key: given = this.fingerprintKey, bits = 128 } = options;
    checkFingerprintOptions(given, bits);
    // Threads read the key later, and the caller may have wiped it by then.
    const keyed = { ...options, key: new Uint8Array(given), bits };
    const rows = readBatch(batch);
    checkInto(options.into, rows);
    if (!Array.isArray(rows)) {
      const urls = rows as Column | Uint8Array;
      const size = bytesOf(urls);
      const data = urls instanceof Uint8Array ? urls : urls.data;
      const done = this.#worth.is(batchKind(data), size, options)
        ? await this.#parallel.fingerprints(urls, size, keyed)
        : this.#local.fingerprintBatch(urls, keyed);
      return inMemoryOf(data, options.into, done);
    }
    const { texts, length, notStrings } = readTexts(rows);
    if (!this.#worth.is("strings", length, options)) {
      return this.#local.fingerprintBatch(rows, keyed);
    }
    const done = await this.#parallel.fingerprints(texts, length, keyed);
    for (const row of notStrings) {
      done.fingerprints.fill(0, row * (bits / 8), (row + 1) * (bits / 8));
      done.status[row] = Status.NOT_A_STRING;
    }
    return done;
  }

  /**
   * Normalizes URLs as they come. Yields them in order, without delay if they come slowly, and reads at most
   * 8,192 for each thread ahead of its consumer. Throws `BAD_INPUT` for one string and for anything that cannot
   * be iterated.
   *
   * @example
   * const pool = createPool({ threads: 1 });
   * for await (const { input, url } of pool.normalizeEach(["HTTP://A"])) console.log(input, url);
   * await pool.close(); // undefined
   */
  async *normalizeEach<T extends UrlText = string>(
    urls: AsyncIterable<T> | UrlList<T>,
    options: BatchOptions & PoolRunOptions = {},
  ): AsyncGenerator<PooledUrl<T>, void, undefined> {
    this.#begin(options);
    checkIterable(urls);
    const size = (url: T): number => Math.max(textOf(url)?.length ?? 0, CHUNK / CHUNK_ROWS);
    const read = (input: T): GivenUrl<T> => ({ input, given: textOf(input) });
    const fill = (batch: GivenUrl<T>[], slot: Slot): Filled =>
      fillStrings(
        batch.map(({ given }) => given ?? ""),
        slot,
      );
    const batches = gather(urls, size, CHUNK >> 2, read);
    for await (const { item, outcome } of this.#runs.run(batches, fill, options)) {
      const { data, offsets, status } = columnResult(outcome);
      const text = Buffer.from(data).toString("latin1");
      for (const [row, { input, given }] of item.entries()) {
        const code = given === null ? Status.NOT_A_STRING : (status[row] as StatusCode);
        const url = text.slice(offsets[row], offsets[row + 1]);
        yield {
          input,
          ...rowResult(code, code === Status.UNCHANGED ? given : url, given ?? input),
        };
      }
    }
  }

  /**
   * Returns a stream that takes lines of bytes and gives normalized lines. It skips a byte order
   * mark at the beginning and does not write it. The stream fails with `BAD_INPUT` if it gets a
   * string.
   *
   * @example
   * import { pipeline } from "node:stream/promises";
   * const pool = createPool({ threads: 1 });
   * await pipeline([Buffer.from("HTTP://A\n")], pool.transform(), process.stdout, { end: false });
   * await pool.close(); // undefined
   */
  transform(options: BatchOptions & PoolRunOptions = {}): Duplex {
    this.#begin(options);
    const lines = (source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
      const leaving = new AbortController();
      return abortOnLeave(this.#streamLines(source, options, leaving), leaving);
    };
    return streams().Duplex.from(lines);
  }

  /**
   * Returns a pair of Web streams that takes lines of bytes and gives normalized lines, as
   * `transform` does, for `pipeThrough`.
   *
   * @example
   * const pool = createPool({ threads: 1 });
   * const lines = new Blob(["HTTP://A\n"]).stream().pipeThrough(pool.webTransform());
   * await new Response(lines).text(); // "http://a/\n"
   * await pool.close(); // undefined
   */
  webTransform(options: BatchOptions & PoolRunOptions = {}): {
    readable: ReadableStream<Uint8Array<ArrayBuffer>>;
    writable: WritableStream<Uint8Array>;
  } {
    return streams().Duplex.toWeb(this.transform(options)) as {
      readable: ReadableStream<Uint8Array<ArrayBuffer>>;
      writable: WritableStream<Uint8Array>;
    };
  }

  /** Stops the threads after the chunks in progress are done. Calls that have more to do, and later ones, throw `POOL_CLOSED`. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Closes the pool at the end of the block of an `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#streamLines(
    source: AsyncIterable<Uint8Array>,
    options: BatchOptions & PoolRunOptions,
    leaving: AbortController,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const unlink = abortWith(options.signal, leaving);
    const chunks = linesOfStream(source, this.#maxLength);
    const { signal } = leaving;
    try {
      for await (const { outcome } of this.#runs.run(chunks, fillLines, { ...options, signal })) {
        // A copy: the slot is used again before the bytes are written.
        yield Buffer.from(linesResult(outcome).bytes);
      }
    } finally {
      unlink();
    }
  }

  /** Checks the options that can be checked without a thread. */
  #begin(options: PoolBytesOptions): void {
    this.#workers.checkOpen();
    checkRunOptions(options);
    const { base, signal } = options;
    signal?.throwIfAborted();
    if (base !== undefined) this.#local.normalizeBatch([], { base });
  }
}

/**
 * Returns the streams of Node. They take longer to load than a pool, so only a call that needs them loads
 * them.
 */
function streams(): typeof import("node:stream") {
  return builtin("node:stream");
}

function batchKind(bytes: Uint8Array): BatchKind {
  return isShared(bytes) ? "shared" : "private";
}

function bytesOf(urls: Column | Uint8Array): number {
  if (urls instanceof Uint8Array) return urls.length;
  return (urls.offsets.at(-1) as number) - (urls.offsets[0] as number);
}
