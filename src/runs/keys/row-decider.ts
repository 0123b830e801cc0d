import { isError } from "../../base/status.ts";
import type { Column } from "../../engine/engine.ts";
import { keyedRows } from "../../fingerprints/fingerprint-rows.ts";
import { firstHalves } from "../../normalizer/fingerprints.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";

/** Holds the results for the rows of a chunk. */
export interface Answers {
  /**
   * One byte for each row: 1 if it is written, 0 if it is left out for another row of its key, LEFT_OUT if it is the only one
   * of a key that must be repeated. A row without a key has its status.
   */
  readonly rows: Uint8Array;
  /** The number of rows that are 0. */
  readonly merged: number;
  /** The number of rows that are LEFT_OUT because no other row has their key. */
  readonly unrepeated: number;
  /** The number of the rows of each key whose row is written, or null if they are not counted. */
  readonly counts: Float64Array | null;
  /** The fingerprints of the rows to write, if keys are kept after the run. */
  readonly fresh: Uint8Array;
}

/** The answers for no rows. */
export const NO_ANSWERS: Answers = {
  rows: new Uint8Array(0),
  merged: 0,
  unrepeated: 0,
  counts: null,
  fresh: new Uint8Array(0),
};

/** Keeps keys after the run. */
export interface KeyStore {
  /** Says whether keys are held until the output is in its place. Otherwise lines must be on disk before their keys. */
  readonly isHeld: boolean;
  /** Adds fingerprints that are not kept yet. When it returns, they outlive this process, unless they are held. */
  append(fingerprints: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Decides by their keys which rows of a run are written, in the order of the rows. */
export abstract class RowDecider {
  abstract readonly identity: SeenIdentity;
  /** Keeps the keys of written rows; null if they are not kept. */
  abstract readonly store: KeyStore | null;

  /** Keys of this run and earlier ones. */
  abstract readonly size: number;

  /**
   * Answers for fingerprints of the bits of the set, each of a row. `values`: the values of the rows, if rows are chosen by
   * them. Call it again only after it has answered.
   */
  abstract add(fingerprints: Uint8Array, values?: RowValues): Promise<Answers>;

  /** Takes how much of the input is done, from 0 to 1. */
  abstract expect(done: number): void;

  /** Answers for rows with a fingerprint of 16 bytes each. Skips rows whose status is not that of a URL. */
  async insert(fingerprints: Uint8Array, status: Uint8Array, values?: Column): Promise<Answers> {
    const { bits } = this.identity;
    const all = bits === 64 ? firstHalves(fingerprints) : fingerprints;
    const keyed = keyedRows(all, status, bits / 8);
    const answers = await this.add(keyed.fingerprints, values && new RowValues(values, status));
    return { ...answers, rows: keyed.spread(answers.rows) };
  }
}

/** Holds the values of the rows that have a key: texts, of which an empty one is no value. */
export class RowValues {
  readonly #data: Buffer;
  readonly #offsets: Int32Array;
  /** The place of each row among all rows. */
  readonly #rows: Int32Array;

  constructor({ data, offsets }: Column, status: Uint8Array) {
    this.#data = Buffer.from(data.buffer, data.byteOffset, data.length);
    this.#offsets = offsets;
    const rows = new Int32Array(status.length);
    let keyed = 0;
    for (let row = 0; row < status.length; row++) {
      if (!isError(status[row] as number)) rows[keyed++] = row;
    }
    this.#rows = rows;
  }

  /** Returns the value of a row, counted among those that have a key. */
  textOf(row: number): Buffer {
    const at = this.#rows[row] as number;
    return this.#data.subarray(this.#offsets[at], this.#offsets[at + 1]);
  }
}
