import { Kernel } from "../../engine/wasm/kernel.ts";
import { inputChanged } from "../../io/files/input-states.ts";
import { LF } from "../../url/chars.ts";
import { chunkTooLarge, type GridReader, OVERHEAD } from "../grid/grid-reader.ts";
import type { PartitionMarks } from "../keys/spilled/partitions/partition-marks.ts";
import { LACKS_LINES } from "../keys/winners/chosen-rows.ts";
import type { RowSequence } from "./row-sequence.ts";

/** The mark of a line that is in no partition, because a list or an error leaves it out. */
export const NOWHERE = 255;
/** The bytes of input for each line that a kernel has room for. */
const BYTES_PER_ROW = 4;

/** Copies the marked lines of chunks that are read again. Nothing is normalized: their lengths are known. */
export class LineCopier {
  readonly #kernel: Kernel;
  readonly #reader: GridReader;
  readonly #sequence: RowSequence;
  readonly #marks: PartitionMarks;
  /** The lines so far that have a key and are not written. */
  merged = 0;

  /** Throws `ENGINE_UNAVAILABLE` if the platform has no memory for another kernel. */
  constructor(
    {
      plan,
      module,
      chunkBytes,
    }: Readonly<{
      plan: Uint8Array;
      module: WebAssembly.Module;
      chunkBytes: number;
    }>,
    reader: GridReader,
    sequence: RowSequence,
    marks: PartitionMarks,
  ) {
    this.#kernel = new Kernel(plan, chunkBytes + OVERHEAD, module, BYTES_PER_ROW);
    this.#reader = reader;
    this.#sequence = sequence;
    this.#marks = marks;
  }

  /**
   * Returns the marked lines of the next chunk, which are valid until the next call. Throws an IoError, also if the lines have
   * other lengths than before.
   */
  copy(chunk: number): Uint8Array {
    const { partitions, lengths } = this.#sequence.next();
    const rows = partitions.length;
    this.#makeRoom(rows);
    const { length, start } = this.#reader.read(chunk, this.#kernel);
    const { input, inOffsets } = this.#kernel;
    const marks = this.#kernel.marksOf(rows);
    let end = 0;
    let merged = 0;
    for (let row = 0; row < rows; row++) {
      inOffsets[row] = end;
      end += this.#sequence.lengthOf(lengths[row] as number);
      if (end > length || input[end - 1] !== LF) throw changed();
      const partition = partitions[row] as number;
      const mark = partition === NOWHERE ? 0 : this.#marks.next(partition);
      marks[row] = mark;
      if (mark === 0 && partition !== NOWHERE) merged++;
    }
    inOffsets[rows] = end;
    this.merged += merged;
    if (start !== null) this.#reader.noteStart(chunk + 1, start + end);
    return this.#kernel.chooseMarked(rows);
  }

  #makeRoom(rows: number): void {
    const kernel = this.#kernel;
    if (rows < kernel.inOffsets.length) return;
    if (!kernel.reserve(BYTES_PER_ROW * rows)) throw chunkTooLarge(BYTES_PER_ROW * rows);
  }
}

function changed(): Error {
  return inputChanged("an input was changed", LACKS_LINES);
}
