import { fstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { UrlmillError } from "../../errors.ts";
import { IoError } from "../../io/io-error.ts";
import { shownOutput } from "../../io/names.ts";
import { Output } from "../../io/output.ts";
import type { PlainFile } from "../../io/plain-file.ts";
import { GangBroken, runGang } from "../../threads/gang.ts";
import type { WorkersOptions } from "../../threads/start-pool.ts";
import type { Tally } from "../tally.ts";
import { Lane, type LaneWork } from "./lane.ts";
import type { LaneTask } from "./lane-task.ts";
import { Ledger } from "./ledger.ts";

/** Bytes of a chunk: those of all chunks that a thread holds are in its core's cache together, or nearly. */
const CHUNK = 1 << 18;
/** Chunks that a thread holds at a time, so that it need not wait for others. */
const HELD = 4;
/** Parts of the set: each has a thread of its own, up to so many. */
const MOST_PARTS = 128;
/** Bytes of the shortest line that has a fingerprint: a letter, a colon and LF. */
const SHORTEST_LINE = 3;
/** How long the calling thread works until it hears signals, in milliseconds. */
const TURN_MS = 10;
/** How often the tally is brought up to date, in milliseconds. */
const TALLY_MS = 100;

/** Holds what a direct run works with. */
export interface DirectRunParts {
  readonly files: readonly PlainFile[];
  readonly threads: number;
  /** The name of the output. */
  readonly out: string;
  readonly tally: Tally;
  readonly workers: Omit<WorkersOptions, "threads">;
  readonly work: Omit<LaneWork, "files" | "threads" | "chunkBytes" | "held" | "output" | "ledger">;
}

/** Runs `normalize` or `dedupe` the direct way (way.ts). */
export class DirectRun {
  readonly #parts: DirectRunParts;
  readonly #output: Output;
  #ledger: Ledger;
  #reason: Error | null = null;
  #isCut = false;

  private constructor(parts: DirectRunParts, output: Output) {
    this.#parts = parts;
    this.#output = output;
    this.#ledger = new Ledger(this.#newLedger());
  }

  /** Opens the output. Throws an IoError. */
  static async open(parts: DirectRunParts): Promise<DirectRun> {
    return new DirectRun(parts, await Output.toFile(parts.out));
  }

  #newLedger(): LaneWork["ledger"] {
    const { threads, work } = this.#parts;
    const width = (work.keys?.bits ?? 0) / 8;
    const rows = Math.ceil(CHUNK / SHORTEST_LINE) + 2;
    return Ledger.allocate(Math.min(threads, MOST_PARTS), HELD * threads, rows, width);
  }

  /** Counts the keys of all lines. */
  get keys(): number {
    return this.#ledger.totals.keys;
  }

  /** Says whether any line has been written. */
  get hasWritten(): boolean {
    return this.#ledger.totals.bytesOut > 0;
  }

  /** Says whether a stop left a line without its end. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends the run with `reason`, after the lines that are being written. */
  stop(reason: Error): void {
    this.#reason ??= reason;
    this.#ledger.stop();
  }

  /** Does all. Throws an IoError, the reason of a stop, and what engines and sets throw. */
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
  }

  /** Closes the output. */
  async close(): Promise<void> {
    await this.#output.finish();
  }

  /** Where a thread dies, all begin again, once: what is written already is what comes out again. */
  async #twiceIfBroken(): Promise<void> {
    const before = this.#outputSize;
    try {
      await this.#attempt(0);
    } catch (error) {
      if (!(error instanceof GangBroken)) throw error;
      if (this.#reason !== null) return;
      this.#ledger = new Ledger(this.#newLedger());
      await this.#attempt(this.#outputSize - before).catch((again: unknown) => {
        if (!(again instanceof GangBroken)) throw again;
        const message = `a worker died twice on all of the input: ${again.message}; the output is not whole: use --threads 1`;
        throw new UrlmillError("WORKER_DIED", message);
      });
    }
  }

  get #outputSize(): number {
    return fstatSync(this.#descriptor).size;
  }

  get #descriptor(): number {
    return this.#output.descriptor as number;
  }

  async #attempt(skip: number): Promise<void> {
    const { threads, files, work, workers, out } = this.#parts;
    const output = { fd: this.#descriptor, name: shownOutput(out), skip };
    const ledger = this.#ledger;
    const all: LaneWork = {
      ...work,
      files,
      threads,
      chunkBytes: CHUNK,
      held: threads === 1 ? 1 : HELD,
      output,
      ledger: ledger.memory,
    };
    if (threads === 1) return this.#runHere(all);
    const taskOf = (lane: number): LaneTask => ({ work: all, lane });
    const failures = await runGang<LaneTask, string | null>({ ...workers, threads }, taskOf, () =>
      ledger.stop(),
    );
    const failure = failures.find((sentence) => sentence !== null);
    if (failure !== undefined) throw new IoError(failure);
  }

  /** Works on the calling thread, which hears signals in between. */
  async #runHere(work: LaneWork): Promise<void> {
    const lane = new Lane(work, 0);
    try {
      while (!lane.isDone) {
        const end = performance.now() + TURN_MS;
        while (!lane.isDone && performance.now() < end) lane.step();
        await setImmediate();
      }
      lane.end();
    } finally {
      lane.close();
    }
  }

  #count(): void {
    const { tally } = this.#parts;
    const { lines, errors, bytesIn, bytesOut } = this.#ledger.totals;
    Object.assign(tally, { lines, errors, bytesIn, bytesOut });
  }
}
