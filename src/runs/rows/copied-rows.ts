import type { ChunkPlace, Format } from "../../formats/index.ts";
import { RecordReader } from "../../formats/records.ts";
import { toByteString } from "../../url/bytes.ts";
import type { ChooseTask } from "../call/job.ts";
import { withoutEnd } from "./merged-list.ts";
import { PlainRowChooser, type RowChooser } from "./row-chooser.ts";

/** The share of rows up to which they are copied one by one. */
const FEW = 1 / 8;

/** Says which rows are copied. */
type RowsTask = Omit<ChooseTask, "isChosen" | "target">;

/** Holds rows that were copied, and how they are read. */
export interface CopiedText {
  readonly text: Uint8Array;
  readonly rows: number;
  readonly place: ChunkPlace;
}

/** Copies some rows of a chunk, to read them again. */
export class CopiedRows {
  readonly #format: Format;
  readonly #chooser: RowChooser;
  readonly #reader: RecordReader;
  /** Memory for the rows. The next ones use it again. */
  #memory = new Uint8Array(0);

  /** `chooser`: copies many rows. `scans`: says whether WebAssembly may run. */
  constructor(format: Format, chooser: RowChooser, scans: boolean) {
    this.#format = format;
    this.#chooser = chooser;
    this.#reader = new RecordReader(format, scans);
  }

  /**
   * Returns texts that are read as the chosen rows. They are one, unless a later row would close the quote that another leaves
   * open. They are valid until the next call.
   */
  of(task: RowsTask, isChosen: Uint8Array, place: ChunkPlace): CopiedText[] {
    const text = this.#copy(task, isChosen);
    const starts = new Int32Array(task.output, task.starts.at, task.starts.bytes >> 2);
    const lengths = lengthsOf(starts, isChosen);
    const whole = { text, rows: lengths.length, place };
    if (this.#format.mend === undefined || this.#rowsIn(whole) === whole.rows) return [whole];
    const header = place.header ?? this.#format.headerOf(text) ?? null;
    let [at, isStart] = [0, place.isStart];
    return lengths.map((length) => {
      const row = text.subarray(at, at + length);
      const one = { text: row, rows: 1, place: isStart ? place : { header, isStart: false } };
      at += length;
      // The header is the first row that is not empty.
      isStart &&= withoutEnd(toByteString(row)) === "";
      return one;
    });
  }

  #copy({ memory, text, output, starts }: RowsTask, isChosen: Uint8Array): Uint8Array {
    if (this.#memory.length < text.bytes) this.#memory = new Uint8Array(text.bytes);
    const all = new Uint8Array(memory, text.at, text.bytes);
    const rows = new Int32Array(output, starts.at, starts.bytes >> 2);
    const bytes = this.#chooserOf(isChosen).choose(all, rows, isChosen, this.#memory);
    return this.#memory.subarray(0, bytes);
  }

  /** Returns the chooser that is faster: the kernel copies all rows to its memory, whatever is chosen. */
  #chooserOf(isChosen: Uint8Array): RowChooser {
    let chosen = 0;
    for (const byte of isChosen) chosen += byte;
    return chosen > FEW * isChosen.length ? this.#chooser : new PlainRowChooser();
  }

  #rowsIn({ text, place }: CopiedText): number {
    let count = 0;
    for (const { rows } of this.#reader.read(text, place)) count += rows;
    return count;
  }
}

/** Returns the length of each row whose byte in `isChosen` is 1. */
function lengthsOf(starts: Int32Array, isChosen: Uint8Array): number[] {
  const lengths: number[] = [];
  for (let row = 0; row < isChosen.length; row++) {
    if (isChosen[row] === 1) lengths.push((starts[row + 1] as number) - (starts[row] as number));
  }
  return lengths;
}
