import { type FingerprintBits, homesFor } from "../../../fingerprints/table.ts";
import { CommandFailure } from "../../base/failure.ts";
import { type Keep, type KeepOptions, valueFieldOf } from "../../base/keep.ts";
import { BestValues, VALUE_BYTES } from "./best-values.ts";
import { GrowingArray } from "./growing-array.ts";
import { KeyIndex } from "./key-index.ts";

/** The bytes that are kept for each key besides its fingerprint: the number of its row. */
const ROW_BYTES = 8;
/** The bytes of a count. */
export const COUNT_BYTES = 8;
/** How many times the bytes of texts their store takes: it grows, and a longer text takes another place. */
const TEXT_SHARE = 5;

/** Says what a key is chosen by. */
export type WinnerOptions = Pick<KeepOptions, "keep" | "count" | "repeated">;

/** Returns the values of rows, as texts; an empty one is no value. */
export type TextOf = (row: number) => Buffer;

/** Finds which row of each key wins. Rows have numbers that grow. */
export class KeyWinners {
  readonly #keep: Keep;
  readonly #index: KeyIndex;
  /** The number of the row of each key that wins so far. */
  readonly #rows = new GrowingArray(Float64Array);
  /** The number of rows of each key so far. Null if they are not counted. */
  readonly #counts: GrowingArray<Float64Array> | null;
  /** Null if rows are not chosen by a value. */
  readonly #values: BestValues | null;

  /** `maxBytes`: the most bytes that all keys may take. */
  constructor(options: WinnerOptions, bits: FingerprintBits, maxBytes: number) {
    const { keep } = options;
    this.#keep = keep;
    this.#counts = countsRows(options) ? new GrowingArray(Float64Array) : null;
    const isByValue = "field" in keep;
    this.#values = isByValue ? new BestValues(keep.which as "max" | "min", maxBytes / 2) : null;
    const share = isByValue ? maxBytes / 2 : maxBytes;
    this.#index = new KeyIndex(bits, share, bytesBeside(options));
  }

  /** Returns the most bytes that so many keys take, with texts of so many bytes as their values. */
  static bytesOf(
    options: WinnerOptions,
    bits: FingerprintBits,
    keys: number,
    texts: number,
  ): number {
    const homes = homesFor(keys, KeyIndex.firstHomes);
    // An index that has not grown is always there.
    const isFirst = homes === KeyIndex.firstHomes;
    const index = isFirst ? 0 : KeyIndex.bytesOf(bits, homes, keys, bytesBeside(options));
    return "field" in options.keep ? 2 * Math.max(index, TEXT_SHARE * texts) : index;
  }

  /** The number of keys. */
  get size(): number {
    return this.#index.size;
  }

  /** The bytes of all keys. */
  get bytes(): number {
    return this.#index.bytes + (this.#values?.textBytes ?? 0);
  }

  /** Forgets all keys, and keeps the memory. */
  clear(): void {
    this.#index.clear();
    this.#values?.clear();
  }

  /** Returns whether rows are chosen by a value, and no row had one. */
  get lacksValues(): boolean {
    return this.#values?.isEmpty === true;
  }

  /**
   * Takes rows of fingerprints. `numberOf`: returns the number of a row. `isNew`: 0 for rows whose keys are left out, unless
   * they were taken before. Throws `SET_FULL`.
   */
  take(
    words: Uint32Array,
    rows: number,
    numberOf: (row: number) => number,
    textOf: TextOf | undefined,
    isNew: Uint8Array | undefined,
  ): void {
    for (let row = 0; row < rows; row++) {
      const key = isNew?.[row] === 0 ? this.#index.find(words, row) : this.#keyOf(words, row);
      if (key < 0) continue; // its key is one of those to leave out
      this.#counts?.increment(key);
      if (this.#wins(key, textOf, row)) this.#rows.set(key, numberOf(row));
    }
  }

  /** Calls `take` with the row that wins of each key, and the number of its rows, or 0 if they are not counted. */
  each(take: (row: number, count: number) => void): void {
    for (let key = 0; key < this.size; key++) {
      take(this.#rows.get(key), this.#counts?.get(key) ?? 0);
    }
  }

  #keyOf(words: Uint32Array, row: number): number {
    const before = this.#index.size;
    const key = this.#index.add(words, row);
    if (key < before) return key;
    this.#rows.reserve(key + 1);
    this.#rows.set(key, -1);
    this.#counts?.reserve(key + 1);
    this.#counts?.set(key, 0);
    this.#values?.begin(key);
    return key;
  }

  /** Returns whether a row wins over the row that a key has. */
  #wins(key: number, textOf: TextOf | undefined, row: number): boolean {
    const isFirst = this.#rows.get(key) < 0;
    if (textOf === undefined) return isFirst || this.#keep.which === "last";
    const isBetter = this.#values?.improve(key, textOf(row)) === true;
    return isFirst || isBetter;
  }
}

/** Makes the error of values that no record has. */
export function noValue(keep: Keep): CommandFailure {
  const name = valueFieldOf(keep)?.field.name;
  return new CommandFailure(
    `--keep ${keep.which}:${name}: no record has a value there; check the name`,
    2,
  );
}

function countsRows({ count, repeated }: WinnerOptions): boolean {
  return count || repeated;
}

/** Returns the bytes that are kept for each key besides its fingerprint. */
function bytesBeside(options: WinnerOptions): number {
  const counts = countsRows(options) ? COUNT_BYTES : 0;
  return ROW_BYTES + counts + ("field" in options.keep ? VALUE_BYTES : 0);
}
