import type { Source } from "../../io/source.ts";
import { LF } from "../../url/chars.ts";
import { CommandFailure } from "../base/failure.ts";
import type { LinePlace } from "./line-check.ts";
import type { SortKernel } from "./sort-kernel.ts";

/** Bytes of what the kernel keeps of a stream: its state, and its places in the tree (assembly/sort/merge.ts). */
const STATE_BYTES = 32 + 12;
/** 32-bit words of the state of a stream, and where each value is in it. */
const WORDS = 8;
const Place = { LINE: 0, END: 1, TEXT_END: 2, STATE: 4, JUDGED: 5, LINES: 6 } as const;
const LAST = 1;
const Answer = { FINISHED: 1, TEXT_READ: 3, LINE_ODD: 4, UNSORTED: 5 } as const;

/** The bytes of the output, and of a stream: not less, and not more. */
const OUTPUT = 1 << 18;
const LEAST = 1 << 14;
const MOST = 1 << 20;

/** Holds a source of sorted lines, and its name in messages. */
export interface Stream {
  readonly shown: string;
  readonly source: Source;
}

export interface MergeOptions {
  /** The most bytes that the merge takes, unless a line is longer than its share. */
  readonly memory: number;
  readonly signal: AbortSignal;
  /** Judges lines that do not look as the others: returns whether one is left out. Null if all are right. */
  readonly judge: ((line: string, place: LinePlace) => boolean) | null;
  /** Hears at the end how many lines the streams have. */
  readonly ended?: (lines: number) => void;
}

/** Says where a stream is in the memory of the kernel. */
interface Region {
  from: number;
  /** Where its bytes end. An LF, and some bytes that may be touched, have room after it. */
  to: number;
}

/**
 * Merges sorted streams, and yields their lines. A piece is valid until the next one. Throws an IoError, a CommandFailure if a
 * stream is not sorted, and the reason of the signal.
 */
export async function* mergedPieces(
  kernel: SortKernel,
  streams: readonly Stream[],
  options: MergeOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (streams.length === 0) return;
  const merge = new Merge(kernel, streams, options);
  for (;;) {
    options.signal.throwIfAborted();
    const answer = merge.goOn();
    if (answer === Answer.TEXT_READ) await merge.readOn();
    else if (answer === Answer.LINE_ODD) merge.judge();
    else if (answer === Answer.UNSORTED) throw merge.unsorted();
    else {
      if (answer === Answer.FINISHED) options.ended?.(merge.lines);
      yield merge.takeOutput();
      if (answer === Answer.FINISHED) return;
    }
  }
}

class Merge {
  readonly #kernel: SortKernel;
  readonly #streams: readonly Stream[];
  readonly #judge: MergeOptions["judge"];
  readonly #regions: readonly Region[];
  /** The output, and where it is written next. */
  readonly #output: Region;
  #written: number;
  /** Where memory is not in use yet. */
  #free: number;

  constructor(kernel: SortKernel, streams: readonly Stream[], { memory, judge }: MergeOptions) {
    const { start, calls, pad } = kernel;
    this.#kernel = kernel;
    this.#streams = streams;
    this.#judge = judge;
    this.#free = start + align(STATE_BYTES * streams.length);
    const share = Math.floor(memory / (streams.length + 1)) - 2 * pad;
    const size = Math.max(LEAST, Math.min(MOST, share));
    this.#output = this.#take(Math.min(OUTPUT, size));
    this.#written = this.#output.from;
    this.#regions = streams.map(() => this.#take(size));
    kernel.reserve(this.#free);
    for (const [at, { from }] of this.#regions.entries()) {
      kernel.bytes[from] = LF;
      this.#state(at).set([from, from, from + 1, 0, 0, judge === null ? 0 : 1, 0, 0]);
    }
    calls.beginMerge(start, streams.length);
  }

  #take(size: number): Region {
    const from = this.#free;
    this.#free = align(from + size + 2 * this.#kernel.pad);
    return { from, to: from + size };
  }

  /** Returns the state of a stream, which is void after more memory is taken. */
  #state(stream: number): Uint32Array {
    const { bytes, start } = this.#kernel;
    return new Uint32Array(bytes.buffer, start + 4 * WORDS * stream, WORDS);
  }

  /** Merges until something is to be done. */
  goOn(): number {
    const { calls } = this.#kernel;
    const answer = calls.merge(this.#written, this.#output.to);
    this.#written = calls.written.value >>> 0;
    return answer;
  }

  takeOutput(): Uint8Array {
    const bytes = this.#kernel.bytes.subarray(this.#output.from, this.#written);
    this.#written = this.#output.from;
    return bytes;
  }

  /** Reads more of the stream that needs it. Keeps its line, with which the next one is compared. */
  async readOn(): Promise<void> {
    const current = this.#current;
    const { source } = this.#streams[current] as Stream;
    const region = this.#regions[current] as Region;
    const before = this.#state(current);
    const line = before[Place.LINE] as number;
    const kept = (before[Place.TEXT_END] as number) - line;
    const from = this.#roomFor(region, line, kept);
    const state = this.#state(current);
    const moved = from - line;
    state[Place.LINE] = from;
    state[Place.END] = (state[Place.END] as number) + moved;
    const { bytes } = this.#kernel;
    let end = from + kept;
    const length = await source.read(bytes.subarray(end, region.to));
    end += length;
    if (length === 0) {
      state[Place.STATE] = LAST;
      // The line before is in memory too, so there is an end that does not count.
      if (end - 1 > (state[Place.END] as number) && bytes[end - 1] !== LF) bytes[end++] = LF;
    }
    state[Place.TEXT_END] = end;
  }

  /** Moves the bytes that are kept to the beginning of their region, or to a larger one. Returns where they begin. */
  #roomFor(region: Region, line: number, kept: number): number {
    const size = region.to - region.from;
    if (kept > size / 2) {
      Object.assign(region, this.#take(2 * size));
      this.#kernel.reserve(this.#free);
    }
    this.#kernel.bytes.copyWithin(region.from, line, line + kept);
    return region.from;
  }

  /** Judges the next line of the stream. */
  judge(): void {
    const current = this.#current;
    const { calls, bytes, lineEnd } = this.#kernel;
    const from = (this.#state(current)[Place.END] as number) + 1;
    const place = this.#next();
    const isLeftOut = (this.#judge as NonNullable<MergeOptions["judge"]>)(
      bytes.toString("latin1", from, lineEnd),
      place,
    );
    if (!isLeftOut) calls.keepStreamLine();
    else if (calls.dropStreamLine() === 0) throw this.unsorted();
  }

  /** Returns the error of a stream whose next line comes before the last one. */
  unsorted(): CommandFailure {
    const { shown, number } = this.#next();
    return new CommandFailure(
      `${shown}, line ${number}: it comes before the line above it, by its bytes; sort the file first: urlmill cdx sort`,
      1,
    );
  }

  get #current(): number {
    return this.#kernel.calls.current.value;
  }

  /** Names the next line of the stream. */
  #next(): LinePlace {
    const current = this.#current;
    const { shown } = this.#streams[current] as Stream;
    return { shown, number: this.#linesOf(current) + 1 };
  }

  /** The lines that all streams gave so far. */
  get lines(): number {
    return this.#streams.reduce((sum, _, at) => sum + this.#linesOf(at), 0);
  }

  #linesOf(stream: number): number {
    const { bytes, start } = this.#kernel;
    const at = start + 4 * (WORDS * stream + Place.LINES);
    return bytes.readDoubleLE(at);
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
