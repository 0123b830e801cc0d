import { UrlmillError } from "../../base/errors.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import {
  type AskedRows,
  chosenRows,
  keyedRows,
  unmarkedRows,
} from "../../fingerprints/fingerprint-rows.ts";
import { type AnswersAtOnce, inSteps, type QueuedRows, type SeenStore } from "../contract/store.ts";
import { checkPayloads } from "./enqueued.ts";
import type { FingerprintSource } from "./fingerprinter.ts";
import { type HeldBatch, HeldBatches } from "./held-batches.ts";
import { RowGroups } from "./row-groups.ts";

/** Answers batches of fingerprints from a store and from the batches that are held. Takes one call at a time. */
export class Answering {
  readonly #store: SeenStore;
  readonly #held: HeldBatches;
  /** Counts the bytes of a fingerprint. */
  readonly #width: number;

  constructor(store: SeenStore) {
    this.#store = store;
    this.#held = new HeldBatches(store.identity.bits);
    this.#width = store.identity.bits / 8;
  }

  /** Counts the URLs that are held. */
  get held(): number {
    return this.#held.size;
  }

  /** Returns what answers later. Throws `BAD_OPTION` if the store does not. */
  get queued(): QueuedRows {
    const { queued } = this.#store;
    if (queued !== undefined) return queued;
    throw new UrlmillError(
      "BAD_OPTION",
      "enqueueBatch and drain need a set on disk: SeenSet.open(disk(path), options)",
    );
  }

  /** Answers as `SeenSet.addBatch` does, and records new fingerprints. */
  async add(pieces: FingerprintSource): Promise<Uint8Array> {
    const { atOnce } = this.#store;
    if (atOnce === undefined) {
      const keyed = this.#collect(pieces);
      const others = this.#notHeld(keyed.fingerprints);
      const spread = (answers: Uint8Array): Uint8Array => keyed.spread(others.spread(answers));
      return this.#inSteps(others.fingerprints, (rows) => this.#store.add(rows), spread);
    }
    try {
      return this.#askNow(atOnce, pieces, (rows) => {
        const others = this.#notHeld(rows);
        return others.spread(atOnce.addNow(others.fingerprints));
      });
    } finally {
      await atOnce.record();
    }
  }

  /** Answers as `SeenSet.hasBatch` does. */
  async has(pieces: FingerprintSource): Promise<Uint8Array> {
    const { atOnce } = this.#store;
    if (atOnce !== undefined) {
      return this.#askNow(atOnce, pieces, (rows) => this.#orHeld(rows, atOnce.hasNow(rows)));
    }
    const keyed = this.#collect(pieces);
    const spread = (answers: Uint8Array): Uint8Array =>
      keyed.spread(this.#orHeld(keyed.fingerprints, answers));
    return this.#inSteps(keyed.fingerprints, (rows) => this.#store.has(rows), spread);
  }

  /** Answers as `add` does, and holds new fingerprints. */
  async hold(pieces: FingerprintSource): Promise<HeldBatch> {
    const keyed = this.#collect(pieces);
    const there = await this.#inSteps(keyed.fingerprints, (rows) => this.#store.has(rows));
    const others = unmarkedRows(keyed.fingerprints, there);
    const answers = this.#held.add(others.fingerprints);
    // The copy keeps only its own memory, however long it is held.
    const fresh = chosenRows(others.fingerprints, answers).slice();
    return this.#held.hold(keyed.spread(others.spread(answers)), fresh);
  }

  /** Takes URLs out of the store. Throws `BAD_OPTION` if it cannot. */
  async delete(pieces: FingerprintSource): Promise<Uint8Array> {
    const store = this.#store;
    if (store.delete === undefined) {
      throw new UrlmillError(
        "BAD_OPTION",
        "delete needs a set in memory, LMDB or Redis; of a journal or a set on disk, urlmill seen remove DIR LIST takes URLs out",
      );
    }
    const keyed = this.#collect(pieces);
    return this.#inSteps(
      keyed.fingerprints,
      (rows) => (store as Required<SeenStore>).delete(rows),
      keyed.spread,
    );
  }

  async commit(batch: HeldBatch): Promise<void> {
    const fingerprints = this.#held.fingerprintsOf(batch);
    await this.#inSteps(fingerprints, (rows) => this.#store.add(rows));
    this.#held.release(batch);
  }

  /** Releases a batch that is held, without recording it. */
  release(batch: HeldBatch): void {
    this.#held.forget(batch);
  }

  /** Takes rows to answer later. Returns the number of the first. */
  async enqueue(
    pieces: FingerprintSource,
    payloads: readonly Uint8Array[] | null,
  ): Promise<number> {
    const { fingerprints, status } = collected(pieces);
    checkPayloads(payloads, status.length);
    const keyed = keyedRows(fingerprints, status, this.#width);
    return this.queued.enqueue(keyed.fingerprints, status, payloads);
  }

  /** Asks a store that answers at once about pieces as they come, or about groups of them if that is faster. */
  #askNow(
    atOnce: AnswersAtOnce,
    pieces: FingerprintSource,
    ask: (fingerprints: Uint8Array) => Uint8Array,
  ): Uint8Array {
    const groups: RowGroups = new RowGroups(
      this.#width,
      () => atOnce.rowsAtOnce,
      (fingerprints) => {
        try {
          return ask(fingerprints);
        } catch (error) {
          throw withAnswers(error, groups.answers);
        }
      },
    );
    pieces((fingerprints, status) => groups.add(fingerprints, status));
    return groups.end();
  }

  /** Returns the rows to ask a store about. Held rows are seen, and must not be recorded. */
  #notHeld(fingerprints: Uint8Array): AskedRows {
    return unmarkedRows(fingerprints, this.#held.has(fingerprints));
  }

  /** Returns the answers, with 1 also for rows that are held. */
  #orHeld(fingerprints: Uint8Array, answers: Uint8Array): Uint8Array {
    const isHeld = this.#held.has(fingerprints);
    if (!isHeld.includes(1)) return answers;
    return answers.map((answer, row) => answer | (isHeld[row] as number));
  }

  #collect(pieces: FingerprintSource): AskedRows {
    const { fingerprints, status } = collected(pieces);
    return keyedRows(fingerprints, status, this.#width);
  }

  /**
   * Asks a store about as many rows at a time as it takes. `spread` turns the answers into those for the
   * caller's batch. After an error it does so for the rows before the error, which carries these answers.
   */
  async #inSteps(
    fingerprints: Uint8Array,
    ask: (fingerprints: Uint8Array) => Promise<Uint8Array>,
    spread?: AskedRows["spread"],
  ): Promise<Uint8Array> {
    const answers = await inSteps(this.#store, fingerprints, ask, (error, answered) =>
      withAnswers(error, spread?.(answered)),
    );
    return spread?.(answers) ?? answers;
  }
}

/** Collects the fingerprints and statuses of a batch. */
function collected(pieces: FingerprintSource): { fingerprints: Uint8Array; status: Uint8Array } {
  const all = {
    fingerprints: ByteBuilder.withRoom(1 << 14),
    status: ByteBuilder.withRoom(1 << 10),
  };
  pieces((fingerprints, status) => {
    all.fingerprints.append(fingerprints);
    all.status.append(status);
  });
  return { fingerprints: all.fingerprints.bytes(), status: all.status.bytes() };
}

function withAnswers(error: unknown, answers: Uint8Array | undefined): UrlmillError {
  const failure =
    error instanceof UrlmillError ? error : new UrlmillError("SEEN_FAILED", String(error));
  if (answers !== undefined) failure.answers = answers;
  return failure;
}
