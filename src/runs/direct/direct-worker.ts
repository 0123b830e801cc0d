import { isUnavailable } from "../../base/errors.ts";
import { unavailable } from "../../engine/wasm/instance.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { FingerprintBits } from "../../fingerprints/table.ts";
import { formatOf } from "../../formats/index.ts";
import { sharedScanner } from "../../formats/scan/scanner.ts";
import type { PlainFile } from "../../io/files/plain-file.ts";
import { IoError } from "../../io/io-error.ts";
import type { EngineChoice } from "../../options/catalog.generated.ts";
import { keysTexts } from "../base/text-keys.ts";
import type { Emit, Job, OnError } from "../call/job.ts";
import { type FilterMemory, UrlFilter } from "../filter/url-filter.ts";
import { ChunkGrid } from "../grid/chunk-grid.ts";
import { GridReader } from "../grid/grid-reader.ts";
import { KeyForecast } from "../keys/key-forecast.ts";
import { addRows } from "../keys/per-key.ts";
import { ChunkKernel } from "../rows/chunk-kernel.ts";
import { ChunkProcessor } from "../rows/chunk-processor.ts";
import type { DirectChunk } from "../rows/direct-chunk.ts";
import { WorkerCounts, type WorkerTotals } from "../rows/worker-counts.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import type { DirectOutput } from "./line-writer.ts";
import { ChunkRecords } from "./records/chunk-records.ts";
import {
  ChainedRecords,
  DoubtfulRecord,
  type ReadRecords,
  readLineRecords,
  readLines,
} from "./records/own-records.ts";
import type { FilePlaces } from "./records/record-places.ts";
import { type ProgressMemory, SharedProgress } from "./shared-progress.ts";

/** Describes the shared work of a run's threads, as plain data for workers. */
export interface DirectWork {
  readonly plan: Uint8Array;
  readonly module: WebAssembly.Module;
  /** The bytes of the longest record that is read whole, without its end. A longer line is written in pieces. */
  readonly longestRecord: number;
  readonly onError: OnError;
  readonly emit: Emit;
  /** Says whether lines are counted by status, and changes by step. */
  readonly counts: boolean;
  /** Holds the lists of `--block` and `--allow`, or null. */
  readonly filter: FilterMemory | null;
  readonly files: readonly PlainFile[];
  readonly chunkBytes: number;
  readonly threads: number;
  /** The most chunks that a thread holds. */
  readonly held: number;
  readonly output: DirectOutput;
  /** The output for lines with an error, or null if they are not listed. */
  readonly errors: DirectOutput | null;
  /** The output for records that are repeats, or null if they are not listed. */
  readonly map: DirectOutput | null;
  /** How records are read and written. It is null for lines that pass in bulk. */
  readonly records: RecordWork | null;
  readonly progress: ProgressMemory;
  /** Describes how lines are merged. It is null if they are not. */
  readonly keys: {
    readonly fingerprintKey: Uint8Array;
    readonly bits: FingerprintBits;
    /** The most lines of a key that are written. */
    readonly perKey: number;
    readonly engine: EngineChoice;
    /** The memory limit for the set of one partition, in bytes. */
    readonly maxBytes: number;
  } | null;
}

/** Describes records that are read in the direct mode. */
export interface RecordWork {
  readonly job: Job;
  /** How the chunks of each of the files are read. */
  readonly places: readonly FilePlaces[];
}

/** Holds the keys of one partition of all fingerprints. */
interface KeyPartition {
  readonly set: FingerprintSet;
  readonly perKey: number;
  readonly forecast: KeyForecast;
}

/**
 * Does the work of one thread of a run. It reads, normalizes and writes its own chunks. In chunk order, it also looks
 * up the fingerprints of all chunks in its partition of the set. The progress tells it how far other threads are.
 */
export class DirectWorker {
  readonly #work: DirectWork;
  readonly #number: number;
  readonly #grid: ChunkGrid;
  readonly #reader: GridReader;
  readonly #progress: SharedProgress;
  readonly #writer: ChunkWriter;
  /** Null if nothing is counted. */
  readonly #counts: WorkerCounts | null;
  /** Null if this worker has no partition of the set, or nothing is merged. */
  readonly #partition: KeyPartition | null;
  /** The number of chunks whose fingerprints it has looked up in its partition. */
  #asked = 0;
  /** The chunks that it holds, in order. */
  readonly #held: DirectChunk[] = [];
  readonly #free: DirectChunk[] = [];
  /** Null if there are no lists, or records are taken apart. */
  readonly #filter: UrlFilter | null;
  /** Processes records; null before the first, and for lines that pass in bulk. */
  #processor: ChunkProcessor | null = null;
  /** The number of its chunks. It becomes the limit when the platform has no memory for another. */
  #kernels = 0;

