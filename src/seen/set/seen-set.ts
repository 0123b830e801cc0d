import { UrlmillError } from "../../base/errors.ts";
import { whenAborted } from "../../base/when-aborted.ts";
import type { UrlText } from "../../engine/engine.ts";
import { textOf } from "../../engine/strings.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { isIterable, type UrlBatch } from "../../normalizer/batch.ts";
import type { BatchOptions } from "../../normalizer/calls.ts";
import { checkRunOptions } from "../../normalizer/check-run-options.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { badOption, checkOptionsObject } from "../../options/options.ts";
import { expectedFalseSeen, newIdentity, type SeenRequest } from "../contract/identity.ts";
import {
  checkedStore,
  type OpenSeenStore,
  type SeenStore,
  type SeenStoreStats,
} from "../contract/store.ts";
import { journal } from "../journal/journal-store.ts";
import { LocalStore } from "../journal/local-store.ts";
import { Answering } from "./answering.ts";
import { type DrainedPiece, type EnqueueOptions, withPayloads } from "./enqueued.ts";
import {
  Fingerprinter,
  type FingerprintSource,
  type SeenCallOptions,
  type UrlStream,
} from "./fingerprinter.ts";
import type { HeldBatch } from "./held-batches.ts";
import { type PreparedSet, prepareSet, type SeenOptions } from "./seen-options.ts";

/** Holds the options of `addBatch`. */
export interface HoldOptions extends SeenCallOptions {
  /**
   * Answers without recording. New URLs are recorded when the batch is given to `commit`.
   *
   * @default false
   */
  readonly hold?: boolean;
}

/** Says how large a set is, and how sure its answers are. */
export interface SeenStats extends SeenStoreStats {
  /** Counts the URLs in the set. */
  readonly size: number;
  /**
   * Counts the URLs that were answered as new with `hold` and are not committed. `size` does not count them.
   */
  readonly held: number;
  /** Gives the number of bits that tell two URLs apart. */
  readonly bits: number;
  /**
   * Gives the expected number of new URLs that were answered as seen so far:
   * `size * (size - 1) / 2 ** (bits + 1)`.
   */
  readonly expectedFalseSeen: number;
}

/**
 * Tells whether URLs are new: normalizes them and remembers a keyed fingerprint of each. URLs with equal
 * normalized forms are one. Calls are served one by one, in the order they are made.
 *
 * @example
 * import { SeenSet } from "urlmill/seen";
 * const seen = new SeenSet({ preset: "crawl" });
 * await seen.addBatch(["http://a/x?b&a", "HTTP://A:80/x?a&b#c", "nothing"]); // Uint8Array.of(1, 0, 3)
 */
export class SeenSet {
  readonly #normalizer: Normalizer;
  readonly #fingerprinter: Fingerprinter;
  readonly #store: SeenStore;
  readonly #answering: Answering;
  /** Fulfilled when the last call is done. */
  #last: Promise<unknown> = Promise.resolve();
  /** The promise of `close`; null before `close`. */
  #closed: Promise<void> | null = null;

  /**
   * Makes a set in memory. Throws `BAD_OPTION` for an option that it does not know or cannot take,
   * and what `createNormalizer` throws.
   */
  constructor(options?: SeenOptions);
  /** @internal */
  constructor(options: SeenOptions, prepared: PreparedSet, store: SeenStore);
  constructor(options: SeenOptions = {}, prepared = prepareSet(options), store?: SeenStore) {
    // A path in their place would be lost.
    checkOptionsObject(options, "{ bits: 64 }, or call SeenSet.open(path, options)");
    this.#normalizer = prepared.normalizer;
    this.#store = store ?? openMemory(prepared.request);
    this.#fingerprinter = new Fingerprinter(prepared, this.#store.identity);
    this.#answering = new Answering(this.#store);
  }

  /**
   * Opens a set that outlives the process: a directory, which is made if it is missing, or a store such as
   * `lmdb(path)` or `redis(client, { name })`.
   *
   * Throws what the constructor throws, and `SEEN_FAILED` if the store cannot be opened. Throws
   * `SEEN_MISMATCH` if the set was made with other options, bits or another key. Throws `SEEN_CORRUPT` if it
   * is damaged or is not a set, and `SEEN_LOCKED` if another process has the directory open.
   *
   * @example
   * const seen = await SeenSet.open("opened.seen", { preset: "crawl" });
   * await seen.addBatch(["http://a/"]); // Uint8Array.of(1)
   * await seen.close(); // undefined
   */
  static async open(where: string | OpenSeenStore, options: SeenOptions = {}): Promise<SeenSet> {
    if ((typeof where !== "string" && typeof where !== "function") || where === "") {
      throw new UrlmillError(
        "BAD_INPUT",
        "SeenSet.open needs a folder or a store: SeenSet.open(path, options)",
      );
    }
    const prepared = prepareSet(options);
    const openStore = typeof where === "string" ? journal(where) : where;
    return new SeenSet(options, prepared, checkedStore(await openStore(prepared.request)));
  }

