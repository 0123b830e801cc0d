import { copyBytes } from "../../base/copy-bytes.ts";
import { isUnavailable } from "../../base/errors.ts";
import { keysTexts } from "../base/text-keys.ts";
import { passesInBulk } from "../call/job.ts";
import type { LineOptions } from "../call/options.ts";
import type { Tally } from "../call/tally.ts";
import { UrlFilter } from "../filter/url-filter.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { type ChunkMemory, chunkTooLarge } from "../grid/grid-reader.ts";
import type { Answers, RowDecider } from "../keys/row-decider.ts";
import { ChunkKernel } from "../rows/chunk-kernel.ts";
import { WorkerCounts } from "../rows/worker-counts.ts";

const NOTHING = new Uint8Array(0);

/** Holds the output of a chunk, in the memory of its kernel. */
export interface BulkOutput {
  readonly text: Uint8Array;
  readonly errors: Uint8Array;
  /** The fingerprints that are new, if keys are kept after the run. */
  readonly fresh: Uint8Array;
  /** Call it after both are written. */
  readonly release: () => void;
}

/**
 * Normalizes and merges chunks of lines on the calling thread, each within the memory of one kernel, as the direct mode
 * does. So nothing is copied between the steps. Of two kernels one works while the output of the other is written.
 */
export class BulkLines {
  readonly #free: ChunkKernel[];
  /** Makes the second kernel; null after that. A list of one chunk never needs it. */
  #makeSecond: (() => ChunkKernel) | null;
  readonly #tally: Tally;
  readonly #onError: LineOptions["onError"];
  readonly #lists: boolean;
  readonly #counts: WorkerCounts | null;

  private constructor(prepared: PreparedRun<LineOptions>, makeKernel: () => ChunkKernel) {
    const { tally, options, setup, job } = prepared;
    this.#free = [makeKernel()];
    this.#makeSecond = makeKernel;
    this.#tally = tally;
    this.#onError = options.onError;
    this.#lists = options.errors !== undefined;
    this.#counts = job.counts ? new WorkerCounts(setup.plan) : null;
  }

  /** Returns null for a run that needs more of its lines than this, and if the platform has no memory for a kernel. */
  static of(prepared: PreparedRun<LineOptions>, chunkBytes: number): BulkLines | null {
    const { options, setup, job, keys, facts } = prepared;
    const { module, plan } = setup;
    if (module === null || facts.engine !== "wasm") return null;
    if (!passesInBulk(job, keys !== null)) return null;
    const { base, map, report, shadow } = options;
    const isPlain = [base, map, report, shadow].every((option) => option === undefined);
    if (!isPlain) return null;
    const filter = UrlFilter.of(job.filter);
    const makeKernel = (): ChunkKernel =>
      new ChunkKernel(plan, module, chunkBytes, job.counts, filter);
    try {
      return new BulkLines(prepared, makeKernel);
    } catch (error) {
      if (isUnavailable(error)) return null;
      throw error;
    }
  }

  /** Returns whether a kernel is free. Makes the second one if it is needed and the platform has the memory. */
  hasFree(): boolean {
    const make = this.#makeSecond;
    if (this.#free.length > 0 || make === null) return this.#free.length > 0;
    this.#makeSecond = null;
    try {
      this.#free.push(make());
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    return this.#free.length > 0;
  }

  /**
   * Returns the output of whole lines, and counts them. `keys`: the set that merges them, or null. Call it only if a kernel
   * is free. If it throws `SET_FULL`, nothing was done for the lines.
   */
  async run(lines: Uint8Array, keys: RowDecider | null): Promise<BulkOutput> {
    // Taken before anything is awaited: while a store answers, the other kernel may become free.
    const kernel = this.#free.pop() as ChunkKernel;
    try {
      return await this.#runIn(kernel, lines, keys);
    } catch (error) {
      this.#free.push(kernel);
      throw error;
    }
  }

  async #runIn(
    kernel: ChunkKernel,
    lines: Uint8Array,
    keys: RowDecider | null,
  ): Promise<BulkOutput> {
    kernel.load(0, { read: (_, memory) => readLines(lines, memory), noteStart: () => {} });
    if (kernel.failure !== null) throw kernel.failure;
    const { rows, failed, blocked } = kernel;
    const tally = this.#tally;
    const answers = keys && (await this.#ask(kernel, keys));
    const errors = this.#lists && failed > 0 ? kernel.errorLines(tally.lines + 1) : NOTHING;
    this.#counts?.add(kernel);
    const text =
      answers === null ? kernel.written(this.#onError === "keep") : kernel.chosen(1, answers.rows);
    tally.lines += rows;
    tally.errors += failed;
    tally.blocked += blocked;
    tally.tabbed += kernel.tabbed;
    tally.duplicates += answers?.merged ?? 0;
    const fresh = answers?.fresh ?? NOTHING;
    return { text, errors, fresh, release: () => this.#free.push(kernel) };
  }

  /** Asks about the lines of a kernel. */
  #ask(kernel: ChunkKernel, keys: RowDecider): Promise<Answers> {
    const { key, bits } = keys.identity;
    let asked: Uint8Array = NOTHING;
    const split = { partitions: 1, bits, texts: keysTexts({ onError: this.#onError }) };
    kernel.split(key, split, (fingerprints) => {
      asked = fingerprints;
    });
    return keys.add(asked);
  }

  /** Adds the counts that are known only at the end. */
  finish(): void {
    if (this.#counts !== null) this.#tally.addCounts(this.#counts.totals());
  }
}

/** Copies whole lines to the memory of a kernel. */
function readLines(
  lines: Uint8Array,
  memory: ChunkMemory,
): { length: number; long: null; start: null } {
  const { length } = lines;
  if (length > memory.capacity && !memory.reserve(length)) throw chunkTooLarge(length);
  copyBytes(memory.input, lines, 0);
  return { length, long: null, start: null };
}
