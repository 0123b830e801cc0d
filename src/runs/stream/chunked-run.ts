import { counted } from "../../base/counted.ts";
import { isSetFull } from "../../base/errors.ts";
import { type ChunkPlace, type Format, formatOf } from "../../formats/index.ts";
import { type Scanner, sharedScanner } from "../../formats/scan/scanner.ts";
import { type Chunk, readChunks } from "../../io/chunk-reader.ts";
import type { InputPlace } from "../../io/files/input-states.ts";
import { shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import type { Source } from "../../io/source.ts";
import { MendedSource, type TakeQuote } from "../../io/sources/mended-source.ts";
import { standardStreams } from "../../io/standard.ts";
import { inOrder } from "../../threads/in-order.ts";
import { Slots } from "../../threads/slots.ts";
import { Workers } from "../../threads/workers.ts";
import { LF } from "../../url/codes.ts";
import { CHUNK, CHUNK_SENT } from "../base/chunk-bytes.ts";
import { type OutputState, StoppedAtLine } from "../base/failure.ts";
import { longestText } from "../base/text-keys.ts";
import { InputHeaders } from "../call/input-headers.ts";
import type { ChunkResult, WorkerResult, WorkerTask } from "../call/job.ts";
import type { LineOptions } from "../call/options.ts";
import type { Run } from "../frame/execute.ts";
import { FIRST_BYTES } from "../frame/first-records.ts";
import { isOneEnough, workersOf, worksAlone } from "../frame/line-threads.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { whyInMemory } from "../frame/spill.ts";
import type { RowDecider } from "../keys/row-decider.ts";
import { areHeld, type HeldKeys } from "../keys/stored-keys.ts";
import { ChunkProcessor } from "../rows/chunk-processor.ts";
import { BulkLines } from "./bulk-lines.ts";
import { DamagedRecords } from "./damaged-records.ts";
import { openInput } from "./open-input.ts";
import type { Overflow } from "./overflow.ts";
import { ResultWriter, type ResultWriterSetup } from "./result-writer.ts";
import type { Shadow } from "./shadow.ts";
import type { PlacedChunk } from "./spooled-chunks.ts";

/** The number of chunks in progress for each thread. */
const AHEAD = 2;

/** Says how the inputs are read, if they are read more than once. */
export interface Reading {
  /** Says whether the output is written. Otherwise only the keys of the rows are asked about. */
  readonly writes: boolean;
  /** Says whether damaged records are named. */
  readonly names: boolean;
  /** Says which bytes of an input are read. */
  readonly placeOf: (file: string) => InputPlace;
}

const ONLY_READING: Reading = { writes: true, names: true, placeOf: (path) => ({ path }) };

/** Holds a processed chunk. A piece of a long line has no outcome, and lines that pass in bulk have none yet. */
interface Done {
  readonly chunk: Chunk;
  readonly place: ChunkPlace;
  readonly outcome: ChunkResult | null;
}

/** Runs `normalize` or `dedupe` in the chunked mode: reads chunks, gives them to workers, and writes their results in order. */
export class ChunkedRun implements Run {
  readonly #prepared: PreparedRun<LineOptions>;
  /** Null if no rules are tried in shadow. */
  readonly #shadow: Shadow | null;
  /** Null if the run does not dedupe. */
  #keys: RowDecider | null;
  /** Takes the rest of the inputs after the set of keys was full; null before. */
  #overflow: Overflow | null = null;
  readonly #reading: Reading;
  readonly #processor: ChunkProcessor;
  /** Null if lines cannot pass in bulk. */
  readonly #bulk: BulkLines | null;
  readonly #workers: Workers<WorkerTask, WorkerResult>;
  /** The most threads that work on chunks. */
  readonly #threads: number;
  /** The most chunks in progress. */
  readonly #limit: number;
  readonly #slots: Slots<ArrayBufferLike>;
  readonly #damaged: DamagedRecords;
  readonly #stopping = new AbortController();
  #source: Source | null = null;
  #writer: ResultWriter | null = null;
  #takenBefore = 0;
  /** The bytes of all chunks so far, decompressed. */
  #content = 0;
  /** The first bytes of the input; null before they are read. */
  #first: Buffer | null = null;

  /** `keys`: null if the run does not dedupe. */
  constructor(
    prepared: PreparedRun<LineOptions>,
    shadow: Shadow | null,
    keys: RowDecider | null,
    reading: Reading = ONLY_READING,
  ) {
    const { options, setup, job, memory } = prepared;
    this.#prepared = prepared;
    this.#shadow = shadow;
    this.#keys = keys;
    this.#reading = reading;
    this.#processor = new ChunkProcessor(setup, job);
    this.#workers = new Workers(workersOf(prepared));
    const isCounting = reading.writes && (options.count || options.repeated);
    this.#threads = isOneEnough(prepared) ? 1 : memory.threads;
    this.#bulk = this.#isAlone && !isCounting ? BulkLines.of(prepared, CHUNK) : null;
    this.#limit = AHEAD * this.#threads;
    // There are slots for chunks being read, processed and written, and for chosen rows.
    const kept = 4 * this.#limit;
    this.#slots =
      this.#threads === 1 ? Slots.unshared(kept, CHUNK) : Slots.shared(kept, CHUNK_SENT);
    this.#damaged = new DamagedRecords(options.onError, !reading.names);
  }

  /** Ends the run with `reason` after the writes in progress, so that no line is cut. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#writer?.stop(reason);
  }

  get outputState(): OutputState {
    return this.#writer?.isCut === true ? "cut" : "whole";
  }

  get keyCount(): number {
    return this.#keys?.size ?? 0;
  }

  firstBytes(): Buffer {
    return this.#first ?? Buffer.alloc(0);
  }

  async all(): Promise<void> {
    const { tally } = this.#prepared;
    const writer = await ResultWriter.open({ ...this.#writerSetup(), keys: this.#keys });
    this.#writer = writer;
    try {
      for await (const done of this.#outcomes(this.#chunks())) {
        tally.bytesIn = this.#taken;
        await this.#takeOrDefer(writer, done);
      }
      tally.bytesIn = this.#taken; // what has no record counts, too
    } catch (error) {
      // The line that ends the run is met again when what comes before it is written.
      if (this.#overflow === null || !(error instanceof StoppedAtLine)) throw error;
    }
    if (this.#overflow !== null) await this.#writeRest(writer, this.#overflow);
    await writer.finish();
    this.#bulk?.finish();
  }

  #outcomes(chunks: AsyncIterable<PlacedChunk> | Iterable<PlacedChunk>): AsyncGenerator<Done> {
    const { signal } = this.#stopping;
    return inOrder(chunks, this.#limit, (chunk) => this.#do(chunk), signal);
  }

  /** Takes a chunk. Once the set of keys is full, it and all later ones are written after the inputs are read. */
  async #takeOrDefer(writer: ResultWriter, done: Done): Promise<void> {
    if (this.#overflow === null) {
      try {
        return await this.#take(writer, done);
      } catch (error) {
        if (!isSetFull(error) || !this.#canOverflow) throw error;
        const { total } = this.#prepared;
        const rest = total === 0 ? 0 : total - this.#taken;
        const setup = this.#writerSetup();
        const { Overflow } = await import("./overflow.ts");
        this.#overflow = await Overflow.begin(this.#prepared, this.#keys as HeldKeys, setup, rest);
        // Asking has moved the fingerprints of its result.
        return this.#overflow.take(done, null);
      }
    }
    await this.#overflow.take(done, done.outcome);
  }

  /** Returns whether lines may be written later than they could be. */
  get #canOverflow(): boolean {
    const isOpen = this.#reading.writes && areHeld(this.#keys);
    return isOpen && whyInMemory(this.#prepared.options) === null;
  }

  async #writeRest(writer: ResultWriter, overflow: Overflow): Promise<void> {
    const chosen = await overflow.chosen(this.#stopping.signal);
    this.#keys = chosen;
    writer.keys = chosen;
    for await (const done of this.#outcomes(overflow.chunks(this.#slots))) {
      await this.#take(writer, done);
    }
    chosen.checkEnd();
  }

  async #take(writer: ResultWriter, { chunk, place, outcome }: Done): Promise<void> {
    const { total } = this.#prepared;
    const share = total === 0 ? 0 : this.#taken / total;
    if (chunk.kind === "long") await writer.passLong(chunk.bytes, chunk.end);
    else if (outcome !== null) await writer.take(chunk, place, outcome, share);
    else await writer.takeLines(chunk, this.#bulk as BulkLines, share);
  }

  #writerSetup(): Omit<ResultWriterSetup, "keys"> {
    const { options, written, job, tally, collector } = this.#prepared;
    const processor = this.#processor;
    return {
      options,
      written,
      tally,
      slots: this.#slots,
      collector,
      shadow: this.#shadow,
      choose: (task) => processor.choose(task),
      count: async (task) =>
        this.#isAlone
          ? processor.count(task)
          : this.#send<Uint8Array<ArrayBuffer>>(task, task.text.bytes),
      list: async (task) =>
        this.#isAlone ? processor.list(task) : this.#send<Uint8Array>(task, task.text.bytes),
      lists: job.maps,
      limit: this.#limit,
      counts: options.count && this.#reading.writes,
      writes: this.#reading.writes,
    };
  }

  async close(): Promise<void> {
    const { aborted, reason } = this.#stopping.signal;
    // An input that is being opened is then closed, and not read.
    this.#stopping.abort();
    if (aborted) await this.#workers.stop(reason);
    else await this.#workers.close();
    await this.#source?.close();
    // A run that ends before its input must not wait for more input.
    if (this.#prepared.options.files.includes("-")) standardStreams().stdin.destroy();
    await this.#writer?.close();
    this.#overflow?.close();
  }

  async *#chunks(): AsyncGenerator<PlacedChunk, void, undefined> {
    const { options, maxLength, facts, job } = this.#prepared;
    const format = formatOf(options.format, options.field);
    const other = job.value ?? job.also;
    const ofValues = other && formatOf(options.format, other);
    const headers = new InputHeaders(format, ofValues, options);
    const scans = facts.engine === "wasm" && format.hasPlainLines !== true;
    const scanner = scans ? sharedScanner() : null;
    const isLines = options.format === "lines";
    const reading = {
      lastByte: format.lastByte === undefined ? LF : format.lastByte,
      maxLine: isLines ? longestText(maxLength) : null,
    };
    const sizeNow = (): number => (this.#isAlone ? CHUNK : CHUNK_SENT);
    for (const file of options.files) {
      const where = this.#reading.placeOf(file);
      const source = await openInput(file, options, this.#damaged, where);
      this.#source = source;
      try {
        if (this.#stopping.signal.aborted) return;
        headers.start(shownInput(file));
        const mended = this.#mended(file, format, scanner);
        const boundary = mended?.boundary ?? headers.boundary(scanner);
        const chunks = readChunks(mended ?? source, file, this.#slots, {
          ...reading,
          boundary,
          mended,
          get size() {
            return sizeNow();
          },
        });
        let isBegun = false;
        for await (const chunk of chunks) {
          if (!isBegun && !options.quiet && (source.isUtf16 || where.isUtf16)) {
            this.#damaged.say(`${shownInput(file)} is UTF-16; written as UTF-8`);
          }
          isBegun = true;
          this.#first ??= firstOf(chunk);
          yield placeChunk(chunk, headers);
        }
      } finally {
        await source.close();
      }
      this.#takenBefore += source.taken;
      this.#source = null;
    }
  }

  /** Returns the source of a format whose quotes can be doubtful; otherwise null. */
  #mended(file: string, format: Format, scanner: Scanner | null): MendedSource | null {
    if (format.mend === undefined || this.#source === null) return null;
    const stops = this.#prepared.options.onError === "fail";
    const take: TakeQuote = (line, quote) => this.#damaged.takeQuote(file, line, quote);
    return new MendedSource(this.#source, { format, scanner }, take, stops);
  }

  async #do({ chunk, place }: PlacedChunk): Promise<Done> {
    if (chunk.kind === "long") return { chunk, place, outcome: null };
    this.#content += chunk.length;
    // A chunk that is deferred is processed without examples, so that they are shown when it is written.
    const isDeferred = this.#overflow !== null && areHeld(this.#keys);
    const passesInBulk = this.#bulk !== null && this.#isAlone;
    if (passesInBulk || isDeferred) return { chunk, place, outcome: null };
    const { slot, length } = chunk;
    const task = { ...slot, length, place };
    const outcome = this.#isAlone
      ? this.#processor.run(task)
      : await this.#send<ChunkResult>(task, length);
    slot.output = outcome.output;
    return { chunk, place, outcome };
  }

  /** Returns whether this thread does all work, as far as the size of the input is known. */
  get #isAlone(): boolean {
    const bytes = Math.max(this.#content, this.#prepared.total);
    return this.#threads === 1 || worksAlone(this.#prepared, bytes);
  }

  /** Does a task about so many bytes on a worker. */
  async #send<R extends WorkerResult>(task: WorkerTask, bytes: number): Promise<R> {
    const name = (): string => `${bytes} bytes after line ${this.#prepared.tally.lines}`;
    return (await this.#workers.run(task, name)) as R;
  }

  /** Returns the number of bytes read from the inputs so far. */
  get #taken(): number {
    return this.#takenBefore + (this.#source?.taken ?? 0);
  }

  report(): void {
    const { options, tally } = this.#prepared;
    this.#damaged.report();
    const { count, members, openQuotes } = this.#damaged;
    if (options.archive !== null) tally.damagedRecords = count;
    tally.damagedMembers += members;
    tally.openQuotes += openQuotes;
    if (this.#shadow === null) return;
    const { lines, merged } = this.#shadow;
    say(`the rules would have merged ${merged} of ${counted(lines, "line")}, and were not applied`);
  }
}

/** Returns a copy of the first bytes of a chunk, or null for a piece of a long line. */
function firstOf(chunk: Chunk): Buffer | null {
  if (chunk.kind === "long") return null;
  return Buffer.from(new Uint8Array(chunk.slot.input, 0, Math.min(chunk.length, FIRST_BYTES)));
}

/** Pieces of a long line are not records. No format with headers has them. */
const NOWHERE: ChunkPlace = { header: null, isStart: false };

function placeChunk(chunk: Chunk, headers: InputHeaders): PlacedChunk {
  if (chunk.kind === "long") return { chunk, place: NOWHERE };
  return { chunk, place: headers.placeOf(new Uint8Array(chunk.slot.input, 0, chunk.length)) };
}