  /** Returns the name of the engine that runs: WebAssembly, or JavaScript with the same results. */
  get engine(): "wasm" | "js" {
    return this.#normalizer.engine;
  }

  /**
   * Returns a short name for everything that a normal form depends on besides the URL, as
   * `Normalizer.profileId` does.
   */
  get profileId(): string {
    return this.#normalizer.profileId;
  }

  /**
   * Returns a copy of the key of the set's fingerprints, 16 bytes. Keep it secret: anyone who knows it can
   * make the set drop a page.
   */
  get key(): Uint8Array<ArrayBuffer> {
    // A store made by others may have the key as a Buffer, whose slice is a view.
    return new Uint8Array(this.#store.identity.key);
  }

  /**
   * Adds URLs: strings, a column, or lines of bytes. Returns a byte for each: 1 if it is new, 0 if it was
   * seen before, in this batch or an earlier one. The byte is an error's number (`Status`) if the row is not
   * a URL. New URLs are recorded, in the store too, before the answer is given. The batch is read when its
   * turn comes: do not write to its memory until then.
   *
   * URLs may also come one by one, in an async iterable such as a stream, and lines of bytes in pieces, as a stream of a
   * file gives them. The set reads to the end first. If the stream fails or `signal` aborts, nothing is recorded.
   *
   * With `base`, the URL of the page that the links are on, relative links are resolved against it:
   * `""` and `"#top"` are the page itself.
   *
   * With `hold`, new URLs are answered and not recorded yet. Put them into your queue, then give the returned
   * batch to `commit`, or to `release` if the queue did not take them. If the process ends before that, they
   * are new again. Until then they are seen in this process, and new in others that share the store.
   *
   * Throws `SET_FULL` if the set has no room for all, `SEEN_FAILED` if a store does not answer, `SEEN_CLOSED`
   * after `close`, and what the normalizer throws. The error's `answers` then holds the answers for the first
   * rows, if any.
   *
   * @example
   * const page = new SeenSet({ preset: "crawl" });
   * const hrefs = ["../c", "#top", "http://a/c", "mailto:x@y.z"];
   * await page.addBatch(hrefs, { base: "http://a/b/page" }); // Uint8Array.of(1, 1, 0, 5)
   *
   * @example
   * const seen = new SeenSet();
   * const links = ["http://a/", "http://b/"];
   * const queue = [];
   * const held = await seen.addBatch(links, { hold: true });
   * queue.push(...links.filter((_, row) => held.answers[row] === 1));
   * await seen.commit(held); // undefined
   */
  addBatch(urls: UrlBatch | UrlStream, options: HoldOptions & { hold: true }): Promise<HeldBatch>;
  addBatch(
    urls: UrlBatch | UrlStream,
    options?: HoldOptions & { hold?: false },
  ): Promise<Uint8Array>;
  addBatch(urls: UrlBatch | UrlStream, options: HoldOptions): Promise<Uint8Array | HeldBatch>;
  async addBatch(
    urls: UrlBatch | UrlStream,
    given: HoldOptions = {},
  ): Promise<Uint8Array | HeldBatch> {
    const options = withBaseNow(given);
    const { hold = false } = options ?? {};
    if (typeof hold !== "boolean") throw badOption("hold", hold, "true or false");
    return this.#ask<Uint8Array | HeldBatch>(urls, options, (source) =>
      hold ? this.#answering.hold(source) : this.#answering.add(source),
    );
  }

  /**
   * Adds one URL. Returns whether it is new. Throws `UrlmillError` with the code and byte offset of the error if it is not
   * a URL, and what `addBatch` throws. For many URLs, `addBatch` takes less time.
   *
   * @example
   * const seen = new SeenSet({ preset: "crawl" });
   * await seen.add("http://a/?x&y"); // true
   * await seen.add("HTTP://A/?y&x"); // false
   * await seen.add("nothing"); // throws NO_SCHEME
   */
  async add(url: UrlText, options: SeenCallOptions = {}): Promise<boolean> {
    return this.#one(url, options, (urls) => this.addBatch(urls, options));
  }

  /**
   * Records the new URLs of a batch that was added with `hold`. If it throws, they are still held, and you
   * can call it again. A batch that is already committed stays as it is. Throws `BAD_OPTION` for a batch of
   * another set, and what `addBatch` throws.
   */
  commit(batch: HeldBatch): Promise<void> {
    return this.#turn(() => this.#answering.commit(batch));
  }

