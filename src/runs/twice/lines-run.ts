import { setImmediate } from "node:timers/promises";
import { isUnavailable } from "../../base/errors.ts";
import type { PlainFile } from "../../io/files/plain-file.ts";
import { shownOutput } from "../../io/io-error.ts";
import { Output } from "../../io/output.ts";
import { takesDirectWrites } from "../../io/sink.ts";
import { CHUNK } from "../base/chunk-bytes.ts";
import type { OutputState } from "../base/failure.ts";
import { keysTexts, longestText } from "../base/text-keys.ts";
import type { LineOptions } from "../call/options.ts";
import { writeWhole } from "../direct/line-writer.ts";
import { UrlFilter } from "../filter/url-filter.ts";
import type { Run } from "../frame/execute.ts";
import { firstOfFiles } from "../frame/first-records.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { spillSetup } from "../frame/spill.ts";
import { ChunkGrid } from "../grid/chunk-grid.ts";
import { GridReader } from "../grid/grid-reader.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import type { FirstRows } from "../keys/spilled/first-rows.ts";
import { PARTITIONS } from "../keys/spilled/partitions/partitions.ts";
import { SpilledKeys } from "../keys/spilled/spilled-keys.ts";
import { LACKS_LINES } from "../keys/winners/chosen-rows.ts";
import { ChunkKernel } from "../rows/chunk-kernel.ts";
import { WorkerCounts } from "../rows/worker-counts.ts";
import { LineCopier } from "./line-copier.ts";
import { RowSequence } from "./row-sequence.ts";

/** The time that the run works before it handles signals, in milliseconds. */
const TURN_MS = 10;

/** Says that only a run that normalizes twice can read the input: it has a line that is too long to be held, or it grew. */
class NeedsRecords extends Error {}

/**
 * Dedupes lines of files that pass in bulk, with keys in a temporary file. The first reading normalizes, and notes the
 * partition and the length of each line. So the second only copies lines.
 */
export class SpilledLinesRun implements Run {
  readonly #prepared: PreparedRun<LineOptions>;
  readonly #files: readonly PlainFile[];
  readonly #module: WebAssembly.Module;
  readonly #keys: SpilledKeys;
  readonly #sequence: RowSequence;
  readonly #readTwice: () => Run;
  readonly #stopping = new AbortController();
  #output: Output | null = null;
  #heardAt = 0;
  keyCount = 0;

