import { wordsOf } from "../../../fingerprints/table.ts";
import type { SeenIdentity } from "../../../seen/contract/identity.ts";
import { LEFT_OUT } from "../../base/marks.ts";
import {
  type Answers,
  type KeyStore,
  NO_ANSWERS,
  RowDecider,
  type RowValues,
} from "../row-decider.ts";
import { ChosenRows, type RowAnswers } from "./chosen-rows.ts";
import { noRoom } from "./growing-array.ts";
import { COUNT_BYTES, KeyWinners, noValue, type WinnerOptions } from "./key-winners.ts";
import { ReadRows } from "./read-rows.ts";
import { RowBits } from "./row-bits.ts";

/** Says what `Winners` chooses by, and with what. */
export interface WinnersSetup extends WinnerOptions {
  readonly identity: SeenIdentity;
  /** The most bytes that all keys may take. */
  readonly maxBytes: number;
  /** Has the keys whose rows are left out, and gets those of this run. Null if there are none to leave out. */
  readonly earlier: RowDecider | null;
}

/**
 * Finds which row of each key is to be written, while all rows are read for the first time. Rows have the numbers of their
 * order, and those without a key are not counted.
 */
export class Winners extends RowDecider {
  readonly identity: SeenIdentity;
  /** Nothing is recorded before it is written. */
  readonly store = null;
  readonly #options: WinnerOptions;
  readonly #earlier: RowDecider | null;
  readonly #winners: KeyWinners;
  readonly #read: ReadRows;
  readonly #maxBytes: number;

  constructor({ identity, maxBytes, earlier, ...options }: WinnersSetup) {
    super();
    this.identity = identity;
    this.#options = options;
    this.#earlier = earlier;
    this.#winners = new KeyWinners(options, identity.bits, maxBytes);
    this.#read = new ReadRows(identity.bits);
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#earlier?.size ?? this.#winners.size;
  }

  /** Writes no row yet. */
  async add(fingerprints: Uint8Array, values?: RowValues): Promise<Answers> {
    const words = wordsOf(fingerprints);
    const isNew = (await this.#earlier?.add(fingerprints))?.rows;
    const first = this.#read.count;
    const rows = this.#read.add(words);
    const textOf = values && ((row: number) => values.textOf(row));
    this.#winners.take(words, rows, (row) => first + row, textOf, isNew);
    const answers = WonBits.bytesOf(this.#options, this.#winners.size, this.#read.count);
    if (this.#winners.bytes + answers > this.#maxBytes) {
      throw noRoom(`memory has no room for the answers to ${this.#read.count} rows`);
    }
    return { ...NO_ANSWERS, rows: new Uint8Array(rows) };
  }

  expect(done: number): void {
    this.#earlier?.expect(done);
  }

  /**
   * Returns what answers for the same rows when they are read again. `store`: keeps the keys of the written rows, or null.
   * Throws a CommandFailure if rows are chosen by a value that none of them has: its name is probably wrong.
   */
  chosen(store: KeyStore | null): ChosenRows {
    const winners = this.#winners;
    if (winners.lacksValues && winners.size > 0) throw noValue(this.#options.keep);
    const { identity, size } = this;
    const read = this.#read;
    const answers = new WonBits(winners, read.count, this.#options);
    return new ChosenRows({ identity, store, size, read, answers });
  }
}

/** Marks the rows that won among all rows. */
class WonBits implements RowAnswers {
  readonly #chosen: RowBits;
  /** Marks those that are the only ones of their key, if only repeated keys are written. Else null. */
  readonly #lone: RowBits | null;
  /** The number of records of each row that is written, in order, or null if they are not written. */
  readonly #counts: Float64Array | null;
  #written = 0;

  /** Returns the bytes that the answers to so many rows take, while they are made. */
  static bytesOf({ count, repeated }: WinnerOptions, keys: number, rows: number): number {
    const marks = RowBits.bytesOf(rows) * (repeated ? 2 : 1);
    return marks + (count ? RowBits.rankBytesOf(rows) + COUNT_BYTES * keys : 0);
  }

  constructor(winners: KeyWinners, rows: number, { count, repeated }: WinnerOptions) {
    const chosen = new RowBits(rows);
    const lone = repeated ? new RowBits(rows) : null;
    winners.each((row, records) => (lone !== null && records === 1 ? lone : chosen).mark(row));
    this.#chosen = chosen;
    this.#lone = lone;
    this.#counts = count ? countsOf(winners, chosen) : null;
  }

  get hasCounts(): boolean {
    return this.#counts !== null;
  }

  answer(row: number): number {
    if (this.#chosen.isMarked(row)) return 1;
    return this.#lone?.isMarked(row) === true ? LEFT_OUT : 0;
  }

  count(): number {
    return this.#counts?.[this.#written++] as number;
  }

  place(): number {
    return 1;
  }
}

/** Returns the numbers of records of chosen rows, in their order. */
function countsOf(winners: KeyWinners, chosen: RowBits): Float64Array {
  const rankOf = chosen.ranks();
  const counts = new Float64Array(winners.size);
  winners.each((row, count) => {
    if (chosen.isMarked(row)) counts[rankOf(row)] = count;
  });
  return counts;
}
