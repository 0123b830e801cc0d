import { chosenRows } from "./fingerprint-rows.ts";
import type { SeenIdentity } from "./identity.ts";
import type { Journal } from "./journal/journal.ts";
import type { FingerprintSet } from "./memory/fingerprint-set.ts";
import type { SeenStore, SeenStoreStats } from "./store.ts";

/** All fingerprints in this process's memory, and in a journal where they are to outlive it. */
export class LocalStore implements SeenStore {
  readonly identity: SeenIdentity;
  readonly #set: FingerprintSet;
  readonly #journal: Journal | null;
  /** Fingerprints that are in the set and not yet in the journal. */
  #unrecorded: Uint8Array[] = [];

  constructor(identity: SeenIdentity, set: FingerprintSet, journal: Journal | null) {
    this.identity = identity;
    this.#set = set;
    this.#journal = journal;
  }

  /** As `add`, but what it answers is recorded when `record` returns. The answers hold until the next call. */
  addNow(fingerprints: Uint8Array): Uint8Array {
    const answers = this.#set.add(fingerprints);
    if (this.#journal !== null) this.#unrecorded.push(chosenRows(fingerprints, answers));
    return answers;
  }

  /** Records what was added. */
  async record(): Promise<void> {
    const fingerprints = Buffer.concat(this.#unrecorded);
    this.#unrecorded = [];
    await this.#journal?.append(fingerprints);
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    const answers = this.addNow(fingerprints);
    await this.record();
    return answers;
  }

  hasNow(fingerprints: Uint8Array): Uint8Array {
    return this.#set.has(fingerprints);
  }

  async has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.hasNow(fingerprints);
  }

  async size(): Promise<number> {
    return this.#set.size;
  }

  async stats(): Promise<SeenStoreStats> {
    const memoryBytes = this.#set.bytes;
    if (this.#journal === null) return { store: "memory", memoryBytes };
    const { bytes, cutBytes } = this.#journal;
    return { store: "journal", memoryBytes, storedBytes: bytes, cutBytes };
  }

  async compact(): Promise<void> {
    await this.#journal?.compact();
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }
}
