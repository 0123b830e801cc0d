import { fstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isSetFull, isUnavailable } from "../../base/errors.ts";
import { LONGEST_RECORD } from "../../formats/format.ts";
import { formatOf, lineEndOf } from "../../formats/index.ts";
import type { PlainFile } from "../../io/files/plain-file.ts";
import { freeBytes } from "../../io/files/temporary-file.ts";
import { IoError, shownOutput } from "../../io/io-error.ts";
import { Output } from "../../io/output.ts";
import { descriptorOf } from "../../io/sink.ts";
import { retryOnce } from "../../threads/retry.ts";
import { runTaskGroup } from "../../threads/task-group.ts";
import { CHUNK } from "../base/chunk-bytes.ts";
import type { OutputState } from "../base/failure.ts";
import { longestText } from "../base/text-keys.ts";
import type { LineOptions } from "../call/options.ts";
import type { Run } from "../frame/execute.ts";
import { firstOfFiles } from "../frame/first-records.ts";
import { workersOf, worksAlone } from "../frame/line-threads.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { recordBytesOf, type Spill, sayRestart } from "../frame/spill.ts";
import { ChunkGrid } from "../grid/chunk-grid.ts";
import { type Shortage, sayShortage } from "../keys/key-forecast.ts";
import {
  type DirectResult,
  type DirectTask,
  type DirectWork,
  DirectWorker,
  type RecordWork,
} from "./direct-worker.ts";
import type { DirectOutput } from "./line-writer.ts";
import { DoubtfulRecord } from "./records/own-records.ts";
import { SharedProgress } from "./shared-progress.ts";

/**
 * The number of chunks that a thread holds at a time: they nearly fit into its core's cache, and it rarely waits for others.
 */
const HELD = 4;
/** The most partitions of the set. Each partition has its own thread. */
const MAX_PARTITIONS = 128;
/** The threads for each partition. One of two has the set alone, so it need not wait until the other has started. */
const THREADS_PER_PARTITION = 2;
/** The number of slots for chunks in progress. If threads claim more chunks, they wait. */
const MAX_SLOTS = 256;
/** Says whether a thread can write to files that another has opened. Threads of Deno have descriptors of their own. */
const SHARES_DESCRIPTORS = !("deno" in process.versions);
/** The time that the calling thread works before it handles signals, and the start of other threads, in milliseconds. */
const TURN_MS = 2;
/** The interval between updates of the tally, in milliseconds. */
const TALLY_MS = 100;

/** Describes a run of which threads died twice. */
const TWICE = {
  name: () => "all of the input",
  advice: "the output is not whole: use --threads 1",
};

/** Holds the inputs of a direct run, and the kernel that reads them. */
interface DirectInputs {
  readonly files: readonly PlainFile[];
  readonly records: RecordWork | null;
  readonly module: WebAssembly.Module;
}

/** Holds an output that workers write to. */
interface OpenOutput {
  readonly output: Output;
  readonly fd: number;
  readonly name: string;
  /** The size of the output before the run, in bytes. */
  readonly before: number;
}

/** Ends a run whose keys are going to have no room, so that another begins with keys in temporary files. */
class HandOver extends Error {}

/**
 * Makes the run that begins again with keys in temporary files. `written`: the bytes that outputs have, by their names;
 * `spill`: what is known of the keys.
 */
export type SpillInstead = (written: ReadonlyMap<string, number>, spill: Spill) => Promise<Run>;

/** Makes the run in the chunked mode. `written`: the bytes that outputs have, by their names. */
export type TakeChunkedMode = (written?: ReadonlyMap<string, number>) => Run;

/** Runs `normalize` or `dedupe` in the direct mode (mode.ts). */
export class DirectRun implements Run {
  readonly #prepared: PreparedRun<LineOptions>;
  readonly #inputs: DirectInputs;
  readonly #takeChunkedMode: TakeChunkedMode;
  /** Null if keys must be in memory, or nothing is deduped. */
  readonly #spill: SpillInstead | null;
  /** The number of threads, at most the number of chunks. */
  readonly #threads: number;
  #outputs: { output?: OpenOutput; errors?: OpenOutput; map?: OpenOutput } = {};
  #progress: SharedProgress;
  #reason: Error | null = null;
  #isCut = false;
  #hasWarned = false;
  #handsOver = false;

