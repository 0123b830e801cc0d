import { fstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { UrlmillError } from "../../base/errors.ts";
import type { PlainFile } from "../../io/files/plain-file.ts";
import { IoError } from "../../io/io-error.ts";
import { shownOutput } from "../../io/names.ts";
import { Output } from "../../io/output.ts";
import { GangBroken, runGang } from "../../threads/gang.ts";
import type { WorkersOptions } from "../../threads/start-pool.ts";
import { type Shortage, sayShortage } from "../keys/key-forecast.ts";
import type { Tally } from "../tally.ts";
import { ChunkGrid } from "./chunk-grid.ts";
import { Lane, type LaneWork } from "./lane.ts";
import type { LaneTotals } from "./lane-counts.ts";
import type { LaneResult, LaneTask } from "./lane-task.ts";
import { Ledger } from "./ledger.ts";
import type { DirectOutput } from "./line-writer.ts";

/** The size of a chunk in bytes. All chunks of a thread together nearly fit into the cache of its core. */
const CHUNK = 1 << 18;
/** The number of chunks that a thread holds at a time, so that it rarely waits for others. */
const HELD = 4;
/** The most parts of the set. Each part has its own thread. */
const MOST_PARTS = 128;
/** The number of slots for chunks in progress. If threads claim more chunks, they wait. */
const MOST_SLOTS = 256;
/** The time that the calling thread works before it handles signals, in milliseconds. */
const TURN_MS = 10;
/** The interval between updates of the tally, in milliseconds. */
const TALLY_MS = 100;

/** Holds the inputs and settings of a direct run. */
export interface DirectRunParts {
  readonly files: readonly PlainFile[];
  readonly threads: number;
  /** The name of the output. */
  readonly out: string;
  /** The name of the file for lines with an error; undefined if they are not listed. */
  readonly errors: string | undefined;
  readonly tally: Tally;
  readonly workers: Omit<WorkersOptions, "threads">;
  /** Describes the work of lanes. Its memory limit is for all parts together. */
  readonly work: Omit<
    LaneWork,
    "files" | "threads" | "chunkBytes" | "held" | "output" | "errors" | "ledger"
  >;
}

/** Holds an output that lanes write to. */
interface OpenOutput {
  readonly output: Output;
  readonly fd: number;
  readonly name: string;
  /** The size of the output before the run, in bytes. */
  readonly before: number;
}

/** Runs `normalize` or `dedupe` the direct way (way.ts). */
export class DirectRun {
  readonly #parts: DirectRunParts;
  readonly #outputs: readonly OpenOutput[];
  /** The number of threads, at most the number of chunks. */
  readonly #threads: number;
  #ledger: Ledger;
  #reason: Error | null = null;
  #isCut = false;
  #hasWarned = false;

  private constructor(parts: DirectRunParts, outputs: readonly OpenOutput[]) {
    this.#parts = parts;
    this.#outputs = outputs;
    const chunks = new ChunkGrid(parts.files, CHUNK).count;
    this.#threads = Math.max(1, Math.min(parts.threads, chunks));
    this.#ledger = new Ledger(this.#newLedger());
  }

  /** Opens the outputs. Throws an IoError. */
  static async open(parts: DirectRunParts): Promise<DirectRun> {
    const outputs: OpenOutput[] = [];
    for (const name of [parts.out, parts.errors]) {
      if (name !== undefined) outputs.push(await openOutput(name));
    }
    for (const { output } of outputs) await output.begin();
    return new DirectRun(parts, outputs);
  }

  #newLedger(): LaneWork["ledger"] {
    const { work } = this.#parts;
    const threads = this.#threads;
    const width = (work.keys?.bits ?? 0) / 8;
    const slots = Math.min(HELD * threads, MOST_SLOTS);
    return Ledger.allocate(Math.min(threads, MOST_PARTS), slots, CHUNK, width);
  }

  /** Counts the keys of all lines. */
  get keys(): number {
    return this.#ledger.totals.keys;
  }

  /** Returns whether any line has been written. */
  get hasWritten(): boolean {
    return this.#ledger.totals.bytesOut > 0;
  }

  /** Returns whether a stop left a line without its end. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends the run with `reason` after the lines in progress are written. */
  stop(reason: Error): void {
    this.#reason ??= reason;
    this.#ledger.interrupt();
  }

  /** Runs to the end. Throws an IoError, the reason of a stop, or an error of an engine or a set. */
  async all(): Promise<void> {
    const timer = setInterval(() => this.#count(), TALLY_MS);
    try {
      await this.#twiceIfBroken();
    } finally {
      clearInterval(timer);
      this.#count();
      this.#isCut = this.#ledger.isCut;
    }
    if (this.#reason !== null) throw this.#reason;
    this.#countEnd();
  }

  /** Closes the outputs. */
  async close(): Promise<void> {
    await Promise.all(this.#outputs.map(({ output }) => output.finish()));
  }

  /**
   * If a thread dies, all threads start again, once. The second attempt produces the same bytes, so they are not
   * written twice.
   */
  async #twiceIfBroken(): Promise<void> {
    try {
      await this.#attempt();
    } catch (error) {
      if (!(error instanceof GangBroken)) throw error;
      if (this.#reason !== null) return;
      this.#ledger = new Ledger(this.#newLedger());
      await this.#attempt().catch((again: unknown) => {
        if (!(again instanceof GangBroken)) throw again;
        const message = `a worker died twice on all of the input: ${again.message}; the output is not whole: use --threads 1`;
        throw new UrlmillError("WORKER_DIED", message);
      });
    }
  }

  async #attempt(): Promise<void> {
    const { files, work, workers } = this.#parts;
    const threads = this.#threads;
    const ledger = this.#ledger;
    const { parts } = ledger.memory;
    const keys = work.keys && {
      ...work.keys,
      maxBytes: Math.floor(work.keys.maxBytes / parts),
    };
    const [output, errors = null] = this.#outputs.map(whereToGoOn) as [DirectOutput, DirectOutput?];
    const all: LaneWork = {
      ...work,
      keys,
      files,
      threads,
      chunkBytes: CHUNK,
      held: threads === 1 ? 1 : HELD,
      output,
      errors,
      ledger: ledger.memory,
    };
    if (threads === 1) return this.#runHere(all);
    const taskOf = (lane: number): LaneTask => ({ work: all, lane });
    const results = await runGang<LaneTask, LaneResult>({ ...workers, threads }, taskOf, () =>
      ledger.stop(),
    );
    for (const { totals, failure } of results) {
      if (failure !== null) throw new IoError(failure);
      this.#add(totals);
    }
  }

  /** Works on the calling thread, and handles signals between steps. */
  async #runHere(work: LaneWork): Promise<void> {
    const lane = new Lane(work, 0);
    try {
      while (!lane.isDone) {
        const end = performance.now() + TURN_MS;
        while (!lane.isDone && performance.now() < end) lane.step();
        await setImmediate();
      }
      lane.end();
      this.#add(lane.totals);
    } finally {
      lane.close();
    }
  }

  #count(): void {
    const { tally } = this.#parts;
    const { lines, errors, duplicates, bytesIn, bytesOut, ...keys } = this.#ledger.totals;
    Object.assign(tally, { lines, errors, duplicates, bytesIn, bytesOut });
    if (keys.expectedKeys > 0)
      this.#warn({ expected: keys.expectedKeys, capacity: keys.keyCapacity });
  }

  /** Says once that the keys will probably have no room. */
  #warn(shortage: Shortage): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    sayShortage(shortage, this.#parts.work.keys?.bits ?? 128);
  }

  /** Adds the counts of a lane. */
  #add(totals: LaneTotals | null): void {
    if (totals !== null) this.#parts.tally.addCounts(totals);
  }

  /** Adds the counts that are known only at the end. */
  #countEnd(): void {
    const { tally, files } = this.#parts;
    tally.bytesIn = files.reduce((sum, { end }) => sum + end, 0);
  }
}

async function openOutput(name: string): Promise<OpenOutput> {
  const output = await Output.toFile(name);
  const fd = output.descriptor as number;
  return { output, fd, name: shownOutput(name), before: fstatSync(fd).size };
}

/** Returns an output for threads to continue. `skip` counts the bytes that threads of a failed attempt have written. */
function whereToGoOn({ fd, name, before }: OpenOutput): DirectOutput {
  return { fd, name, skip: fstatSync(fd).size - before };
}
