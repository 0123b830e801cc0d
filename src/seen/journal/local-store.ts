import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import type { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { AnswersAtOnce, SeenStore, SeenStoreStats } from "../contract/store.ts";
import type { OpenJournal } from "./open-journal.ts";

/** Keeps all fingerprints in the memory of this process, and in a journal if they must outlive it. */
export class LocalStore implements SeenStore, AnswersAtOnce {
  readonly identity: SeenIdentity;
  readonly #set: FingerprintSet;
  readonly #journal: OpenJournal["journal"] | null;
  readonly #notCompacted: string | null;
  /** Left out of a journal, which only grows. */
  readonly delete?: (fingerprints: Uint8Array) => Promise<Uint8Array>;
  /** Fingerprints in the set that are not in the journal yet. */
  #unrecorded: Uint8Array[] = [];

  private constructor(identity: SeenIdentity, set: FingerprintSet, open: OpenJournal | null) {
    this.identity = identity;
    this.#set = set;
    this.#journal = open?.journal ?? null;
    this.#notCompacted = open?.notCompacted ?? null;
    if (open === null) this.delete = async (fingerprints) => set.delete(fingerprints);
  }

  static inMemory(identity: SeenIdentity, set: FingerprintSet): LocalStore {
    return new LocalStore(identity, set, null);
  }

  static inJournal(open: OpenJournal): LocalStore {
    return new LocalStore(open.journal.identity, open.set, open);
  }

  get atOnce(): AnswersAtOnce {
    return this;
  }

  get rowsAtOnce(): number {
    return this.#set.rowsAtOnce;
  }

  addNow(fingerprints: Uint8Array): Uint8Array {
    this.#journal?.checkIntact();
    const answers = this.#set.add(fingerprints);
    if (this.#journal !== null) this.#unrecorded.push(chosenRows(fingerprints, answers));
    return answers;
  }

  async record(): Promise<void> {
    if (this.#journal === null) return;
    const fingerprints = Buffer.concat(this.#unrecorded);
    this.#unrecorded = [];
    await this.#journal.append(fingerprints);
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    const answers = this.addNow(fingerprints);
    await this.record();
    return answers;
  }

  hasNow(fingerprints: Uint8Array): Uint8Array {
    this.#journal?.checkIntact();
    return this.#set.has(fingerprints);
  }

  async has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.hasNow(fingerprints);
  }

  async size(): Promise<number> {
    this.#journal?.checkIntact();
    return this.#set.size;
  }

  async stats(): Promise<SeenStoreStats> {
    const memoryBytes = this.#set.bytes;
    if (this.#journal === null) return { store: "memory", memoryBytes };
    const { bytes, cutBytes } = this.#journal;
    const stats = { store: "journal", memoryBytes, storedBytes: bytes, cutBytes };
    return this.#notCompacted === null ? stats : { ...stats, notCompacted: this.#notCompacted };
  }

  async compact(): Promise<void> {
    await this.#journal?.compact(this.#set.digest());
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }
}
