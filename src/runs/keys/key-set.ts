import { FingerprintSet, MIN_BYTES } from "../../fingerprints/fingerprint-set.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";
import { KeyForecast, type Shortage, sayShortage } from "./key-forecast.ts";
import { addRows } from "./per-key.ts";
import { type Answers, type KeyStore, NO_ANSWERS, RowDecider } from "./row-decider.ts";
import type { RunKeys } from "./run-keys.ts";

/** The set that a decider has after it handed over its own. */
export const EMPTY_SET = new FingerprintSet({
  bits: 64,
  kernel: null,
  engine: "js",
  maxBytes: MIN_BYTES,
});

/** Keeps the keys of a run as fingerprints, and those of earlier runs if they are kept. The first rows of a key are written. */
export class KeySet extends RowDecider {
  readonly identity: SeenIdentity;
  readonly store: KeyStore | null;
  readonly #perKey: number;
  #set: FingerprintSet;
  readonly #forecast: KeyForecast;

  constructor({ identity, store, perKey, takeSet }: RunKeys) {
    super();
    this.identity = identity;
    this.store = store;
    this.#perKey = perKey;
    this.#set = takeSet();
    const warn = (shortage: Shortage): void => sayShortage(shortage, identity.bits);
    this.#forecast = new KeyForecast(this.#set.size, warn);
  }

  get size(): number {
    return this.#set.size;
  }

  /** Returns the set, and keeps no hold of it, so that its memory can be freed. Nothing is asked afterwards. */
  handOver(): FingerprintSet {
    const set = this.#set;
    this.#set = EMPTY_SET;
    return set;
  }

  async add(fingerprints: Uint8Array): Promise<Answers> {
    const before = this.#set.size;
    const { rows, fresh } = addRows(this.#set, fingerprints, this.#perKey);
    const merged = rows.length - (this.#set.size - before);
    const kept = this.store === null ? NO_ANSWERS.fresh : fresh();
    return { rows, merged, unrepeated: 0, counts: null, fresh: kept };
  }

  /**
   * Tells the set how much of the input is done, from 0 to 1, so that it grows in fewer steps. Warns once if the rest will not
   * fit.
   */
  expect(done: number): void {
    this.#forecast.expect(this.#set, done);
  }
}