  /** `readTwice`: makes the run that does the work if this one cannot. Throws an IoError. */
  constructor(
    prepared: PreparedRun<LineOptions>,
    keys: RunKeys,
    inputs: { readonly files: readonly PlainFile[]; readonly module: WebAssembly.Module },
    readTwice: () => Run,
  ) {
    const { options, memory, states } = prepared;
    this.#prepared = prepared;
    // What was appended since the run began is not read.
    this.#files = inputs.files.map((file) => ({
      ...file,
      end: Math.min(file.end, states.lengthOf(file.name) ?? file.end),
    }));
    this.#module = inputs.module;
    this.#keys = new SpilledKeys(keys, spillSetup(options, memory));
    this.#sequence = new RowSequence(options.tmp);
    this.#readTwice = readTwice;
  }

  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#output?.stop(reason);
  }

  firstBytes(): Buffer {
    return firstOfFiles(this.#files);
  }

  get outputState(): OutputState {
    return this.#output?.isCut === true ? "cut" : "whole";
  }

  /** Returns a run that normalizes twice, if nothing is written. */
  instead(error: unknown): Run | null {
    const isOwn = error instanceof NeedsRecords || isUnavailable(error);
    return isOwn && this.#prepared.tally.bytesOut === 0 ? this.#readTwice() : null;
  }

  async all(): Promise<void> {
    const { options, tally, states, written } = this.#prepared;
    const { out = "-" } = options;
    const output = await Output.toFile(out);
    output.goOnAfter(written.get(out) ?? 0);
    this.#output = output;
    await this.#takeKeys();
    const first = await this.#keys.findFirst(this.#stopping.signal);
    tally.temporaryBytes = this.#keys.bytesOnDisk + this.#sequence.bytesOnDisk;
    states.check("nothing is written");
    if (states.haveGrown) throw new NeedsRecords();
    tally.bytesBefore = tally.bytesIn;
    tally.bytesIn = 0;
    const isDirect = takesDirectWrites(out);
    if (isDirect) await output.begin();
    const fd = output.descriptor as number;
    const name = shownOutput(out);
    await this.#copy(first, (bytes) =>
      isDirect ? writeWhole(fd, output.missing(bytes), name) : output.write(bytes),
    );
    this.keyCount = first.size;
    await output.finish();
    states.check(LACKS_LINES);
  }

  async close(): Promise<void> {
    this.#keys.close();
    this.#sequence.close();
    await this.#output?.close();
  }

  /** Reads and normalizes all lines, and keeps their fingerprints. */
  async #takeKeys(): Promise<void> {
    const { setup, job, tally } = this.#prepared;
    const counts = job.counts ? new WorkerCounts(setup.plan) : null;
    const filter = UrlFilter.of(job.filter);
    const kernel = new ChunkKernel(setup.plan, this.#module, CHUNK, job.counts, filter);
    await this.#read((chunk, reader) => {
      kernel.load(chunk, reader);
      if (kernel.failure !== null) throw kernel.failure;
      if (kernel.long !== null) throw new NeedsRecords();
      this.#keep(kernel);
      counts?.add(kernel);
      tally.lines += kernel.rows;
      tally.errors += kernel.failed;
      tally.blocked += kernel.blocked;
      tally.tabbed += kernel.tabbed;
    });
    if (counts !== null) tally.addCounts(counts.totals());
  }

  #keep(kernel: ChunkKernel): void {
    const { job } = this.#prepared;
    const { key, bits } = this.#keys.identity;
    const split = { partitions: PARTITIONS, bits, texts: keysTexts(job) };
    kernel.split(key, split, (fingerprints, ends) => {
      this.#keys.addDivided(fingerprints, ends);
    });
    const offsets = kernel.texts.inputOffsets;
    this.#sequence.add(kernel.partitions, offsets, this.#keys.needed);
  }

  /** Reads the lines again, and writes those that are the first of their keys. */
  async #copy(
    { marks }: FirstRows,
    write: (bytes: Uint8Array) => Promise<void> | void,
  ): Promise<void> {
    const { setup, tally } = this.#prepared;
    const kernel = { plan: setup.plan, module: this.#module, chunkBytes: CHUNK };
    let copier: LineCopier | null = null;
    await this.#read((chunk, reader) => {
      copier ??= new LineCopier(kernel, reader, this.#sequence, marks);
      const bytes = copier.copy(chunk);
      tally.duplicates = copier.merged;
      tally.bytesOut += bytes.length;
      return write(bytes);
    });
  }

  /** Reads all chunks in order, and handles signals between them. */
  async #read(take: (chunk: number, reader: GridReader) => Promise<void> | void): Promise<void> {
    const { tally, maxLength } = this.#prepared;
    const grid = new ChunkGrid(this.#files, CHUNK);
    const reader = new GridReader(
      grid,
      longestText(maxLength),
      () => this.#stopping.signal.aborted,
    );
    try {
      for (let chunk = 0; chunk < grid.count; chunk++) {
        await this.#pause();
        const { from, to } = grid.rangeOf(chunk);
        await take(chunk, reader);
        tally.bytesIn += to - from;
        this.#keys.expect((chunk + 1) / grid.count);
      }
    } finally {
      reader.close();
    }
    tally.bytesIn = this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Handles signals at intervals. Throws the reason of a stop. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#heardAt < TURN_MS) return;
    await setImmediate();
    this.#heardAt = performance.now();
    this.#stopping.signal.throwIfAborted();
  }
}
