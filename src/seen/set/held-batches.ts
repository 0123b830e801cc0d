import { UrlmillError } from "../../base/errors.ts";
import { JsTable } from "../../fingerprints/js-table.ts";
import type { FingerprintBits } from "../../fingerprints/table.ts";

/**
 * Holds the answers for a batch that was added with `hold`. Its new URLs are not recorded until the batch is
 * given to `commit`.
 */
export interface HeldBatch {
  /** Holds a byte for each URL, as `SeenSet.addBatch` answers. */
  readonly answers: Uint8Array;
}

/** The most memory of a table that is kept while no batch is held, in bytes. */
const KEPT_BYTES = 1 << 20;

/** Keeps the fingerprints of batches that were answered and are not committed yet, only in memory. */
export class HeldBatches {
  readonly #bits: FingerprintBits;
  /** The new fingerprints of each held batch. */
  readonly #batches = new Map<HeldBatch, Uint8Array>();
  readonly #committed = new WeakSet<HeldBatch>();
  /** All held fingerprints, and no others: what is committed, another process may have taken out of the store. */
  #table: JsTable | null = null;

  constructor(bits: FingerprintBits) {
    this.#bits = bits;
  }

  /** Counts the URLs that are held. */
  get size(): number {
    let bytes = 0;
    for (const { length } of this.#batches.values()) bytes += length;
    return bytes / (this.#bits / 8);
  }

  /** Returns a byte for each fingerprint: 1 if it is held. */
  has(fingerprints: Uint8Array): Uint8Array {
    return this.#table?.has(fingerprints) ?? new Uint8Array(fingerprints.length / (this.#bits / 8));
  }

  /**
   * Holds those fingerprints that no batch holds yet. Returns a byte for each: 1 if it is new. Give
   * the answers to `hold`, spread over the rows of the caller's batch.
   */
  add(fingerprints: Uint8Array): Uint8Array {
    this.#table ??= new JsTable(this.#bits);
    const answers = this.#table.add(fingerprints);
    if (answers !== null) return answers;
    // Some of the fingerprints may be in the table, and would be answered as seen.
    this.#makeTable();
    throw new UrlmillError("SET_FULL", `there is no memory for more than ${this.size} held URLs`);
  }

  /** Makes a batch of the fingerprints that `add` answered as new. */
  hold(answers: Uint8Array, fresh: Uint8Array): HeldBatch {
    const batch = { answers };
    this.#batches.set(batch, fresh);
    return batch;
  }

  /**
   * Returns the new fingerprints of a batch, or an empty array if it is committed. Throws `BAD_OPTION` for a
   * batch of another set.
   */
  fingerprintsOf(batch: HeldBatch): Uint8Array {
    const fingerprints = this.#batches.get(batch);
    if (fingerprints !== undefined) return fingerprints;
    if (this.#committed.has(batch)) return new Uint8Array(0);
    throw new UrlmillError("BAD_OPTION", "commit takes a batch that this set holds");
  }

  /** Releases a batch that the store has recorded. */
  release(batch: HeldBatch): void {
    if (this.#takeOut(batch)) this.#committed.add(batch);
  }

  /** Forgets a batch: its URLs are new again. Throws `BAD_OPTION` for a batch that is not held. */
  forget(batch: HeldBatch): void {
    if (this.#takeOut(batch)) return;
    throw new UrlmillError(
      "BAD_OPTION",
      "release takes a batch that this set holds and that was not committed",
    );
  }

  /** Returns whether the batch was held. */
  #takeOut(batch: HeldBatch): boolean {
    const fingerprints = this.#batches.get(batch);
    if (fingerprints === undefined) return false;
    this.#batches.delete(batch);
    this.#table?.delete(fingerprints);
    if (this.#batches.size === 0 && (this.#table?.bytes ?? 0) > KEPT_BYTES) this.#table = null;
    return true;
  }

  /** Makes the table of the fingerprints that are held now. */
  #makeTable(): void {
    this.#table = null;
    for (const fingerprints of this.#batches.values()) this.add(fingerprints);
  }
}
