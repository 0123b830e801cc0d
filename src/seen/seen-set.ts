import { checkFingerprintOptions, checkThreads } from "../check-calls.ts";
import { UrlmillError } from "../errors.ts";
import { createNormalizer } from "../index.ts";
import type { BatchOptions, Normalizer, UrlBatch } from "../normalizer.ts";
import { badOption, type NormalizerOptions, resolveOptions } from "../options/options.ts";
import type { Pool } from "../pool/index.ts";
import { keyedRows } from "./fingerprint-rows.ts";
import { newIdentity } from "./identity.ts";
import { journal } from "./journal/journal-store.ts";
import { FingerprintSet } from "./memory/fingerprint-set.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import type { FingerprintBits } from "./memory/table.ts";
import { expectedFalseSeen, type SeenRequest, seenRequest } from "./request.ts";
import type { OpenSeenStore, SeenStore, SeenStoreStats } from "./store.ts";

export interface SeenOptions extends NormalizerOptions {
  /** Bits of a fingerprint; 64 take half the memory. Default 128, or what a stored set has. */
  readonly bits?: FingerprintBits;
  /** 16 bytes. Default: random for a new set, its own for a stored one. */
  readonly key?: Uint8Array;
  /** Memory that fingerprints may take, in bytes. Default: three quarters of what the process may have. */
  readonly maxBytes?: number;
  /** Threads that normalize large batches. Default: 1, the calling one. */
  readonly threads?: number;
}

export interface SeenStats extends SeenStoreStats {
  /** URLs in the set. */
  readonly size: number;
  /** Bits that tell two URLs apart. */
  readonly bits: number;
  /** How many new URLs were answered "seen" so far, as can be expected: size x size / 2^(bits + 1). */
  readonly expectedFalseSeen: number;
}

/**
 * Says of URLs whether they are new: normalizes them and remembers a keyed fingerprint of each. URLs
 * with equal normalized forms are one. Calls are served one by one, in the order they are made.
 */
export class SeenSet {
  readonly #normalizer: Normalizer;
  readonly #startPool: (() => Promise<Pool>) | null;
  #pool: Pool | null = null;
  readonly #store: SeenStore;
  /** Fulfilled when the last call is done. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /**
   * A set in memory. Throws `BAD_OPTION` for an option it does not know or cannot take, and what
   * `createNormalizer` throws.
   */
  constructor(options?: SeenOptions);
  /** @internal */
  constructor(options: SeenOptions, prepared: Prepared, store: SeenStore);
  constructor(options: SeenOptions = {}, prepared = prepare(options), store?: SeenStore) {
    this.#normalizer = prepared.normalizer;
    this.#startPool = prepared.startPool;
    this.#store = store ?? openMemory(prepared.request);
  }

  /**
   * A set that outlives the process: a directory, which is made where there is none, or a store such as
   * `lmdb(path)`, `redis(client, name)`. Throws as the constructor does, `SEEN_MISMATCH` where it was
   * made with other options, bits or another key, `SEEN_CORRUPT` where it is damaged or something else,
   * `SEEN_LOCKED` where another process has the directory open.
   */
  static async open(where: string | OpenSeenStore, options: SeenOptions = {}): Promise<SeenSet> {
    const prepared = prepare(options);
    const openStore = typeof where === "string" ? journal(where) : where;
    return new SeenSet(options, prepared, await openStore(prepared.request));
  }

  /** As the normalizer's. */
  get engine(): "wasm" | "js" {
    return this.#normalizer.engine;
  }

  /** As the normalizer's. */
  get profileId(): string {
    return this.#normalizer.profileId;
  }

  /** The key of the set's fingerprints, 16 bytes. Who knows it can make a set drop a page. */
  get key(): Uint8Array {
    return this.#store.identity.key.slice();
  }

  /**
   * Adds URLs: strings, a column, or lines of bytes. Returns a byte for each: 1 where it is new, 0 where
   * it was seen before, in this batch or an earlier one, and its error's number (`Status`) where it is no
   * URL. What is answered is in the set, and where the set is stored, there.
   *
   * Throws `SET_FULL` where the set has no room for all, `SEEN_FAILED` where a store does not answer, and
   * what the normalizer throws; then `answers` of the error has those for the first rows, if any.
   */
  addBatch(urls: UrlBatch, options: BatchOptions = {}): Promise<Uint8Array> {
    return this.#answer(urls, options, (fingerprints) => this.#store.add(fingerprints));
  }

