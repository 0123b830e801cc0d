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

/** Keeps the fingerprints of batches that were answered and are not committed yet, only in memory. */
export class HeldBatches {
  readonly #bits: FingerprintBits;
  /** The new fingerprints of each held batch. */
  readonly #batches = new Map<HeldBatch, Uint8Array>();
  readonly #committed = new WeakSet<HeldBatch>();
  /**
   * All held fingerprints. It may still have some that were committed since it was made; the store has these
   * too.
   */
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

  /** Returns a byte for each fingerprint: 1 if it is held, or was. */
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
    if (!this.#batches.delete(batch)) return;
    this.#committed.add(batch);
    if ((this.#table?.size ?? 0) > 2 * this.size) this.#makeTable();
  }

  /** Forgets a batch: its URLs are new again. Throws `BAD_OPTION` for a batch that is not held. */
  forget(batch: HeldBatch): void {
    if (!this.#batches.delete(batch)) {
      throw new UrlmillError(
        "BAD_OPTION",
        "release takes a batch that this set holds and that was not committed",
      );
    }
    this.#makeTable();
  }

  /** Forgets fingerprints that were committed: the store may have them no longer. */
  forgetCommitted(): void {
    if (this.#table !== null) this.#makeTable();
  }

  /** Makes the table of the fingerprints that are held now. */
  #makeTable(): void {
    this.#table = null;
    for (const fingerprints of this.#batches.values()) this.add(fingerprints);
  }
}