  /**
   * `number`: the number of the thread, from 0 on. A thread without memory for a kernel only looks up fingerprints.
   * Throws `ENGINE_UNAVAILABLE` if no thread has a kernel; then nothing was written.
   */
  constructor(work: DirectWork, number: number) {
    const { plan, keys, files, chunkBytes, counts, filter } = work;
    this.#work = work;
    this.#filter = work.records === null ? UrlFilter.of(filter) : null;
    this.#number = number;
    this.#progress = new SharedProgress(work.progress);
    this.#grid = new ChunkGrid(files, chunkBytes);
    this.#reader = new GridReader(
      new ChunkGrid(files, chunkBytes),
      work.longestRecord,
      () => this.#progress.isStopped,
    );
    this.#writer = new ChunkWriter(
      { ...work, dedupes: keys !== null },
      this.#progress,
      this.#reader,
    );
    this.#counts = counts ? new WorkerCounts(plan) : null;
    const first = this.#anotherKernel();
    if (first !== null) this.#free.push(first);
    else if (this.#progress.lackKernel() === work.threads)
      throw unavailable("no thread has a kernel");
    this.#partition = null;
    if (keys !== null && number < work.progress.partitions) {
      const set = new FingerprintSet({ ...keys, kernel: work.module });
      this.#partition = { set, perKey: keys.perKey, forecast: this.#forecast() };
    }
  }

  /** Forecasts the keys of a partition. The partitions are equal, so the first one warns for all. */
  #forecast(): KeyForecast {
    const { partitions } = this.#progress.memory;
    return new KeyForecast(0, ({ expected, capacity }) => {
      if (this.#number > 0) return;
      this.#progress.count({
        expectedKeys: partitions * expected,
        keyCapacity: partitions * capacity,
      });
    });
  }

  /** Returns whether everything is written, or the work must end. */
  get isDone(): boolean {
    return this.#progress.isStopped || this.#progress.written === this.#grid.count;
  }

  /** Works until everything is written. */
  run(): void {
    this.workUntil(Number.POSITIVE_INFINITY);
    this.end();
  }

  /** Works until a time of `performance.now`, or until everything is written. Waits if other threads must continue first. */
  workUntil(end: number): void {
    while (!this.isDone) {
      const { events } = this.#progress;
      const isIdle = !this.step() && !this.isDone;
      const left = end - performance.now();
      if (left <= 0) return;
      if (isIdle) this.#progress.wait(events, left);
    }
  }

  /** Returns its counts, or null if nothing is counted. */
  get totals(): WorkerTotals | null {
    return this.#counts?.totals() ?? null;
  }

  /** Ends a line that an interrupt has cut. Call it after the worker is done. */
  end(): void {
    if (this.#progress.isInterrupted) this.#writer.end();
  }

  /** Does the most urgent piece of work. Returns false if other threads must continue first. */
  step(): boolean {
    return this.#write() || this.#ask() || this.#listNext() || this.#load();
  }

  /** Closes its input, and counts the keys of its partition. */
  close(): void {
    this.#reader.close();
    this.#progress.count({ keys: this.#partition?.set.size ?? 0 });
  }

  /** Writes the output of the next chunk, if this worker holds it and has all answers. */
  #write(): boolean {
    const [next] = this.#held;
    if (next === undefined || next.chunk !== this.#progress.written) return false;
    const answers = this.#work.keys === null ? null : this.#progress.answers(next.chunk);
    if (this.#work.keys !== null && answers === null) return false;
    if (next.failure instanceof DoubtfulRecord) {
      this.#progress.leave();
      return true;
    }
    if (next.failure !== null) throw next.failure;
    this.#list(next);
    if (!this.#writer.write(next, answers)) return true;
    const long = next.isLongBegun ? 1 : 0;
    const { from, to } = this.#grid.rangeOf(next.chunk);
    this.#progress.count({
      lines: next.rows + long,
      located: next.located ?? 0,
      errors: next.failed + long,
      blocked: next.blocked,
      tabbed: next.tabbed,
      bytesIn: to - from,
    });
    this.#held.shift();
    this.#free.push(next);
    this.#progress.endChunk();
    return true;
  }

  /** Lists the repeats of the next chunk that has all answers, before it has its turn to be written. */
  #listNext(): boolean {
    return this.#held.some((chunk) => this.#list(chunk));
  }

  /** Lists the repeats of a chunk, and returns true, if that is wanted, not done yet, and all answers are in. */
  #list(chunk: DirectChunk): boolean {
    if (this.#work.map === null || chunk.failure !== null || chunk.merged !== null) return false;
    const answers = this.#progress.answers(chunk.chunk);
    if (answers === null) return false;
    chunk.listMerged?.(answers);
    return true;
  }

  /** Looks up the fingerprints of the next chunk in its partition. */
  #ask(): boolean {
    const chunk = this.#asked;
    if (this.#partition === null || chunk === this.#grid.count || !this.#progress.isReady(chunk)) {
      return false;
    }
    const { set, forecast, perKey } = this.#partition;
    const { fingerprints, answers } = this.#progress.partition(chunk, this.#number);
    const before = set.size;
    answers.set(addRows(set, fingerprints, perKey).rows);
    this.#progress.count({ duplicates: answers.length - (set.size - before) });
    this.#asked++;
    forecast.expect(set, this.#asked / this.#grid.count);
    this.#progress.endPartition(chunk);
    return true;
  }

  /** Reads and normalizes the next unclaimed chunk. */
  #load(): boolean {
    const kernel = this.#free.pop() ?? this.#anotherKernel();
    if (kernel === null) return false;
    const chunk = this.#progress.claim(this.#grid.count);
    if (chunk === null) {
      this.#free.push(kernel);
      return false;
    }
    kernel.load(chunk, this.#reader);
    const { keys } = this.#work;
    if (keys !== null) {
      const { partitions } = this.#progress.memory;
      const split = { partitions, bits: keys.bits, texts: keysTexts(this.#work) };
      kernel.split(keys.fingerprintKey, split, (fingerprints, ends) =>
        this.#progress.putFingerprints(chunk, fingerprints, ends),
      );
    }
    if (kernel.failure === null && this.#counts !== null) kernel.addTo(this.#counts);
    this.#held.push(kernel);
    return true;
  }

  /** Returns another kernel, if the worker may hold more and the platform has memory for it. */
  #anotherKernel(): DirectChunk | null {
    const { held } = this.#work;
    if (this.#kernels >= held) return null;
    try {
      const chunk = this.#makeChunk();
      this.#kernels++;
      return chunk;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#kernels = held;
      return null;
    }
  }

  #makeChunk(): DirectChunk {
    const { plan, module, chunkBytes, counts, records, files } = this.#work;
    if (records === null) {
      return new ChunkKernel(plan, module, chunkBytes, counts, this.#filter);
    }
    const { job, places } = records;
    this.#processor ??= new ChunkProcessor({ plan, module, engine: "wasm" }, job);
    const placeOf = new Map(files.map((file, at) => [file, places[at] as FilePlaces]));
    return new ChunkRecords(this.#processor, placeOf, this.#readerOf(job), chunkBytes);
  }

  /** Returns how records of a job are read. */
  #readerOf({ format, field }: Job): ReadRecords {
    if (format === "lines") return readLines;
    const { lastEnd } = formatOf(format, field);
    if (lastEnd === undefined) return readLineRecords;
    const records = new ChainedRecords(lastEnd, sharedScanner(), this.#progress);
    return (...chunk) => records.read(...chunk);
  }
}

/** Asks a worker to be one of the threads of a run. */
export interface DirectTask {
  readonly work: DirectWork;
  /** The number of the thread, from 0 on. */
  readonly worker: number;
}

/** Holds the result of a worker. */
export interface DirectResult {
  /** Its counts, or null if nothing is counted. */
  readonly totals: WorkerTotals | null;
  /** The message of the IoError that ended it, or null. The class of an error is lost between threads. */
  readonly failure: string | null;
}

/** Does the work of a direct run on a worker thread. */
export function runDirectWorker({ work, worker: number }: DirectTask): DirectResult {
  const worker = new DirectWorker(work, number);
  try {
    worker.run();
    return { totals: worker.totals, failure: null };
  } catch (error) {
    new SharedProgress(work.progress).stop();
    if (error instanceof IoError) return { totals: null, failure: error.message };
    throw error;
  } finally {
    worker.close();
  }
}
