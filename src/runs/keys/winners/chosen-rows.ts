import { atPlaces } from "../../../fingerprints/key-places.ts";
import { wordsOf } from "../../../fingerprints/table.ts";
import { inputChanged } from "../../../io/files/input-states.ts";
import type { IoError } from "../../../io/io-error.ts";
import type { SeenIdentity } from "../../../seen/contract/identity.ts";
import { type Answers, type KeyStore, NO_ANSWERS, RowDecider } from "../row-decider.ts";
import { ReadRows } from "./read-rows.ts";

/** What is written of inputs that were changed between their readings. */
export const LACKS_LINES = "the output lacks lines or repeats some";

/** Tells what becomes of rows that are read again. `firstWord`: the first word of the row's fingerprint. */
export interface RowAnswers {
  /** Returns 1 for a row that is written, 0, or LEFT_OUT for the only row of its key. Asked once for each row, in order. */
  answer(row: number, firstWord: number): number;
  /** Says whether rows are written with the number of the records of their key. */
  readonly hasCounts: boolean;
  /** Returns that number. Asked once for each row that is written, in order, before the next one is. */
  count(firstWord: number): number;
  /** Returns the place of such a row among those of its key. Asked in the same way, if keys are kept after the run. */
  place(firstWord: number): number;
}

/** Says which rows to write. */
export interface Choice {
  readonly identity: SeenIdentity;
  readonly store: KeyStore | null;
  /** The number of keys. */
  readonly size: number;
  /** The rows from which was chosen. */
  readonly read: ReadRows;
  readonly answers: RowAnswers;
}

/** Answers for rows that are read again: those that won are written. */
export class ChosenRows extends RowDecider {
  readonly #choice: Choice;
  readonly #read: ReadRows;

  constructor(choice: Choice) {
    super();
    this.#choice = choice;
    this.#read = new ReadRows(choice.identity.bits);
  }

  get identity(): SeenIdentity {
    return this.#choice.identity;
  }

  get store(): KeyStore | null {
    return this.#choice.store;
  }

  get size(): number {
    return this.#choice.size;
  }

  async add(fingerprints: Uint8Array): Promise<Answers> {
    const { read, store, answers } = this.#choice;
    const first = this.#read.count;
    const words = wordsOf(fingerprints);
    const rows = new Uint8Array(this.#read.add(words));
    const wordsPerRow = words.length / rows.length;
    if (this.#read.count > read.count) throw changed();
    const counts: number[] = [];
    const places = new Uint32Array(store === null ? 0 : rows.length);
    let merged = 0;
    let written = 0;
    for (let row = 0; row < rows.length; row++) {
      const firstWord = words[row * wordsPerRow] as number;
      const answer = answers.answer(first + row, firstWord);
      rows[row] = answer;
      if (answer === 0) merged++;
      if (answer !== 1) continue;
      written++;
      if (store !== null) places[row] = answers.place(firstWord);
      if (answers.hasCounts) counts.push(answers.count(firstWord));
    }
    return {
      rows,
      merged,
      unrepeated: rows.length - merged - written,
      counts: answers.hasCounts ? Float64Array.from(counts) : null,
      fresh: store === null ? NO_ANSWERS.fresh : atPlaces(fingerprints, places),
    };
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