  /**
   * Releases a batch that was added with `hold`, without recording it: its URLs are new again. Call it if
   * your queue did not take them. Throws `BAD_OPTION` for a batch that is already committed or released, or
   * of another set.
   *
   * @example
   * const seen = new SeenSet();
   * const held = await seen.addBatch(["http://a/"], { hold: true });
   * await seen.release(held);
   * await seen.hasBatch(["http://a/"]); // Uint8Array.of(0)
   */
  release(batch: HeldBatch): Promise<void> {
    return this.#turn(async () => this.#answering.release(batch));
  }

  /**
   * Looks for URLs without adding them. Returns a byte for each: 1 if it is in the set, 0 if it is not, and
   * an error's number (`Status`) if it is not a URL. Throws what `addBatch` throws.
   *
   * @example
   * const seen = new SeenSet();
   * await seen.hasBatch(["http://a/", "x"]); // Uint8Array.of(0, 3)
   */
  async hasBatch(urls: UrlBatch | UrlStream, options: SeenCallOptions = {}): Promise<Uint8Array> {
    refuseHold(options);
    return this.#ask(urls, withBaseNow(options), (source) => this.#answering.has(source));
  }

  /**
   * Looks for one URL without adding it. Returns whether it is in the set. Throws what `add` throws.
   *
   * @example
   * const seen = new SeenSet();
   * await seen.has("http://a/"); // false
   */
  async has(url: UrlText, options: SeenCallOptions = {}): Promise<boolean> {
    return this.#one(url, options, (urls) => this.hasBatch(urls, options));
  }

  /**
   * Takes URLs out: they are new again. Returns a byte for each: 1 if it was in the set, 0 if it was not, and an error's number
   * (`Status`) if it is not a URL. URLs that are held stay held.
   *
   * Throws `BAD_OPTION` for a journal and a set on disk, of which `urlmill seen remove` takes URLs out, and what `addBatch`
   * throws. If it throws another error, some URLs may be out; call it again.
   *
   * @example
   * const seen = new SeenSet();
   * await seen.addBatch(["http://a/", "http://b/"]);
   * await seen.delete(["http://A", "http://c/", "x"]); // Uint8Array.of(1, 0, 3)
   * await seen.add("http://a/"); // true
   */
  async delete(urls: UrlBatch | UrlStream, options: SeenCallOptions = {}): Promise<Uint8Array> {
    refuseHold(options);
    return this.#ask(urls, withBaseNow(options), (source) => this.#answering.delete(source));
  }

