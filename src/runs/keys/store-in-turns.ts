import { markHandled } from "../../base/handled.ts";
import type { SeenStore, SteppedStore } from "../../seen/contract/store.ts";

/**
 * Calls a store one call at a time, as every store may expect: a run asks about rows while it records those before. A call
 * waits for the calls before it.
 */
export class StoreInTurns implements SteppedStore {
  readonly #store: SeenStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: SeenStore) {
    this.#store = store;
  }

  get identity(): SeenStore["identity"] {
    return this.#store.identity;
  }

  get rowsPerCall(): number {
    return this.#store.rowsPerCall ?? Number.POSITIVE_INFINITY;
  }

  add(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#turn(() => this.#store.add(fingerprints));
  }

  has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#turn(() => this.#store.has(fingerprints));
  }

  size(): Promise<number> {
    return this.#turn(() => this.#store.size());
  }

  close(): Promise<void> {
    return this.#turn(() => this.#store.close());
  }

  #turn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(call, call);
    this.#last = markHandled(turn); // the caller gets the error
    return turn;
  }
}