  /**
   * `takeChunkedMode`: makes the run that does the work if the platform has no memory for the kernels of this one, or a record
   * is doubtful. `spill`: makes the run for a platform that has no memory for the keys; null if keys stay in memory.
   */
  constructor(
    prepared: PreparedRun<LineOptions>,
    inputs: DirectInputs,
    takeChunkedMode: TakeChunkedMode,
    spill: SpillInstead | null,
  ) {
    this.#prepared = prepared;
    this.#spill = spill;
    this.#inputs = inputs;
    this.#takeChunkedMode = takeChunkedMode;
    const isAlone = !SHARES_DESCRIPTORS || worksAlone(prepared, totalBytes(inputs.files));
    const threads = isAlone ? 1 : prepared.memory.threads;
    const chunks = new ChunkGrid(inputs.files, CHUNK).count;
    this.#threads = Math.max(1, Math.min(threads, chunks));
    this.#progress = this.#newProgress();
  }

  #newProgress(): SharedProgress {
    const threads = this.#threads;
    const width = (this.#prepared.keys?.identity.bits ?? 0) / 8;
    const slots = Math.min(HELD * threads, MAX_SLOTS);
    const partitions = Math.min(Math.ceil(threads / THREADS_PER_PARTITION), MAX_PARTITIONS);
    return new SharedProgress(
      SharedProgress.allocate(partitions, slots, CHUNK, width, this.#isChained),
    );
  }

  /** Says whether records may have line ends inside. */
  get #isChained(): boolean {
    const { records } = this.#inputs;
    return (
      records !== null && formatOf(records.job.format, records.job.field).lastEnd !== undefined
    );
  }

