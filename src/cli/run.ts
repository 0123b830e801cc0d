import { stat } from "node:fs/promises";
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
import {
  type ChunkError,
  type ChunkOutcome,
  type ChunkTask,
  type Job,
  type Piece,
  type RowsToMerge,
  WRITTEN,
} from "./job.ts";
import { KernelKeySet, type KeySet, StringKeySet } from "./key-set.ts";
import type { CommandOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import { Tally } from "./tally.ts";
import { Work } from "./work.ts";

/** Bytes of input from which further threads are worth their start (`npm run bench:pool`). */
const WORTH_THREADS = 1 << 24;
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
  readonly #workers: Workers<ChunkTask, ChunkOutcome>;
  readonly #chunk: number;
  readonly #slots: Slots;
  readonly #keys: KeySet | null;
  readonly #interrupted = new AbortController();
  readonly #outputs: Output[] = [];
  #output!: Output;
  #errors: Output | null = null;
  #map: Output | null = null;
  #source: Source | null = null;
  #takenBefore = 0;

  constructor(options: CommandOptions, dedupes: boolean, total: number) {
    const resolved = resolveOptions(options.normalizer);
    const plan = encodePlan(compileRules(resolved));
    const normalizer = new Normalizer(chooseEngine(resolved.engine, plan), plan);
    if (options.base !== undefined) normalizer.normalizeBatch([], { base: options.base });
    this.#options = options;
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
      maps: options.map !== undefined,
      lists: options.errors !== undefined,
      counts: options.stats,
    };
    this.#threads = options.threads ?? availableParallelism();
    this.#chunk = this.#threads === 1 ? CHUNK_ALONE : CHUNK_SHARED;
    this.#slots = new Slots(AHEAD * this.#threads + 1, this.#chunk);
    this.#work = new Work(normalizer, this.#job);
    const module = normalizer.engine === "wasm" ? compileKernel() : null;
    this.#workers = new Workers({
      file: new URL("./worker.js", import.meta.url),
      // Merging lines keeps the calling thread busy: it is one of them.
      threads: dedupes && this.#work.isFast ? Math.max(1, this.#threads - 1) : this.#threads,
      workerData: { setup: { plan, module }, job: this.#job },
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
    const alone = this.#threads === 1 || Math.max(this.#taken, this.#total) < WORTH_THREADS;
    const outcome = alone
      ? this.#work.run(task)
      : await this.#workers.run(task, () => `${length} bytes behind line ${this.tally.lines}`);
    slot.output = outcome.output;
    return { chunk, outcome };
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
    const errors = this.#errors?.write(this.#errorLines(outcome.errors));
    if (errors !== undefined) written.push(errors);
    const input = { at: 0, bytes: length };
    if (rowsToMerge === null) {
      const text =
        outcome.text === null ? view(slot.input, input) : view(slot.output, outcome.text);
      written.push(this.#write(text));
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
    if (this.#pending !== null) await this.#pending;
    this.#pending = freed;
  }

  #pending: Promise<void> | null = null;

  #write(bytes: Uint8Array): Promise<void> {
    this.tally.bytesOut += bytes.length;
    return this.#output.write(bytes);
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
    const text = rows.text === null ? view(slot.input, { at: 0, bytes: length }) : null;
    const written = [
      this.#write(
        keys.choose(
          text ?? view(slot.output, rows.text as Piece),
          startsIn(slot, rows.starts),
          isNew,
        ),
      ),
    ];
    const { merged } = rows;
    if (merged === null || this.#map === null) return written;
    const lines = view(slot.output, merged.text);
    written.push(this.#map.write(keys.choose(lines, startsIn(slot, merged.starts), isMerged)));
    return written;
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
      await this.#errors?.write(Buffer.from(`${this.tally.lines}\tTOO_LONG\t`));
      if (keeps && emit === "both") await this.#write(Buffer.from("\t"));
    }
    this.#inLong = !end;
    await this.#errors?.write(bytes);
    if (keeps) await this.#write(bytes);
    if (!end) return;
    await this.#errors?.write(NEWLINE);
    if (keeps || this.#keys === null) await this.#write(NEWLINE);
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

function view(memory: SharedArrayBuffer, { at, bytes }: Piece): Uint8Array {
  return new Uint8Array(memory, at, bytes);
}

function startsIn({ output }: Slot, { at, bytes }: Piece): Int32Array {
  return new Int32Array(output, at, bytes >> 2);
}

/** The size of all files, or 0 where one has none to tell. */
async function totalBytes(files: readonly string[]): Promise<number> {
  let total = 0;
  for (const file of files) {
    if (file === "-") return 0;
    const found = await stat(file).catch(() => null); // the reader reports what is missing
    if (found === null || !found.isFile()) return 0;
    total += found.size;
  }
  return total;
}
