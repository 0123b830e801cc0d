import type { SeenIdentity } from "../../seen/identity.ts";
import type { Journal } from "../../seen/journal/journal.ts";
import { wordsOf } from "../../seen/memory/table.ts";
import { CommandFailure } from "../failure.ts";
import { type Answers, AskedKeys, type RowValues } from "../keys/asked-keys.ts";
import { BestValues, VALUE_BYTES } from "./best-values.ts";
import { ChosenRows } from "./chosen-rows.ts";
import { type Keep, type KeepOptions, valueFieldOf } from "./keep.ts";
import { enlarged, KeyIndex } from "./key-index.ts";
import { ReadRows } from "./read-rows.ts";
import { RowBits } from "./row-bits.ts";

/** The bytes that are kept for each key besides its fingerprint: the number of its row. */
const ROW_BYTES = 8;
/** The bytes of a count. */
const COUNT_BYTES = 8;

/** Says what `Winners` chooses by, and with what. */
export interface WinnersSetup extends Pick<KeepOptions, "keep" | "count" | "repeated"> {
  readonly identity: SeenIdentity;
  /** The most bytes that all keys may take. */
  readonly maxBytes: number;
  /** Has the keys whose rows are left out, and gets those of this run. Null if there are none to leave out. */
  readonly earlier: AskedKeys | null;
}

/**
 * Finds which row of each key is to be written, while all rows are read for the first time. Rows have the numbers of their
 * order, and those without a key are not counted.
 */
export class Winners extends AskedKeys {
  readonly identity: SeenIdentity;
  /** Nothing is recorded before it is written. */
  readonly journal = null;
  readonly #keep: Keep;
  readonly #earlier: AskedKeys | null;
  readonly #index: KeyIndex;
  /** The number of the row of each key that wins so far. */
  #rows = new Float64Array(0);
  readonly #writesCounts: boolean;
  readonly #repeated: boolean;
  /** The number of rows of each key so far. Null if they are not counted. */
  #counts: Float64Array | null;
  /** Null if rows are not chosen by a value. */
  readonly #values: BestValues | null;
  readonly #read: ReadRows;

  constructor({ keep, count, repeated, identity, maxBytes, earlier }: WinnersSetup) {
    super();
    this.identity = identity;
    this.#keep = keep;
    this.#earlier = earlier;
    this.#writesCounts = count;
    this.#repeated = repeated;
    this.#counts = count || repeated ? new Float64Array(0) : null;
    this.#read = new ReadRows(identity.bits);
    const beside = this.#counts === null ? ROW_BYTES : ROW_BYTES + COUNT_BYTES;
    if ("field" in keep) {
      this.#values = new BestValues(keep.which, maxBytes / 2);
      this.#index = new KeyIndex(identity.bits, maxBytes / 2, beside + VALUE_BYTES);
    } else {
      this.#values = null;
      this.#index = new KeyIndex(identity.bits, maxBytes, beside);
    }
  }

  get size(): number {
    return this.#earlier?.size ?? this.#index.size;
  }

  /** Writes no row yet. */
  add(fingerprints: Uint8Array, values?: RowValues): Answers {
    const words = wordsOf(fingerprints);
    const isNew = this.#earlier?.add(fingerprints).rows;
    const first = this.#read.count;
    const rows = this.#read.add(words);
    for (let row = 0; row < rows; row++) {
      const key = isNew?.[row] === 0 ? this.#index.find(words, row) : this.#keyOf(words, row);
      if (key < 0) continue; // its key is one of those to leave out
      if (this.#counts !== null) this.#counts[key] = (this.#counts[key] as number) + 1;
      if (this.#wins(key, values, row)) this.#rows[key] = first + row;
    }
    return {
      rows: new Uint8Array(rows),
      merged: 0,
      unrepeated: 0,
      counts: null,
      fresh: new Uint8Array(0),
    };
  }

  expect(done: number): void {
    this.#earlier?.expect(done);
  }

  /**
   * Returns what answers for the same rows when they are read again. `journal`: keeps the keys of the written rows, or null.
   * Throws a CommandFailure if rows are chosen by a value that none of them has: its name is probably wrong.
   */
  chosen(journal: Journal | null): ChosenRows {
    if (this.#values?.isEmpty === true && this.#index.size > 0) throw noValue(this.#keep);
    const { identity, size } = this;
    const read = this.#read;
    const chosen = new RowBits(read.count);
    const lone = this.#repeated ? new RowBits(read.count) : null;
    for (let key = 0; key < this.#index.size; key++) {
      const isLone = lone !== null && this.#counts?.[key] === 1;
      (isLone ? lone : chosen).mark(this.#rows[key] as number);
    }
    const counts = this.#writesCounts ? this.#countsOf(chosen) : null;
    return new ChosenRows({ identity, journal, size, read, chosen, lone, counts });
  }

  /** Returns the numbers of records of chosen rows, in their order. */
  #countsOf(chosen: RowBits): Float64Array {
    const rankOf = chosen.ranks();
    const counts = new Float64Array(this.#index.size);
    for (let key = 0; key < this.#index.size; key++) {
      const row = this.#rows[key] as number;
      if (chosen.isMarked(row)) counts[rankOf(row)] = this.#counts?.[key] as number;
    }
    return counts;
  }

  #keyOf(words: Uint32Array, row: number): number {
    const before = this.#index.size;
    const key = this.#index.add(words, row);
    if (key < before) return key;
    const { capacity } = this.#index;
    if (capacity > this.#rows.length) {
      this.#rows = enlarged(this.#rows, capacity);
      this.#values?.reserve(capacity);
      this.#counts &&= enlarged(this.#counts, capacity);
    }
    this.#rows[key] = -1;
    return key;
  }

  /** Returns whether a row wins over the row that a key has. */
  #wins(key: number, values: RowValues | undefined, row: number): boolean {
    const isFirst = (this.#rows[key] as number) < 0;
    if (values === undefined) return isFirst || this.#keep.which === "last";
    const isBetter = this.#values?.improve(key, values.textOf(row)) === true;
    return isFirst || isBetter;
  }
}

function noValue(keep: Keep): CommandFailure {
  const name = valueFieldOf(keep)?.field.name;
  return new CommandFailure(
    `--keep ${keep.which}:${name}: no record has a value there; check the name`,
    2,
  );
}