  /** Says whether each line is a URL. */
  get #isLines(): boolean {
    const { records } = this.#inputs;
    return records === null || records.job.format === "lines";
  }

  get keyCount(): number {
    return this.#progress.totals.keys;
  }

  get outputState(): OutputState {
    return this.#isCut ? "cut" : "whole";
  }

  firstBytes(): Buffer {
    return firstOfFiles(this.#inputs.files);
  }

  /**
   * Returns a run that needs fewer kernels, if the platform has no memory for another one and nothing is written; one that
   * knows where a doubtful record ends; or one that keeps keys in temporary files, if memory has no room for them.
   */
  async instead(error: unknown): Promise<Run | null> {
    if (isUnavailable(error)) {
      return this.#progress.totals.bytesOut > 0 ? null : this.#takeChunkedMode();
    }
    if (error instanceof DoubtfulRecord) {
      this.#prepared.tally.restart();
      return this.#takeChunkedMode(this.#written);
    }
    if (this.#spill === null || !(error instanceof HandOver || isSetFull(error))) return null;
    const { options, tally } = this.#prepared;
    if (!options.quiet) sayRestart(options);
    const run = await this.#spill(this.#written, this.#expected);
    tally.restart();
    return run;
  }

  /**
   * Returns the bytes of the run that are in outputs that are not opened by their names. Others are written from their
   * beginning.
   */
  get #written(): Map<string, number> {
    const { out = "-", errors, map } = this.#prepared.options;
    const { output, errors: errorOutput, map: mapOutput } = this.#outputs;
    const written = new Map<string, number>();
    for (const [name, open] of [
      [out, output],
      [errors, errorOutput],
      [map, mapOutput],
    ] as const) {
      if (name === undefined || open === undefined || descriptorOf(name) === null) continue;
      written.set(name, resumePosition(open).skip);
    }
    return written;
  }

  /** Says about how many lines the input has, if it goes on as it began. */
  get #expected(): Spill {
    const { lines, bytesIn } = this.#progress.totals;
    const share = Math.max(1, totalBytes(this.#inputs.files)) / Math.max(1, bytesIn);
    const recordBytes = recordBytesOf({ bits: this.#prepared.keys?.identity.bits ?? 128 });
    return { records: Math.ceil(share * lines), recordBytes };
  }

  /** Ends the run with `reason` after the lines in progress are written. */
  stop(reason: Error): void {
    this.#reason ??= reason;
    this.#progress.interrupt();
  }

  /** Runs to the end. Throws an IoError, the reason of a stop, or an error of an engine or a set. */
  async all(): Promise<void> {
    await this.#openOutputs();
    const timer = setInterval(() => this.#count(), TALLY_MS);
    try {
      await retryOnce(() => this.#attempt(), TWICE);
    } finally {
      clearInterval(timer);
      this.#count();
      this.#isCut = this.#progress.isCut;
    }
    if (this.#reason !== null) throw this.#reason;
    if (this.#progress.isLeft) throw new DoubtfulRecord();
    const isWhole = this.#progress.written === new ChunkGrid(this.#inputs.files, CHUNK).count;
    if (this.#handsOver && !isWhole) throw new HandOver();
    this.#countEnd();
  }

  /** Opens the outputs, and empties them. */
  async #openOutputs(): Promise<void> {
    const { out = "-", errors, map } = this.#prepared.options;
    this.#outputs.output = await openOutput(out);
    if (errors !== undefined) this.#outputs.errors = await openOutput(errors);
    if (map !== undefined) this.#outputs.map = await openOutput(map);
    for (const { output } of Object.values(this.#outputs)) await output.begin();
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#outputs).map(({ output }) => output.close()));
  }

  /**
   * Starts all threads. If one of them dies, a second attempt produces the same bytes, so they are not written twice.
   */
  async #attempt(): Promise<void> {
    if (this.#reason !== null) return;
    // A thread that died has stopped all others.
    if (this.#progress.isStopped) this.#progress = this.#newProgress();
    const threads = this.#threads;
    const progress = this.#progress;
    const work = this.#directWork(progress);
    const here = () => runHere(work);
    const results =
      threads === 1
        ? [await here()]
        : await runTaskGroup<DirectTask, DirectResult>(
            { ...workersOf(this.#prepared), threads: threads - 1 },
            { here, taskOf: (worker) => ({ work, worker }), stop: () => progress.stop() },
          );
    for (const { totals, failure } of results) {
      if (failure !== null) throw new IoError(failure);
      if (totals !== null) this.#prepared.tally.addCounts(totals);
    }
  }

  /** Describes the work of all workers, which go on where the outputs end. */
  #directWork({ memory }: SharedProgress): DirectWork {
    const { setup, job, maxLength } = this.#prepared;
    const { onError, emit, counts, filter } = job;
    const { output, errors, map } = this.#outputs;
    return {
      ...this.#inputs,
      plan: setup.plan,
      longestRecord: this.#isLines ? longestText(maxLength) : LONGEST_RECORD,
      onError,
      emit,
      counts,
      filter,
      keys: this.#keysOfPartitions(memory.partitions),
      threads: this.#threads,
      chunkBytes: CHUNK,
      held: this.#threads === 1 ? 1 : HELD,
      output: {
        ...resumePosition(output as OpenOutput),
        lineEnd: lineEndOf(this.#prepared.options.format),
      },
      errors: errors === undefined ? null : resumePosition(errors),
      map: map === undefined ? null : resumePosition(map),
      progress: memory,
    };
  }

  /** Describes how lines are merged, by the sets of so many partitions. */
  #keysOfPartitions(partitions: number): DirectWork["keys"] {
    const { setup, keys, memory } = this.#prepared;
    if (keys === null) return null;
    const { key, bits } = keys.identity;
    const maxBytes = Math.floor(memory.keyBytes / partitions);
    const { perKey } = keys;
    return { fingerprintKey: key, bits, perKey, engine: setup.engine, maxBytes };
  }

  #count(): void {
    const { tally } = this.#prepared;
    const { lines, located, errors, blocked, tabbed, duplicates, bytesIn, bytesOut, ...keys } =
      this.#progress.totals;
    const counts = { lines, located, errors, blocked, tabbed, duplicates, bytesIn, bytesOut };
    Object.assign(tally, counts);
    if (keys.expectedKeys > 0)
      this.#warn({ expected: keys.expectedKeys, capacity: keys.keyCapacity });
  }

  /** Hands over once the keys will probably have no room. Says so instead if the disk has none either. */
  #warn(shortage: Shortage): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { records, recordBytes } = this.#expected;
    if (this.#spill !== null && records * recordBytes <= freeBytes(this.#prepared.options.tmp)) {
      this.#handsOver = true;
      this.#progress.stop();
      return;
    }
    sayShortage(shortage, this.#prepared.keys?.identity.bits ?? 128);
  }

  /** Adds the counts that are known only at the end. */
  #countEnd(): void {
    this.#prepared.tally.bytesIn = totalBytes(this.#inputs.files);
  }
}

/** Works on the calling thread, and handles signals and messages of the others between turns. */
async function runHere(work: DirectWork): Promise<DirectResult> {
  const worker = new DirectWorker(work, 0);
  try {
    while (!worker.isDone) {
      worker.workUntil(performance.now() + TURN_MS);
      await setImmediate();
    }
    worker.end();
    return { totals: worker.totals, failure: null };
  } finally {
    worker.close();
  }
}

function totalBytes(files: readonly PlainFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function openOutput(name: string): Promise<OpenOutput> {
  const output = await Output.toFile(name);
  const fd = output.descriptor as number;
  return { output, fd, name: shownOutput(name), before: fstatSync(fd).size };
}

/** Returns an output for threads to continue. `skip` counts the bytes that threads of a failed attempt have written. */
function resumePosition({ fd, name, before }: OpenOutput): DirectOutput {
  return { fd, name, skip: fstatSync(fd).size - before };
}
