import { LineCheck } from "./line-check.ts";
import type { LineInput } from "./line-input.ts";
import { mergedPieces, type Stream } from "./merged-lines.ts";
import { SortKernel } from "./sort-kernel.ts";

/** Merges sorted files of CDX or CDXJ to one. */
export class MergedFiles {
  readonly #inputs: readonly LineInput[];
  readonly #memory: number;
  readonly #signal: AbortSignal;
  readonly #kernel = new SortKernel();
  readonly #check: LineCheck;
  #read = 0;

  constructor(
    inputs: readonly LineInput[],
    options: { readonly memory: number; readonly signal: AbortSignal },
  ) {
    this.#inputs = inputs;
    this.#memory = options.memory;
    this.#signal = options.signal;
    this.#check = new LineCheck(this.#kernel);
  }

  /** The lines that were written, without the header. */
  get lines(): number {
    return this.#read - this.#check.headers;
  }

  get damaged(): number {
    return this.#check.damaged;
  }

  /** The header of CDX with its line end, or nothing; it is known when the first line is. */
  get headerLine(): Buffer {
    return this.#check.headerLine;
  }

  /** Yields the header of CDX, and what `records` does. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    let isBegun = false;
    for await (const piece of this.records()) {
      if (!isBegun) yield this.headerLine;
      isBegun = true;
      yield piece;
    }
  }

  /**
   * Yields the lines of all files. A piece is valid until the next one. Throws an IoError, the reason of
   * the signal, and a CommandFailure for a file that is not sorted or has other fields.
   */
  async *records(): AsyncGenerator<Uint8Array, void, undefined> {
    const streams: Stream[] = [];
    try {
      for (const { shown, open } of this.#inputs) streams.push({ shown, source: await open() });
      // The first lines of all files are read before one is written, and so all headers.
      yield* mergedPieces(this.#kernel, streams, {
        memory: this.#memory,
        signal: this.#signal,
        judge: (line, place) => this.#check.leavesOut(line, place),
        ended: (lines) => {
          this.#read = lines;
        },
      });
      this.#check.sayRest();
    } finally {
      for (const { source } of streams) await source.close();
    }
  }
}
