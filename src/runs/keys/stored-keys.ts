import type { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";
import { KeyForecast, type Shortage, sayShortage } from "./key-forecast.ts";
import { EMPTY_SET, KeySet } from "./key-set.ts";
import { addRowsAfter, type EarlierKeys } from "./per-key.ts";
import { type Answers, type KeyStore, RowDecider } from "./row-decider.ts";
import type { RunKeys } from "./run-keys.ts";

/**
 * Asks a store about keys, so that those of earlier runs are not in memory. Those of this run are: they are recorded only
 * after their rows are written.
 */
export class StoredKeys extends RowDecider {
  readonly identity: SeenIdentity;
  readonly store: KeyStore | null;
  readonly #perKey: number;
  readonly #earlier: EarlierKeys;
  /** All keys that this run has asked about. */
  #asked: FingerprintSet;
  readonly #forecast: KeyForecast;
  #size: number;

  constructor({ identity, store, perKey, sizeBefore, takeSet }: RunKeys, earlier: EarlierKeys) {
    super();
    this.identity = identity;
    this.store = store;
    this.#perKey = perKey;
    this.#earlier = earlier;
    this.#asked = takeSet();
    this.#size = sizeBefore;
    const warn = (shortage: Shortage): void => sayShortage(shortage, identity.bits);
    this.#forecast = new KeyForecast(this.#asked.size, warn);
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the set of the keys of this run, and keeps no hold of it. Nothing is asked afterwards. */
  handOver(): FingerprintSet {
    const set = this.#asked;
    this.#asked = EMPTY_SET;
    return set;
  }

  async add(fingerprints: Uint8Array): Promise<Answers> {
    const added = await addRowsAfter(this.#earlier, this.#asked, fingerprints, this.#perKey);
    const { rows } = added;
    const fresh = added.fresh();
    const written = fresh.length / (this.identity.bits / 8);
    this.#size += written;
    return { rows, merged: rows.length - written, unrepeated: 0, counts: null, fresh };
  }

  expect(done: number): void {
    this.#forecast.expect(this.#asked, done);
  }
}

/** Decides by keys of the run that are in memory; those of earlier runs may not be. */
export type HeldKeys = KeySet | StoredKeys;

export function areHeld(decider: RowDecider | null): decider is HeldKeys {
  return decider instanceof KeySet || decider instanceof StoredKeys;
}

/** Returns what decides about the rows of a run. Call it once. */
export function deciderFor(keys: RunKeys): HeldKeys {
  return keys.earlier === null ? new KeySet(keys) : new StoredKeys(keys, keys.earlier);
}