  /** As `addBatch`, and adds nothing: 1 where a URL is in the set, 0 where it is not, or its error. */
  hasBatch(urls: UrlBatch, options: BatchOptions = {}): Promise<Uint8Array> {
    return this.#answer(urls, options, (fingerprints) => this.#store.has(fingerprints));
  }

  /** URLs in the set. */
  size(): Promise<number> {
    return this.#turn(() => this.#store.size());
  }

  /** How large the set is, and how sure. */
  stats(): Promise<SeenStats> {
    return this.#turn(async () => {
      const stats = await this.#store.stats();
      const size = await this.#store.size();
      const bits = stats.bits ?? this.#store.identity.bits;
      return { ...stats, size, bits, expectedFalseSeen: expectedFalseSeen(size, bits) };
    });
  }

  /** Rewrites what is stored in fewer bytes, where a store can. */
  compact(): Promise<void> {
    return this.#turn(async () => this.#store.compact?.());
  }

  /** Makes all durable and ends threads and store, behind the calls under way. Later calls throw `SEEN_CLOSED`. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    const closed = this.#turn(async () => {
      await this.#pool?.close();
      await this.#store.close();
    });
    this.#isClosed = true;
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #answer(
    urls: UrlBatch,
    { base }: BatchOptions,
    ask: (fingerprints: Uint8Array) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    return this.#turn(async () => {
      const { key, bits } = this.#store.identity;
      const width = bits / 8;
      const options = { key, bits, ...(base !== undefined && { base }) };
      this.#pool ??= (await this.#startPool?.()) ?? null;
      const made = await (this.#pool ?? this.#normalizer).fingerprintBatch(urls, options);
      const { fingerprints, spread } = keyedRows(made.fingerprints, made.status, width);
      const answers = new Uint8Array(fingerprints.length / width);
      const step = this.#store.rowsPerCall ?? answers.length;
      for (let row = 0; row < answers.length; row += step) {
        try {
          answers.set(await ask(fingerprints.subarray(row * width, (row + step) * width)), row);
        } catch (error) {
          throw row === 0 ? error : withAnswers(error, spread(answers.subarray(0, row)));
        }
      }
      return spread(answers);
    });
  }

  /** Calls one after the other. */
  #turn<T>(call: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      return Promise.reject(new UrlmillError("SEEN_CLOSED", "the set is closed"));
    }
    const turn = this.#last.then(call);
    this.#last = turn.catch(() => {}); // whoever called hears of it
    return turn;
  }
}

/** What a set is made of, before its store. */
interface Prepared {
  readonly normalizer: Normalizer;
  /** Null where the calling thread normalizes. */
  readonly startPool: (() => Promise<Pool>) | null;
  readonly request: SeenRequest;
}

function prepare({ bits, key, maxBytes, threads = 1, ...options }: SeenOptions): Prepared {
  checkFingerprintOptions(key ?? new Uint8Array(16), bits ?? 128);
  if (maxBytes !== undefined && !(maxBytes > 0)) {
    throw badOption("maxBytes", maxBytes, "a number above 0");
  }
  const normalizer = createNormalizer(options);
  checkThreads(threads);
  const startPool = async (): Promise<Pool> => {
    const { createPool } = await import("../pool/index.ts");
    return createPool({ ...options, threads });
  };
  const request = seenRequest(normalizer, resolveOptions(options), { bits, key, maxBytes });
  return { normalizer, startPool: threads === 1 ? null : startPool, request };
}

function openMemory(request: SeenRequest): SeenStore {
  const identity = newIdentity(request);
  return new MemoryStore(identity, new FingerprintSet({ ...request, bits: identity.bits }));
}

function withAnswers(error: unknown, answers: Uint8Array): UrlmillError {
  const failure =
    error instanceof UrlmillError ? error : new UrlmillError("SEEN_FAILED", String(error));
  failure.answers = answers;
  return failure;
}
