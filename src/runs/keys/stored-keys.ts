import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import type { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";
import { inSteps, type SteppedStore } from "../../seen/contract/store.ts";
import { KeyForecast, type Shortage, sayShortage } from "./key-forecast.ts";
import { EMPTY_SET, KeySet } from "./key-set.ts";
import { type Answers, type KeyStore, RowDecider } from "./row-decider.ts";
import type { RunKeys } from "./run-keys.ts";

/**
 * Asks a store about keys, so that those of earlier runs are not in memory. Those of this run are: they are recorded only
 * after their rows are written.
 */
export class StoredKeys extends RowDecider {
  readonly identity: SeenIdentity;
  readonly store: KeyStore | null;
  readonly #earlier: SteppedStore;
  /** All keys that this run has asked about. */
  #asked: FingerprintSet;
  readonly #forecast: KeyForecast;
  #size: number;

  constructor({ identity, store, sizeBefore, takeSet }: RunKeys, earlier: SteppedStore) {
    super();
    this.identity = identity;
    this.store = store;
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
    const rows = await withoutEarlier(this.#earlier, fingerprints, this.#asked.add(fingerprints));
    const fresh = chosenRows(fingerprints, rows);
    const added = fresh.length / (this.identity.bits / 8);
    this.#size += added;
    return { rows, merged: rows.length - added, unrepeated: 0, counts: null, fresh };
  }

  expect(done: number): void {
    this.#forecast.expect(this.#asked, done);
  }
}

/**
 * Asks about the rows whose answer is 1. Returns the answers, with 0 for those whose keys are there. `answers` may be
 * overwritten while the store is asked.
 */
export async function withoutEarlier(
  earlier: SteppedStore,
  fingerprints: Uint8Array,
  answers: Uint8Array,
): Promise<Uint8Array> {
  const rows = answers.slice();
  const isEarlier = await inSteps(earlier, chosenRows(fingerprints, rows), (part) =>
    earlier.has(part),
  );
  for (let row = rows.indexOf(1), first = 0; row >= 0; row = rows.indexOf(1, row + 1)) {
    if (isEarlier[first++] === 1) rows[row] = 0;
  }
  return rows;
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
