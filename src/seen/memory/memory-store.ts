import type { SeenIdentity } from "../identity.ts";
import type { SeenStore, SeenStoreStats } from "../store.ts";
import type { FingerprintSet } from "./fingerprint-set.ts";

/** Fingerprints that live as long as the process. */
export class MemoryStore implements SeenStore {
  readonly identity: SeenIdentity;
  readonly #set: FingerprintSet;

  constructor(identity: SeenIdentity, set: FingerprintSet) {
    this.identity = identity;
    this.#set = set;
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#set.add(fingerprints);
  }

  async has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#set.has(fingerprints);
  }

  async size(): Promise<number> {
    return this.#set.size;
  }

  async stats(): Promise<SeenStoreStats> {
    return { store: "memory", memoryBytes: this.#set.bytes };
  }

  async close(): Promise<void> {}
}