  /**
   * Takes URLs to answer later, as a set on disk does (`disk`). Returns the number of the first row; the rows of all calls are
   * numbered in their order, also from one process to the next. Rows before `stats().durableRow` survive a power cut; keep the
   * others, or call `sync`.
   *
   * With `payload`, the set keeps bytes with each row and gives them back: its own text, or yours. URLs that are held do not
   * count as seen here.
   *
   * Throws `BAD_OPTION` if the store answers only at once, `BAD_INPUT` if the payload is `"url"` and the batch is not of
   * strings, and what `addBatch` throws.
   *
   * @example
   * const seen = await SeenSet.open(disk("queue.disk", { immediate: false }));
   * await seen.enqueueBatch(["http://a/", "http://A", "x"], { payload: "url" }); // 0
   * for await (const piece of seen.drain()) {
   *   piece.answers; // Uint8Array.of(1, 0, 3)
   *   piece.payloads?.length; // 3
   *   await piece.commit();
   * }
   * await seen.close(); // undefined
   */
  async enqueueBatch(urls: UrlBatch, options: EnqueueOptions = {}): Promise<number> {
    checkOptionsObject(options, "{ payload }");
    refuseHold(options);
    const { payload, ...others } = options;
    const batch = withPayloads(urls, payload);
    return this.#ask(batch.urls, withBaseNow(others), (source) =>
      this.#answering.enqueue(source, batch.payloads),
    );
  }

  /**
   * Answers the rows of `enqueueBatch`, in the order in which they came. Each piece has answers for some thousand rows. When
   * you have kept what is new, call its `commit`: pieces that were not committed come again when the set is opened next, with
   * the same row numbers and answers. A queue that skips the row numbers it has gets each new URL once.
   *
   * Throws `BAD_OPTION` if the store answers only at once, and what `addBatch` throws.
   */
  async *drain(): AsyncGenerator<DrainedPiece> {
    const { queued } = this.#answering;
    const end = await this.#turn(() => queued.answer());
    const pieces = queued.pieces(end);
    try {
      for (;;) {
        const next = await this.#turn(() => pieces.next());
        if (next.done === true) return;
        const after = next.value.row + next.value.answers.length;
        yield { ...next.value, commit: () => this.#turn(() => queued.settle(after)) };
      }
    } finally {
      await pieces.return(undefined);
    }
  }

  /** Makes all rows of `enqueueBatch` durable. Throws `BAD_OPTION` if the store answers only at once. */
  sync(): Promise<void> {
    return this.#turn(() => this.#answering.queued.sync());
  }

  /** Counts the URLs in the set. */
  size(): Promise<number> {
    return this.#turn(() => this.#store.size());
  }

  /** Says how large the set is, and how sure its answers are. */
  stats(): Promise<SeenStats> {
    return this.#turn(async () => {
      const stats = await this.#store.stats();
      const size = await this.#store.size();
      const bits = stats.bits ?? this.#store.identity.bits;
      const { held } = this.#answering;
      return { ...stats, size, held, bits, expectedFalseSeen: expectedFalseSeen(size, bits) };
    });
  }

  /**
   * Rewrites the stored set in fewer bytes, if the store can. Throws `SEEN_CORRUPT` if the copy does not hold
   * the same URLs, and `SEEN_FAILED` if the system refuses a call; then the old files stay.
   */
  compact(): Promise<void> {
    return this.#turn(async () => this.#store.compact?.());
  }

  /**
   * Waits for the calls under way, makes all URLs durable, and ends threads and store. Called again, it
   * returns when the first call does. From then on, other calls throw `SEEN_CLOSED`, and so do calls whose stream has
   * not ended.
   */
  close(): Promise<void> {
    this.#closed ??= this.#turn(async () => {
      try {
        await this.#fingerprinter.close();
      } finally {
        await this.#store.close();
      }
    });
    return this.#closed;
  }

  /** Closes the set at the end of the block of an `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Calls `answer` with the fingerprints of a batch when its turn comes. A stream has this turn when it has ended, so that
   * nothing waits for it.
   */
  async #ask<T>(
    urls: UrlBatch | UrlStream,
    options: SeenCallOptions,
    answer: (source: FingerprintSource) => Promise<T>,
  ): Promise<T> {
    checkRunOptions(options);
    const source = isStream(urls) ? await this.#read(urls, options) : null;
    return this.#turn(async () => {
      const { signal } = options;
      signal?.throwIfAborted();
      const fingerprints = source ?? (await this.#fingerprinter.ofBatch(urls as UrlBatch, options));
      signal?.throwIfAborted();
      return answer(fingerprints);
    }, options.signal);
  }

  async #read(urls: UrlStream, options: SeenCallOptions): Promise<FingerprintSource> {
    this.#checkOpen();
    return this.#fingerprinter.ofStream(urls, options, (call) => this.#turn(call));
  }

  /** Asks about one URL, and returns whether the answer is 1. Throws the error of what is not a URL. */
  async #one(
    url: UrlText,
    options: SeenCallOptions,
    ask: (urls: readonly UrlText[]) => Promise<Uint8Array>,
  ): Promise<boolean> {
    this.#checkOpen();
    checkRunOptions(options);
    refuseHold(options);
    this.#normalizer.normalize(url, options.base);
    const [answer] = await ask([textOf(url) as string]);
    return answer === 1;
  }

  #checkOpen(): void {
    if (this.#closed !== null) throw new UrlmillError("SEEN_CLOSED", "the set is closed");
  }

  /** Runs calls one after the other. An abort ends the wait for the turn; a call that has its turn hears it itself. */
  async #turn<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#checkOpen();
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const unlisten = whenAborted(signal, () => reject(signal?.reason));
      const turn = this.#last.then(() => {
        unlisten();
        return call();
      });
      this.#last = Promise.allSettled([turn]); // the caller gets the error
      turn.then(resolve, reject);
    });
  }
}

/**
 * Returns the options with the current text of a base that is a URL object. It may change before the call has
 * its turn.
 */
function withBaseNow<T extends BatchOptions>(options: T): T {
  const base = textOf(options?.base);
  return base === null ? options : { ...options, base };
}

/** Throws `BAD_OPTION` for `hold` where nothing can be held: URLs would be recorded at once. */
function refuseHold(options: object): void {
  if (Object.hasOwn(options ?? {}, "hold"))
    throw new UrlmillError("BAD_OPTION", "hold: only addBatch takes it");
}

/** Returns whether URLs come one by one, and are not there yet. */
function isStream(urls: UrlBatch | UrlStream): urls is UrlStream {
  return !isIterable(urls, Symbol.iterator) && isIterable(urls, Symbol.asyncIterator);
}

function openMemory(request: SeenRequest): SeenStore {
  const identity = newIdentity(request);
  const set = new FingerprintSet({ ...request, bits: identity.bits });
  return LocalStore.inMemory(identity, set);
}
