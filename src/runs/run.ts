import { isUnavailable } from "../base/errors.ts";
import { type ChunkPlace, formatOf } from "../formats/index.ts";
import { type Chunk, readChunks } from "../io/chunk-reader.ts";
import type { PlainFile } from "../io/files/plain-file.ts";
import { shownInput } from "../io/names.ts";
import { say } from "../io/say.ts";
import type { Source } from "../io/source.ts";
import { standardStreams } from "../io/standard.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import { type NormalizerSetup, prepare } from "../normalizers.ts";
import { inOrder } from "../threads/in-order.ts";
import { Slots } from "../threads/slots.ts";
import type { WorkersOptions } from "../threads/start-pool.ts";
import { Workers } from "../threads/workers.ts";
import { carryOut, checkedBytes, keyRequest, openKeys, type Run } from "./carry-out.ts";
import { ChunkProcessor } from "./chunked/chunk-processor.ts";
import { DamagedRecords } from "./chunked/damaged-records.ts";
import { InputHeaders } from "./chunked/input-headers.ts";
import { openInput } from "./chunked/open-input.ts";
import { ResultWriter } from "./chunked/result-writer.ts";
import { Shadow } from "./chunked/shadow.ts";
import { counted } from "./counted.ts";
import { DirectRun, type DirectRunParts } from "./direct/direct-run.ts";
import { chooseWay } from "./direct/way.ts";
import type { Remains } from "./interrupt.ts";
import type { ChooseTask, ChunkResult, Job, ListTask, WorkerResult, WorkerTask } from "./job.ts";
import type { KeySet } from "./keys/key-set.ts";
import { longestText } from "./keys/text-keys.ts";
import type { LineOptions } from "./options.ts";
import { ReportCollector } from "./report/collector.ts";
import { memoryForLines, type RunMemory } from "./run-memory.ts";
import { countKeys, type RunFacts, sayCounts, writeReport } from "./summary.ts";
import { Tally } from "./tally.ts";
import { sayUnappliedRules } from "./unapplied.ts";

/**
 * The bytes of input from which more threads are worth their start, if no number of threads is given. `bulk` is for
 * lines that pass in bulk, `slow` for lines that take ten times as long.
 */
const WORTH_THREADS = { bulk: 1 << 26, slow: 1 << 23 };
/** The memory of a thread for young objects. Node 24 takes several times as much, and is not faster. */
const YOUNG_MB = 48;
/** The number of chunks in progress for each thread. */
const AHEAD = 2;
/**
 * The bytes of a chunk. One thread is fastest if the chunk stays in its core's cache; more threads, if messages are
 * few.
 */
const CHUNK_ALONE = 1 << 18;
const CHUNK_SHARED = 1 << 21;

/** Holds a chunk that was read, and its position in the input. */
interface PlacedChunk {
  readonly chunk: Chunk;
  readonly place: ChunkPlace;
}

/** Holds a processed chunk. A piece of a long line has no outcome. */
interface Done {
  readonly chunk: Chunk;
  readonly outcome: ChunkResult | null;
}

/** Runs `normalize` or `dedupe`: reads all files, and writes the results of their records in order. */
export async function run(options: LineOptions, dedupes: boolean): Promise<void> {
  const { seen, shadow } = options;
  const total = await checkedBytes(options);
  const { rules: _, pageAliases: __, accept: ___, ...withoutRules } = options.normalizer;
  const { normalizer, resolved, setup } = prepare(
    shadow === undefined ? options.normalizer : withoutRules,
  );
  sayUnappliedRules(options.normalizer);
  if (options.base !== undefined) normalizer.normalizeBatch([], { base: options.base });
  const memory = memoryForLines(options, dedupes, normalizer.engine);
  const request = keyRequest(normalizer, resolved, options, memory.keyBytes);
  const keys = dedupes ? await openKeys(request, seen) : null;
  const tried =
    shadow === undefined
      ? null
      : await Shadow.open(options.normalizer, normalizer, options.base, shadow);
  const { maxLength } = resolved;
  const prepared = { setup, normalizer, maxLength, shadow: tried };
  const { profileId } = request;
  const lines = new LineRun(options, prepared, { keys, profileId, memory }, total);
  await carryOut(lines, options, total);
}

/** Describes how a run normalizes. */
interface PreparedRun {
  readonly setup: NormalizerSetup;
  readonly normalizer: Normalizer;
  readonly maxLength: number;
  readonly shadow: Shadow | null;
}

/** Describes the keys of a run. They are null if it does not dedupe. */
interface RunKeys {
  readonly keys: KeySet | null;
  readonly profileId: string;
  readonly memory: RunMemory;
}

