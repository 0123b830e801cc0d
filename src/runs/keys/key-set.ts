import { firstHalves } from "../../normalizer/fingerprints.ts";
import type { SeenIdentity } from "../../seen/identity.ts";
import type { Journal } from "../../seen/journal/journal.ts";
import { chosenRows, keyedRows } from "../../seen/memory/fingerprint-rows.ts";
import type { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import { KeyForecast, sayShortage } from "./key-forecast.ts";
import type { RunKeys } from "./run-keys.ts";

/** Holds the results for the rows of a chunk. */
export interface Answers {
  /** One byte for each row: 1 if its key is new, 0 if it is not. A row without a key has its status. */
  readonly rows: Uint8Array;
  /** The fingerprints that are new, if keys are kept after the run. */
  readonly fresh: Uint8Array;
}

/** Keeps the keys of a run as fingerprints, and those of earlier runs if they are kept. */
export class KeySet {
  readonly identity: SeenIdentity;
  /** The journal that keeps keys, or null if they are not kept. */
  readonly journal: Journal | null;
  readonly #set: FingerprintSet;
  readonly #forecast: KeyForecast;

  constructor({ identity, journal, makeSet }: RunKeys) {
    this.identity = identity;
    this.journal = journal;
    this.#set = makeSet();
    this.#forecast = new KeyForecast(this.#set, (shortage) => sayShortage(shortage, identity.bits));
  }

  /** Keys of this run and earlier ones. */
  get size(): number {
    return this.#set.size;
  }

  /** Adds the fingerprint of each row, 16 bytes. Skips rows whose status is not that of a URL. */
  insert(fingerprints: Uint8Array, status: Uint8Array): Answers {
    const { bits } = this.identity;
    const all = bits === 64 ? firstHalves(fingerprints) : fingerprints;
    const keyed = keyedRows(all, status, bits / 8);
    const { rows, fresh } = this.add(keyed.fingerprints);
    return { rows: keyed.spread(rows), fresh };
  }

  /** Adds fingerprints of the bits of the set, each of a row. */
  add(fingerprints: Uint8Array): Answers {
    const rows = this.#set.add(fingerprints);
    const fresh = this.journal === null ? new Uint8Array(0) : chosenRows(fingerprints, rows);
    return { rows, fresh };
  }

  /** Tells the set how much of the input is done, from 0 to 1, so that it grows in fewer steps. Warns once if the rest will not fit. */
  expect(done: number): void {
    this.#forecast.expect(done);
  }
}
