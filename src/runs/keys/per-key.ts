import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import type { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { atPlaces, findPlaces } from "../../fingerprints/key-places.ts";
import type { SeenIdentity } from "../../seen/contract/identity.ts";
import { inSteps, type SeenStore } from "../../seen/contract/store.ts";
import { type Answers, RowDecider } from "./row-decider.ts";

/** The bytes of a fingerprint that has room for places. */
const ROW_BYTES = 16;

/** Is asked about keys of earlier runs. */
export type EarlierKeys = Pick<SeenStore, "identity" | "rowsPerCall" | "has">;

/** Holds what becomes of rows that are added to a set. */
export interface AddedRows {
  /** One byte for each row: 1 if it is written. */
  readonly rows: Uint8Array;
  /** Returns the fingerprints that the written rows have taken. */
  readonly fresh: () => Uint8Array;
  /** The place of each row among those of its key, or null if one row of each key is written. */
  readonly places: Uint32Array | null;
}

/** Adds rows to a set: the first `perKey` of each key. Throws `SET_FULL`; then none was added. */
export function addRows(set: FingerprintSet, fingerprints: Uint8Array, perKey: number): AddedRows {
  if (perKey === 1) return addedOnce(fingerprints, set.add(fingerprints));
  const rows = fingerprints.length / ROW_BYTES;
  // Where all rows have room, most are added at once: those that are the first of their key.
  if (set.size + rows > set.capacity) {
    return addedAt(set, fingerprints, placesIn(set, fingerprints, perKey, 0));
  }
  const isFirst = set.add(fingerprints).slice();
  const places = new Uint32Array(isFirst);
  const others = chosenRows(
    fingerprints,
    isFirst.map((first) => 1 - first),
  );
  const placesOfOthers = placesIn(set, others, perKey, 1);
  set.add(atPlaces(others, placesOfOthers));
  for (let row = 0, other = 0; row < rows; row++) {
    if (places[row] === 0) places[row] = placesOfOthers[other++] as number;
  }
  return { rows: written(places), fresh: () => atPlaces(fingerprints, places), places };
}

/** Finds the places of rows by a set. `known`: the places of each key that are known to be taken. */
function placesIn(
  set: FingerprintSet,
  fingerprints: Uint8Array,
  perKey: number,
  known: 0 | 1,
): Uint32Array {
  const search = findPlaces(fingerprints, perKey, known);
  let step = search.next();
  while (step.done !== true) step = search.next(set.has(step.value));
  return step.value;
}

/** Does the same where `earlier` has the keys of earlier runs. */
export async function addRowsAfter(
  earlier: EarlierKeys,
  set: FingerprintSet,
  fingerprints: Uint8Array,
  perKey: number,
): Promise<AddedRows> {
  if (perKey === 1) {
    return addedOnce(
      fingerprints,
      await withoutEarlier(earlier, fingerprints, set.add(fingerprints)),
    );
  }
  const search = findPlaces(fingerprints, perKey);
  let step = search.next();
  while (step.done !== true) {
    const isNew = set.has(step.value).map((isThere) => 1 - isThere);
    const rows = await withoutEarlier(earlier, step.value, isNew);
    step = search.next(rows.map((isWritten) => 1 - isWritten));
  }
  return addedAt(set, fingerprints, step.value);
}

function addedOnce(fingerprints: Uint8Array, rows: Uint8Array): AddedRows {
  return { rows, fresh: () => chosenRows(fingerprints, rows), places: null };
}

function addedAt(set: FingerprintSet, fingerprints: Uint8Array, places: Uint32Array): AddedRows {
  const taken = atPlaces(fingerprints, places);
  set.add(taken);
  return { rows: written(places), fresh: () => taken, places };
}

/** Returns a byte for each row: 1 if it has a place. */
function written(places: Uint32Array): Uint8Array {
  const rows = new Uint8Array(places.length);
  for (let row = 0; row < rows.length; row++) rows[row] = places[row] === 0 ? 0 : 1;
  return rows;
}

/**
 * Asks about the rows whose answer is 1. Returns the answers, with 0 for those whose keys are there. `answers` may be
 * overwritten while the store is asked.
 */
export async function withoutEarlier(
  earlier: EarlierKeys,
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

/** Takes the keys of `--exclude`: all places of them, so that no row of them is written. */
export class ExcludedKeys extends RowDecider {
  readonly store = null;
  readonly #keys: RowDecider;
  readonly #perKey: number;

  constructor(keys: RowDecider, perKey: number) {
    super();
    this.#keys = keys;
    this.#perKey = perKey;
  }

  get identity(): SeenIdentity {
    return this.#keys.identity;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** A search for places ends at the last one if that is taken. */
  async add(fingerprints: Uint8Array): Promise<Answers> {
    const rows = fingerprints.length / ROW_BYTES;
    const last = atPlaces(fingerprints, new Uint32Array(rows).fill(this.#perKey));
    await this.#keys.add(last);
    return this.#keys.add(fingerprints);
  }

  expect(done: number): void {
    this.#keys.expect(done);
  }
}