class LineRun implements Run {
  readonly tally = new Tally();
  readonly #options: LineOptions;
  readonly #job: Job;
  readonly #threads: number;
  readonly #total: number;
  readonly #maxLength: number;
  readonly #profileId: string;
  readonly #engine: "wasm" | "js";
  readonly #setup: NormalizerSetup;
  readonly #processor: ChunkProcessor;
  readonly #workerOptions: WorkersOptions;
  readonly #workers: Workers<WorkerTask, WorkerResult>;
  readonly #chunk: number;
  readonly #slots: Slots;
  readonly #keys: KeySet | null;
  readonly #maxBytes: number;
  readonly #stopping = new AbortController();
  readonly #collector: ReportCollector | null;
  readonly #shadow: Shadow | null;
  readonly #damaged: DamagedRecords;
  #source: Source | null = null;
  #writer: ResultWriter | null = null;
  /** Null if the run uses the general way. */
  #direct: DirectRun | null = null;
  #takenBefore = 0;

  constructor(
    options: LineOptions,
    { setup, normalizer, maxLength, shadow }: PreparedRun,
    { keys, profileId, memory }: RunKeys,
    total: number,
  ) {
    this.#options = options;
    this.#maxBytes = memory.keyBytes;
    this.#collector = options.report === undefined ? null : new ReportCollector();
    this.#shadow = shadow;
    this.#damaged = new DamagedRecords(options.onError);
    this.#total = total;
    this.#maxLength = maxLength;
    this.#profileId = profileId;
    this.#engine = normalizer.engine;
    this.#keys = keys;
    this.#job = {
      format: options.format,
      field: options.field,
      base: options.base,
      onError: options.onError,
      emit: options.emit,
      form: options.form,
      fingerprintKey: keys?.identity.key ?? null,
      maps: keys !== null && (options.map !== undefined || options.report !== undefined),
      lists: options.errors !== undefined || options.report !== undefined,
      counts: options.stats || options.report !== undefined,
      shows: options.report !== undefined,
    };
    this.#threads = memory.threads;
    this.#chunk = this.#threads === 1 ? CHUNK_ALONE : CHUNK_SHARED;
    // There are slots for chunks being read, processed and written, and for chosen rows.
    this.#slots = new Slots(4 * AHEAD * this.#threads, this.#chunk);
    this.#setup = setup;
    this.#processor = new ChunkProcessor(this.#setup, this.#job);
    this.#workerOptions = {
      file: new URL("./thread.cjs", import.meta.url),
      threads: this.#threads,
      workerData: { setup: this.#setup, job: this.#job },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    };
    this.#workers = new Workers(this.#workerOptions);
  }

