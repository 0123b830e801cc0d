import { chosenRows } from "../fingerprint-rows.ts";
import type { SeenIdentity } from "../identity.ts";
import type { FingerprintSet } from "../memory/fingerprint-set.ts";
import type { OpenSeenStore, SeenStore, SeenStoreStats } from "../store.ts";
import type { Fsync, Journal } from "./journal.ts";
import { openJournal } from "./open-journal.ts";

export interface JournalOptions {
  /** Default: "second". */
  readonly fsync?: Fsync;
}

/**
 * A directory that holds fingerprints, with one writer at a time, and all of them in memory while it is
 * open. `SeenSet.open(directory)` is short for it.
 */
export function journal(
  directory: string,
  { fsync = "second" }: JournalOptions = {},
): OpenSeenStore {
  return async (wanted) => {
    const { journal, set } = await openJournal(directory, wanted, fsync);
    return new JournalStore(journal, set);
  };
}

/** A journal and what it holds, in memory. */
export class JournalStore implements SeenStore {
  readonly #journal: Journal;
  readonly #set: FingerprintSet;

  constructor(journal: Journal, set: FingerprintSet) {
    this.#journal = journal;
    this.#set = set;
  }

  get identity(): SeenIdentity {
    return this.#journal.identity;
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    const answers = this.#set.add(fingerprints);
    await this.#journal.append(chosenRows(fingerprints, answers));
    return answers;
  }

  async has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#set.has(fingerprints);
  }

  async size(): Promise<number> {
    return this.#set.size;
  }

  async stats(): Promise<SeenStoreStats> {
    const { bytes } = this.#journal;
    const cut = this.#journal.cutBytes;
    return { store: "journal", memoryBytes: this.#set.bytes, storedBytes: bytes, cutBytes: cut };
  }

  compact(): Promise<void> {
    return this.#journal.compact();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
