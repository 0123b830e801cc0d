import { inputChanged } from "../../io/files/input-states.ts";
import type { IoError } from "../../io/io-error.ts";
import type { SeenIdentity } from "../../seen/identity.ts";
import type { Journal } from "../../seen/journal/journal.ts";
import { chosenRows } from "../../seen/memory/fingerprint-rows.ts";
import { wordsOf } from "../../seen/memory/table.ts";
import { type Answers, AskedKeys } from "../keys/asked-keys.ts";
import { LEFT_OUT } from "../keys/marks.ts";
import { ReadRows } from "./read-rows.ts";
import type { RowBits } from "./row-bits.ts";

/** What is written of inputs that were changed between their readings. */
export const LACKS_LINES = "the output lacks lines or repeats some";

/** Tells which rows are marked. `firstWord`: the first word of the row's fingerprint. Asked once for each row, in order. */
export interface MarkedRows {
  isMarked(row: number, firstWord: number): boolean;
}

/** Says which rows to write. */
export interface Choice {
  readonly identity: SeenIdentity;
  readonly journal: Journal | null;
  /** The number of keys. */
  readonly size: number;
  /** The rows from which was chosen. */
  readonly read: ReadRows;
  /** Marks those that are written. */
  readonly chosen: MarkedRows;
  /** Marks those that are the only ones of their key, if only repeated keys are written. Else null. */
  readonly lone: RowBits | null;
  /** The number of records of each row that is written, in order, or null if they are not written. */
  readonly counts: Float64Array | null;
}

/** Answers for rows that are read again: those that won are written. */
export class ChosenRows extends AskedKeys {
  readonly #choice: Choice;
  readonly #read: ReadRows;
  /** The number of rows that were written so far. */
  #written = 0;

  constructor(choice: Choice) {
    super();
    this.#choice = choice;
    this.#read = new ReadRows(choice.identity.bits);
  }

  get identity(): SeenIdentity {
    return this.#choice.identity;
  }

  get journal(): Journal | null {
    return this.#choice.journal;
  }

  get size(): number {
    return this.#choice.size;
  }

  add(fingerprints: Uint8Array): Answers {
    const { read, journal, counts } = this.#choice;
    const first = this.#read.count;
    const words = wordsOf(fingerprints);
    const rows = new Uint8Array(this.#read.add(words));
    const wordsPerRow = words.length / rows.length;
    if (this.#read.count > read.count) throw changed();
    let merged = 0;
    let unrepeated = 0;
    const written = this.#written;
    for (let row = 0; row < rows.length; row++) {
      const answer = this.#answerFor(first + row, words[row * wordsPerRow] as number);
      rows[row] = answer;
      if (answer === 0) merged++;
      else if (answer === 1) this.#written++;
      else unrepeated++;
    }
    const fresh = journal === null ? new Uint8Array(0) : chosenRows(fingerprints, rows);
    return {
      rows,
      merged,
      unrepeated,
      counts: counts?.subarray(written, this.#written) ?? null,
      fresh,
    };
  }

  #answerFor(row: number, firstWord: number): number {
    const { chosen, lone } = this.#choice;
    if (chosen.isMarked(row, firstWord)) return 1;
    return lone?.isMarked(row) === true ? LEFT_OUT : 0;
  }

  expect(): void {}

  /** Throws if the rows were not those from which was chosen. */
  checkEnd(): void {
    if (!this.#read.equals(this.#choice.read)) throw changed();
  }
}

function changed(): IoError {
  return inputChanged("an input was changed", LACKS_LINES);
}