  /** Ends the run with `reason` after the writes in progress, so that no line is cut. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#writer?.stop(reason);
    this.#direct?.stop(reason);
  }

  get remains(): Remains {
    return this.#writer?.isCut === true || this.#direct?.isCut === true ? "cut" : "whole";
  }

  abandon(): void {}

  async all(): Promise<void> {
    const { module } = this.#setup;
    const way = chooseWay(this.#options, this.#processor.isFast, this.#engine);
    if ("general" in way || module === null) return this.#allGeneral();
    this.#direct = await DirectRun.open(this.#directParts(way.files, module));
    const { aborted, reason } = this.#stopping.signal;
    if (aborted) this.#direct.stop(reason);
    try {
      await this.#direct.all();
    } catch (error) {
      if (!isUnavailable(error) || this.#direct.hasWritten) throw error;
      // The general way needs fewer kernels.
      await this.#direct.close();
      this.#direct = null;
      await this.#allGeneral();
    }
  }

  #directParts(files: readonly PlainFile[], module: WebAssembly.Module): DirectRunParts {
    const { plan, engine } = this.#setup;
    const { onError, out = "-", errors } = this.#options;
    const threads = this.#isAlone ? 1 : this.#threads;
    const keys = this.#keys && {
      fingerprintKey: this.#keys.identity.key,
      bits: this.#keys.identity.bits,
      engine,
      maxBytes: this.#maxBytes,
    };
    const { counts } = this.#job;
    const work = { plan, module, maxLength: this.#maxLength, onError, counts, keys };
    return { files, threads, out, errors, tally: this.tally, workers: this.#workerOptions, work };
  }

  async #allGeneral(): Promise<void> {
    const limit = AHEAD * this.#threads;
    const writer = await ResultWriter.open({
      options: this.#options,
      tally: this.tally,
      slots: this.#slots,
      keys: this.#keys,
      collector: this.#collector,
      shadow: this.#shadow,
      choose: (task) => this.#choose(task),
      list: (task) => this.#list(task),
      lists: this.#job.maps,
      listsLines: this.#processor.isFast && this.#job.maps,
      limit,
      longestText: longestText(this.#maxLength),
    });
    this.#writer = writer;
    const { signal } = this.#stopping;
    const outcomes = inOrder(this.#chunks(), limit, (chunk) => this.#do(chunk), signal);
    for await (const { chunk, outcome } of outcomes) {
      this.tally.bytesIn = this.#taken;
      const share = this.#total === 0 ? 0 : this.#taken / this.#total;
      if (chunk.kind === "long") await writer.passLong(chunk.bytes, chunk.end);
      else await writer.take(chunk, outcome as ChunkResult, share);
    }
    await writer.finish();
    if (this.#collector === null) return;
    const command = this.#keys === null ? "normalize" : "dedupe";
    await writeReport(this.#options, { command, ...this.#facts }, this.tally, this.#collector);
  }

  async close(): Promise<void> {
    const { aborted, reason } = this.#stopping.signal;
    if (aborted) await this.#workers.stop(reason);
    else await this.#workers.close();
    await this.#source?.close();
    // A run that ends before its input must not wait for more input.
    if (this.#options.files.includes("-")) standardStreams().stdin.destroy();
    try {
      await this.#writer?.close();
      await this.#direct?.close();
    } finally {
      await this.#keys?.journal?.close();
    }
  }

  async *#chunks(): AsyncGenerator<PlacedChunk, void, undefined> {
    const format = formatOf(this.#options.format, this.#options.field);
    const headers = new InputHeaders(format);
    const isLines = this.#options.format === "lines";
    const reading = {
      endsLines: this.#options.format !== "sitemap",
      maxLine: isLines ? this.#maxLength : null,
      size: this.#chunk,
    };
    for (const file of this.#options.files) {
      this.#source = await openInput(file, this.#options, this.#chunk, this.#damaged);
      headers.start(shownInput(file));
      const boundary = format.boundary();
      const chunks = readChunks(this.#source, file, this.#slots, { ...reading, boundary });
      for await (const chunk of chunks) yield placeChunk(chunk, headers);
      await this.#source.close();
      this.#takenBefore += this.#source.taken;
      this.#source = null;
    }
  }

  async #do({ chunk, place }: PlacedChunk): Promise<Done> {
    if (chunk.kind === "long") return { chunk, outcome: null };
    const { slot, length } = chunk;
    const task = { ...slot, length, place };
    const outcome = this.#isAlone
      ? this.#processor.run(task)
      : ((await this.#workers.run(task, () => this.#nameOf(length))) as ChunkResult);
    slot.output = outcome.output;
    return { chunk, outcome };
  }

  async #choose(task: ChooseTask): Promise<number> {
    if (this.#isAlone) return this.#processor.choose(task);
    return (await this.#workers.run(task, () => this.#nameOf(task.text.bytes))) as number;
  }

  async #list(task: ListTask): Promise<Uint8Array> {
    if (this.#isAlone) return this.#processor.list(task);
    return (await this.#workers.run(task, () => this.#nameOf(task.text.bytes))) as Uint8Array;
  }

  #nameOf(bytes: number): string {
    return `${bytes} bytes after line ${this.tally.lines}`;
  }

  /** Returns whether the calling thread does all work. */
  get #isAlone(): boolean {
    if (this.#threads === 1) return true;
    if (this.#options.threads !== undefined) return false;
    const isBulk = this.#processor.isFast && this.#engine === "wasm";
    const bytes = Math.max(this.#taken, this.#total);
    return bytes < (isBulk ? WORTH_THREADS.bulk : WORTH_THREADS.slow);
  }

  /** Returns the number of bytes read from the inputs so far. */
  get #taken(): number {
    return this.#takenBefore + (this.#source?.taken ?? 0);
  }

  /** Returns the messages for the end of the run. */
  report(): void {
    const keys = this.#keys;
    if (keys !== null) countKeys(keys, this.#direct?.keys ?? keys.size, this.tally, this.#options);
    this.#damaged.report();
    if (this.#options.archive !== null) this.tally.damagedRecords = this.#damaged.count;
    if (this.#shadow !== null) {
      const { lines, merged } = this.#shadow;
      say(`the rules would have merged ${merged} of ${counted(lines, "line")}; none was`);
    }
    sayCounts(this.#options, this.#facts, this.tally, "line");
  }

  get #facts(): RunFacts {
    return { engine: this.#engine, threads: this.#threads, profileId: this.#profileId };
  }
}

/** Pieces of a long line are not records. No format with headers has them. */
const NOWHERE: ChunkPlace = { header: null, isStart: false };

function placeChunk(chunk: Chunk, headers: InputHeaders): PlacedChunk {
  if (chunk.kind === "long") return { chunk, place: NOWHERE };
  return { chunk, place: headers.placeOf(new Uint8Array(chunk.slot.input, 0, chunk.length)) };
}
