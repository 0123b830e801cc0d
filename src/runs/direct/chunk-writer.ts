import { CR, LF } from "../../url/chars.ts";
import type { GridReader, LongLineRange } from "../grid/grid-reader.ts";
import type { DirectChunk } from "../rows/direct-chunk.ts";
import { LongLine, type LongLineWork } from "../rows/long-line.ts";
import { type DirectOutput, LineWriter } from "./line-writer.ts";
import type { SharedProgress } from "./shared-progress.ts";

/** The number of bytes of a long line to copy at a time. */
const PIECE = 1 << 18;
const NOTHING = new Uint8Array(0);
const NEWLINE = Uint8Array.of(LF);
const CR_LF = Uint8Array.of(CR, LF);

/** Describes the outputs of a run, and the handling of lines with an error. */
export interface WriterWork extends LongLineWork {
  readonly output: DirectOutput;
  /** The output for lines with an error, or null if they are not listed. */
  readonly errors: DirectOutput | null;
  /** The output for records that are repeats, or null if they are not listed. */
  readonly map: DirectOutput | null;
}

/** Writes chunks to the outputs of a run while this thread has its turn. */
export class ChunkWriter {
  readonly #work: WriterWork;
  readonly #progress: SharedProgress;
  readonly #reader: GridReader;
  readonly #output: LineWriter;
  readonly #errors: LineWriter | null;
  readonly #map: LineWriter | null;
  /** The line that is written in part; null if there is none. */
  #long: LongLine | null = null;

  /** `reader`: the reader of lines that are too long for a kernel. */
  constructor(work: WriterWork, progress: SharedProgress, reader: GridReader) {
    this.#work = work;
    this.#progress = progress;
    this.#reader = reader;
    this.#output = new LineWriter(work.output, progress, "bytesOut");
    this.#errors = work.errors && new LineWriter(work.errors, progress, "errorBytes");
    this.#map = work.map && new LineWriter(work.map, progress, "mapBytes");
  }

  /**
   * Writes the next piece of a chunk: a piece of its long line, or all the rest. Returns whether it was the last
   * piece. `answers`: the answers for its fingerprints, if lines are merged. Throws an IoError.
   */
  write(chunk: DirectChunk, answers: Uint8Array | null): boolean {
    const keepsFailed = this.#work.onError === "keep";
    if (chunk.long !== null) {
      chunk.long = this.#writeLong(chunk.long);
      chunk.isLongBegun = true;
      return false;
    }
    this.#listErrors(chunk);
    const bytes =
      answers === null
        ? chunk.written(keepsFailed)
        : chunk.chosen(this.#progress.memory.partitions, answers);
    this.#output.write(bytes);
    this.#map?.write(chunk.merged ?? NOTHING);
    return true;
  }

  /** Ends lines that were written only in part. */
  end(): void {
    this.#output.endCut();
    this.#errors?.endCut();
    this.#map?.endCut();
  }

  /** Writes the next piece of a long line. Returns the rest of the line, or null if there is none. */
  #writeLong({ file, from, to }: LongLineRange): LongLineRange | null {
    const piece = Buffer.alloc(Math.min(PIECE, to - from));
    this.#reader.readAt(file, piece, from);
    const at = from + piece.length;
    const isLast = at === to;
    const hasCr = isLast && piece.at(-1) === CR;
    const text = hasCr ? piece.subarray(0, -1) : piece;
    this.#long ??= new LongLine(this.#linesBefore + 1, this.#work);
    const { output, errors } = this.#long.take(text, isLast ? (hasCr ? CR_LF : NEWLINE) : null);
    this.#output.write(output);
    this.#errors?.write(errors);
    if (!isLast) return { file, from: at, to };
    this.#long = null;
    return null;
  }

  #listErrors(chunk: DirectChunk): void {
    if (this.#errors === null || chunk.failed === 0) return;
    this.#errors.write(chunk.errorLines(this.#linesBefore + (chunk.isLongBegun ? 2 : 1)));
  }

  /** Returns the number of lines in all chunks before the current one. */
  get #linesBefore(): number {
    return this.#progress.totals.lines;
  }
}
