import { availableParallelism } from "node:os";
import { chooseEngine } from "../engine/choose.ts";
import { compileKernel } from "../engine/wasm/kernel.ts";
import { type Chunk, readChunks } from "../io/chunk-reader.ts";
import { formatOf } from "../io/formats/index.ts";
import { ClosedPipe, Output } from "../io/output.ts";
import { openSource, type Source } from "../io/source.ts";
import { Normalizer } from "../normalizer.ts";
import { compileRules } from "../options/compile.ts";
import { resolveOptions } from "../options/options.ts";
import { encodePlan } from "../plan/encode.ts";
import { inOrder } from "../pool/in-order.ts";
import { type Slot, Slots } from "../pool/slot.ts";
import { Workers } from "../pool/workers.ts";
import { isError } from "../status.ts";
import { CommandFailure } from "./failure.ts";
import { checkFiles, totalBytes } from "./files.ts";
import {
  type ChooseTask,
  type ChunkError,
  type ChunkOutcome,
  type Job,
  type Piece,
  type RowsToMerge,
  type WorkerOutcome,
  type WorkerTask,
  WRITTEN,
} from "./job.ts";
import { KernelKeySet, type KeySet, StringKeySet } from "./key-set.ts";
import type { CommandOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { ReportCollector } from "./report/collector.ts";
import { renderReport } from "./report/page.ts";
import { Tally } from "./tally.ts";
import { Work } from "./work.ts";

/**
 * Bytes of input from which further threads are worth their start, where nobody asked for them: of
 * lines that pass in bulk, and of those that take ten times as long.
 */
const WORTH_THREADS = { bulk: 1 << 26, slow: 1 << 23 };
/** Chunks under way for each thread. */
const AHEAD = 2;
/** Bytes of a chunk: one thread is fastest where it stays in the core's cache, further ones where messages are few. */
const CHUNK_ALONE = 1 << 18;
const CHUNK_SHARED = 1 << 21;

/** A chunk that is done; a piece of a long line has no outcome. */
interface Done {
  readonly chunk: Chunk;
  readonly outcome: ChunkOutcome | null;
}

/** Runs `normalize` or `dedupe`: reads all files, writes what comes of their records, in order. */
export async function run(options: CommandOptions, dedupes: boolean): Promise<void> {
  await checkFiles(options.files, [options.out, options.errors, options.map, options.report]);
  const total = await totalBytes(options.files);
  const run = new Run(options, dedupes, total);
  await run.open();
  const progress = Progress.start(options.progress, run.tally, total);
  const stop = (): void => run.interrupt();
  process.once("SIGINT", stop);
  try {
    await run.all();
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
    return;
  } finally {
    process.off("SIGINT", stop);
    progress?.stop();
    await run.close();
  }
  run.report();
}

class Run {
  readonly tally = new Tally();
  readonly #options: CommandOptions;
  readonly #job: Job;
  readonly #threads: number;
  readonly #total: number;
  readonly #maxLength: number;
  readonly #profileId: string;
  readonly #engine: "wasm" | "js";
  readonly #work: Work;
  readonly #workers: Workers<WorkerTask, WorkerOutcome>;
  readonly #chunk: number;
  readonly #slots: Slots;
  readonly #keys: KeySet | null;
  readonly #interrupted = new AbortController();
  readonly #outputs: Output[] = [];
  #output!: Output;
  #errors: Output | null = null;
  #map: Output | null = null;
  readonly #collector: ReportCollector | null;
  #source: Source | null = null;
  /** Chunks whose output is on its way. */
  readonly #pending: Promise<void>[] = [];
  #takenBefore = 0;

  constructor(options: CommandOptions, dedupes: boolean, total: number) {
    const resolved = resolveOptions(options.normalizer);
    const plan = encodePlan(compileRules(resolved));
    const normalizer = new Normalizer(chooseEngine(resolved.engine, plan), plan);
    if (options.base !== undefined) normalizer.normalizeBatch([], { base: options.base });
    this.#options = options;
    this.#collector = options.report === undefined ? null : new ReportCollector();
    this.#total = total;
    this.#maxLength = resolved.maxLength;
    this.#profileId = normalizer.profileId;
    this.#engine = normalizer.engine;
    this.#job = {
      format: options.format,
      field: options.field,
      base: options.base,
      onError: options.onError,
      emit: options.emit,
      form: options.form,
      fingerprintKey: dedupes ? normalizer.fingerprintKey : null,
      maps: dedupes && (options.map !== undefined || options.report !== undefined),
      lists: options.errors !== undefined || options.report !== undefined,
      counts: options.stats || options.report !== undefined,
    };
    this.#threads = options.threads ?? availableParallelism();
    this.#chunk = this.#threads === 1 ? CHUNK_ALONE : CHUNK_SHARED;
    this.#slots = new Slots(AHEAD * this.#threads + 1, this.#chunk);
    const module = normalizer.engine === "wasm" ? compileKernel() : null;
    const setup = { plan, module };
    this.#work = new Work(setup, this.#job);
    this.#workers = new Workers({
      file: new URL("./worker.js", import.meta.url),
      threads: this.#threads,
      workerData: { setup, job: this.#job },
    });
    this.#keys = !dedupes ? null : module === null ? new StringKeySet() : new KernelKeySet(plan);
  }

  async open(): Promise<void> {
    const { out, errors, map } = this.#options;
    this.#output = await this.#toFile(out ?? "-");
    if (errors !== undefined) this.#errors = await this.#toFile(errors);
    if (map !== undefined) this.#map = await this.#toFile(map);
  }

  async #toFile(name: string): Promise<Output> {
    const output = await Output.toFile(name);
    this.#outputs.push(output);
    return output;
  }

  /** Ends the run behind the chunk that is being written, so that no line is cut. */
  interrupt(): void {
    this.#interrupted.abort(
      new CommandFailure("interrupted; what is written ends with a whole line", 130),
    );
  }

  async all(): Promise<void> {
    const limit = AHEAD * this.#threads;
    const { signal } = this.#interrupted;
    for await (const done of inOrder(this.#chunks(), limit, (chunk) => this.#do(chunk), signal)) {
      await this.#take(done);
    }
    for (const output of this.#outputs) await output.finish();
    const { report } = this.#options;
    if (report !== undefined && this.#collector !== null) {
      await this.#writeReport(report, this.#collector);
    }
  }

  async close(): Promise<void> {
    await this.#workers.close();
    await this.#source?.close();
    await Promise.allSettled(this.#outputs.map((output) => output.finish()));
  }

  async *#chunks(): AsyncGenerator<Chunk, void, undefined> {
    const format = formatOf(this.#options.format, this.#options.field);
    const isLines = this.#options.format === "lines";
    const reading = {
      boundary: (bytes: Uint8Array) => format.boundary(bytes),
      endsLines: this.#options.format !== "sitemap",
      maxLine: isLines ? this.#maxLength : null,
      size: this.#chunk,
    };
    for (const file of this.#options.files) {
      this.#source = await openSource(file);
      yield* readChunks(this.#source, file, this.#slots, reading);
      await this.#source.close();
      this.#takenBefore += this.#source.taken;
      this.#source = null;
    }
  }

  async #do(chunk: Chunk): Promise<Done> {
    if (chunk.kind === "long") return { chunk, outcome: null };
    const { slot, length } = chunk;
    const task = { ...slot, length };
    const outcome = this.#isAlone
      ? this.#work.run(task)
      : ((await this.#workers.run(task, () => this.#nameOf(length))) as ChunkOutcome);
    slot.output = outcome.output;
    return { chunk, outcome };
  }

  #nameOf(bytes: number): string {
    return `${bytes} bytes behind line ${this.tally.lines}`;
  }

  /** Whether the calling thread does all by itself. */
  get #isAlone(): boolean {
    if (this.#threads === 1) return true;
    if (this.#options.threads !== undefined) return false;
    const isBulk = this.#work.isFast && this.#engine === "wasm";
    const bytes = Math.max(this.#taken, this.#total);
    return bytes < (isBulk ? WORTH_THREADS.bulk : WORTH_THREADS.slow);
  }

  /** Bytes taken from the inputs so far. */
  get #taken(): number {
    return this.#takenBefore + (this.#source?.taken ?? 0);
  }

  /** Counts and writes what became of a chunk. */
  async #take({ chunk, outcome }: Done): Promise<void> {
    this.tally.bytesIn = this.#taken;
    if (chunk.kind === "long" || outcome === null) {
      if (chunk.kind === "long") await this.#passLong(chunk.bytes, chunk.end);
      return;
    }
    const { slot, length } = chunk;
    const { rowsToMerge, fatal } = outcome;
    const written: Promise<void>[] = [];
    this.#collector?.addOutcome(outcome, this.tally.lines + 1);
    const errors = this.#errors?.write(this.#errorLines(outcome.errors));
    if (errors !== undefined) written.push(errors);
    if (rowsToMerge === null) {
      written.push(this.#write(slot.output, outcome.text));
    } else {
      written.push(...this.#merge(slot, length, rowsToMerge, this.#keys as KeySet));
    }
    this.tally.add(outcome);
    if (fatal !== null) {
      await Promise.all(written);
      const line = this.tally.lines + 1;
      throw new CommandFailure(
        `line ${line} is no URL (${fatal.code}); stopped (--on-error fail)`,
        1,
      );
    }
    // Reading and normalizing go on while this is written; the slot is free behind it.
    const freed = Promise.all(written).then(() => this.#slots.release(slot));
    freed.catch(() => {}); // the next write hears of it
    this.#pending.push(freed);
    if (this.#pending.length > AHEAD * this.#threads) await this.#pending.shift();
  }

  /** Writes a piece of memory that does not change before it is written. */
  #write(memory: SharedArrayBuffer, piece: Piece): Promise<void> {
    this.tally.bytesOut += piece.bytes;
    return this.#output.write(view(memory, piece));
  }

  /** Writes the chosen of the rows of a piece. */
  #writeChosen(task: ChooseTask): Promise<void> {
    // Chosen on any thread, written in order: the output waits for its turn.
    const bytes = this.#isAlone
      ? Promise.resolve(this.#work.choose(task))
      : (this.#workers.run(task, () => this.#nameOf(task.text.bytes)) as Promise<number>);
    bytes.catch(() => {}); // the output hears of it
    const chosen = bytes.then((length) => {
      this.tally.bytesOut += length;
      return view(task.memory, { ...task.text, bytes: length });
    });
    return this.#output.writeLater(chosen);
  }

  /** Writes the rows whose keys are new, and lists the others. */
  #merge(slot: Slot, length: number, rows: RowsToMerge, keys: KeySet): Promise<void>[] {
    const status = view(slot.output, rows.status);
    const isNew = keys.insert(view(slot.output, rows.fingerprints), status);
    if (this.#total > 0) keys.expect(this.#taken / this.#total);
    const isMerged = new Uint8Array(isNew.length);
    for (let row = 0; row < isNew.length; row++) {
      const code = status[row] as number;
      if (code === WRITTEN) isNew[row] = 1;
      else if (isNew[row] === 0 && !isError(code)) {
        isMerged[row] = 1;
        this.tally.duplicates++;
      }
    }
    const chunk = { at: 0, bytes: length };
    const text =
      rows.text === null
        ? { memory: slot.input, text: chunk }
        : { memory: slot.output, text: rows.text };
    const { output } = slot;
    const isFull = !isNew.includes(0);
    const written = [
      isFull
        ? this.#write(text.memory, text.text)
        : this.#writeChosen({
            ...text,
            output,
            starts: rows.starts,
            isChosen: isNew,
          }),
    ];
    if (rows.merged !== null) written.push(this.#list(output, rows.merged, isMerged));
    return written;
  }

  /** Lists merged records, for a file or the report. */
  async #list(
    output: SharedArrayBuffer,
    { starts, text }: NonNullable<RowsToMerge["merged"]>,
    isMerged: Uint8Array,
  ): Promise<void> {
    const bytes = this.#work.choose({ memory: output, text, output, starts, isChosen: isMerged });
    const merged = view(output, { ...text, bytes });
    this.#collector?.addMerged(Buffer.from(merged).toString("latin1"));
    await this.#map?.write(merged);
  }

  #errorLines(errors: readonly ChunkError[]): Uint8Array {
    const before = this.tally.lines + 1;
    return Buffer.from(
      errors.map(({ row, code, text }) => `${before + row}\t${code}\t${text}\n`).join(""),
      "latin1",
    );
  }

  #inLong = false;

  /** A line over the limit: an error, kept as it is read. */
  async #passLong(bytes: Uint8Array, end: boolean): Promise<void> {
    const { onError, emit } = this.#options;
    const keeps = onError === "keep";
    if (!this.#inLong) {
      if (onError === "fail") {
        const line = this.tally.lines + 1;
        throw new CommandFailure(`line ${line} is no URL (TOO_LONG); stopped (--on-error fail)`, 1);
      }
      this.tally.addError("TOO_LONG");
      const text = Buffer.from(bytes.subarray(0, 1000)).toString("latin1");
      this.#collector?.addError({ code: "TOO_LONG", text }, this.tally.lines);
      await this.#errors?.write(Buffer.from(`${this.tally.lines}\tTOO_LONG\t`));
      if (keeps && emit === "both") await this.#writeBytes(TAB);
    }
    this.#inLong = !end;
    await this.#errors?.write(bytes);
    if (keeps) await this.#writeBytes(bytes);
    if (!end) return;
    await this.#errors?.write(NEWLINE);
    if (keeps || this.#keys === null) await this.#writeBytes(NEWLINE);
  }

  #writeBytes(bytes: Uint8Array): Promise<void> {
    this.tally.bytesOut += bytes.length;
    return this.#output.write(bytes);
  }

  /** Writes the page of `--report`. */
  async #writeReport(file: string, collector: ReportCollector): Promise<void> {
    const { files, normalizer } = this.#options;
    const page = renderReport(
      {
        command: this.#keys === null ? "normalize" : "dedupe",
        files,
        preset: normalizer.preset ?? "safe",
        engine: this.#engine,
        threads: this.#threads,
        profileId: this.#profileId,
      },
      this.tally,
      collector,
    );
    const output = await this.#toFile(file);
    await output.write(Buffer.from(page));
    await output.finish();
  }

  /** What the run has to say at its end. */
  report(): void {
    const { stats, errors, onError } = this.#options;
    if (stats) {
      const rest = {
        engine: this.#engine,
        threads: this.#threads,
        profileId: this.#profileId,
      };
      process.stderr.write(`${JSON.stringify({ ...this.tally.toJSON(), ...rest })}\n`);
    } else if (this.tally.errors > 0 && errors === undefined) {
      const count = this.tally.errors;
      const lines = count === 1 ? "1 line is no URL" : `${count} lines are no URLs`;
      const done = onError === "keep" ? "kept as they were" : "not written";
      process.stderr.write(
        `urlmill: ${lines}, ${done}; --errors FILE lists them, --stats counts them\n`,
      );
    }
  }
}

const NEWLINE = Uint8Array.of(0x0a);
const TAB = Uint8Array.of(0x09);

function view(memory: SharedArrayBuffer, { at, bytes }: Piece): Uint8Array {
  return new Uint8Array(memory, at, bytes);
}
