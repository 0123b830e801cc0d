import { type ReadBatch, readBatch, type UrlBatch } from "./batch.ts";
import {
  checkBytes,
  checkCallOptions,
  checkColumn,
  checkColumnSize,
  checkFingerprintOptions,
} from "./check-calls.ts";
import { ByteSink } from "./engine/byte-sink.ts";
import type {
  Column,
  Engine,
  Fingerprints,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  ReasonedColumn,
  RowResult,
  UrlText,
} from "./engine/engine.ts";
import { writeRow } from "./engine/js/row.ts";
import { textOf } from "./engine/strings.ts";
import { UrlmillError } from "./errors.ts";
import { type Explanation, explain } from "./explain/explain.ts";
import { firstHalves } from "./fingerprints.ts";
import { decodePlan, type LoadedPlan } from "./plan/decode.ts";
import { profileIdOf } from "./plan/profile-id.ts";
import { explainStatus, Status, type StatusCode } from "./status.ts";
import { toSurt } from "./surt.ts";
import { utf8ByteString } from "./url/bytes.ts";

export interface BatchOptions {
  /** Absolute URL that references are resolved against. */
  readonly base?: UrlText | undefined;
}

export interface FingerprintOptions extends BatchOptions {
  /** 16 bytes. Default: the normalizer's own, `fingerprintKey`. */
  readonly key?: Uint8Array;
  /** Bits of a fingerprint: 128, or 64, which are its first half. */
  readonly bits?: 128 | 64;
}

export interface TryResult {
  /** The normalized URL, or null where `status` is an error. */
  readonly url: string | null;
  readonly status: StatusCode;
}

export interface NormalizedLines {
  /** One line per line in, each ended by LF; a line with an error is empty. */
  readonly bytes: Uint8Array;
  /** One status byte per line. */
  readonly status: Uint8Array;
  readonly lines: number;
}

/**
 * Turns URLs into their canonical form. Made by `createNormalizer`; keeps no state between calls that
 * a result could depend on.
 */
export class Normalizer {
  readonly #engine: Engine;
  readonly #plan: Uint8Array;
  #loadedPlan: LoadedPlan | null = null;
  #profileId = "";
  #fingerprintKey: Uint8Array | null = null;
  #baseGiven: string | undefined;
  #baseUrl = "";

  /** @internal */
  constructor(engine: Engine, plan: Uint8Array) {
    this.#engine = engine;
    this.#plan = plan;
  }

  /**
   * A short name for everything a result depends on but the input: options, lists, versions. Store it
   * with keys that outlive the process; keys of another `profileId` do not compare.
   */
  get profileId(): string {
    this.#profileId ||= profileIdOf(this.#plan);
    return this.#profileId;
  }

  /** The key of this normalizer's fingerprints, 16 random bytes: store it where they outlive it. */
  get fingerprintKey(): Uint8Array {
    this.#fingerprintKey ??= globalThis.crypto.getRandomValues(new Uint8Array(16));
    return this.#fingerprintKey.slice();
  }

  /** The engine that runs: WebAssembly, or JavaScript with the same results. */
  get engine(): "wasm" | "js" {
    return this.#engine.name;
  }

  /**
   * The canonical form of one URL. Throws `UrlmillError` with the code and the byte offset of what is
   * wrong; `BAD_BASE` when the base is not an absolute URL.
   */
  normalize(url: UrlText, base?: UrlText): string {
    const outcome = this.#one(url, this.#resolveBase(base));
    if (outcome.error === null) return outcome.url;
    throw new UrlmillError(
      outcome.error,
      `${explainStatus(outcome.error)}: ${shorten(url)}`,
      outcome.offset,
    );
  }

  /** As `normalize`, with a status instead of an exception: nothing in `url` or `base` throws. */
  tryNormalize(url: UrlText, base?: UrlText): TryResult {
    const normalizedBase = this.#tryBase(base);
    if (normalizedBase.error !== null) return { url: null, status: Status.BAD_BASE };
    const outcome = this.#one(url, normalizedBase.url);
    if (outcome.error !== null) return { url: null, status: Status[outcome.error] };
    const isUnchanged = outcome.url === textOf(url);
    return { url: outcome.url, status: isUnchanged ? Status.UNCHANGED : Status.CHANGED };
  }

  /**
   * Normalizes strings and URL objects, of an array or anything that can be iterated. An unchanged string
   * comes back as the very same one. What is neither gets the status `NOT_A_STRING`. Throws `BAD_BATCH`
   * for anything else, and for one string.
   */
  normalizeBatch(urls: Iterable<UrlText>, options: BatchOptions = {}): NormalizedStrings {
    checkCallOptions(options);
    const rows = readBatch(urls, "strings");
    return this.#engine.normalizeStrings(rows, this.#resolveBase(options.base));
  }

  /**
   * Normalizes lines of bytes, taken as UTF-8. A line ends at LF or CR LF; the last may lack its end. A byte
   * order mark is part of its line, which is then not a URL, since bytes may be any part of a file: leave out
   * the first three bytes of a file that begins with one. Throws `BAD_BATCH` for anything but bytes.
   */
  normalizeLines(bytes: Uint8Array, options: BatchOptions = {}): NormalizedLines {
    checkBytes(bytes);
    const out = ByteSink.withRoom(bytes.length + (bytes.length >> 4) + 64);
    const status = ByteSink.withRoom(1 + (bytes.length >> 4));
    this.normalizeWindows(bytes, true, options, (window) => {
      out.append(window.output);
      status.append(window.status);
    });
    return { bytes: out.bytes(), status: status.bytes(), lines: status.length };
  }

  /**
   * Normalizes the rows of a column, taken as UTF-8. Throws `BAD_COLUMN` for anything but bytes with Int32
   * offsets that fit them.
   */
  normalizeColumn(column: Column, options: BatchOptions = {}): NormalizedColumn {
    const { data, offsets, status } = this.#column(column, options, false);
    return { data, offsets, status };
  }

  /**
   * As `normalizeColumn`, with the rules that changed each row.
   * @internal
   */
  columnReasons(column: Column, options: BatchOptions = {}): ReasonedColumn {
    return this.#column(column, options, true);
  }

  /**
   * A fingerprint of each normalized URL: SipHash-1-3 (Aumasson and Bernstein) of its bytes, with 128
   * bits of output. Equal URLs have equal fingerprints; two others have with a chance of 2^-128, or
   * 2^-64, also where somebody picks URLs who does not know the key. Bytes are lines, as
   * `normalizeLines` takes them. A row with an error gets zeros. Throws `BAD_OPTION` for a key that is not
   * a `Uint8Array` of 16 or other bits, `BAD_COLUMN` and `BAD_BATCH` as the methods for one kind of batch.
   */
  fingerprintBatch(batch: UrlBatch, options: FingerprintOptions = {}): Fingerprints {
    checkCallOptions(options);
    const { base, key = this.fingerprintKey, bits = 128 } = options;
    checkFingerprintOptions(key, bits);
    const used = { base, key, bits };
    const urls = readBatch(batch);
    const room = rowsExpected(urls);
    const fingerprints = ByteSink.withRoom(room * (bits >> 3));
    const status = ByteSink.withRoom(room);
    this.fingerprintPieces(urls, used, (piece, codes) => {
      fingerprints.append(piece);
      status.append(codes);
    });
    return { fingerprints: fingerprints.bytes(), status: status.bytes() };
  }

  /**
   * As `fingerprintBatch`, piece by piece: hands the fingerprints and status of some rows at a time to
   * `sink`. The views hold until it returns; it may call this normalizer.
   */
  fingerprintPieces(
    batch: UrlBatch,
    { base, key, bits }: BatchOptions & { readonly key: Uint8Array; readonly bits: 128 | 64 },
    sink: (fingerprints: Uint8Array, status: Uint8Array) => void,
  ): void {
    checkFingerprintOptions(key, bits);
    const urls = readBatch(batch);
    // The sink may write to the caller's.
    const ownKey = new Uint8Array(key);
    const take =
      bits === 128
        ? sink
        : (fingerprints: Uint8Array, status: Uint8Array): void =>
            sink(firstHalves(fingerprints), status);
    const baseUrl = this.#resolveBase(base);
    if (urls instanceof Uint8Array) {
      const extras = { key: ownKey, reasons: false };
      this.#engine.normalizeLines(urls, true, baseUrl, extras, ({ fingerprints, status }) =>
        take(fingerprints, status),
      );
    } else if ("offsets" in urls) {
      this.#engine.fingerprintColumn(urls, baseUrl, ownKey, take);
    } else {
      this.#engine.fingerprintStrings(urls, baseUrl, ownKey, take);
    }
  }

  /**
   * Normalizes lines as they arrive: hands them to `sink` window by window and returns the bytes it
   * took; without `final`, bytes after the last LF are left for the next call. With a `key` of 16 bytes
   * each line gets its fingerprint, with `reasons` the rules that changed it. The views of a window hold until the sink returns; it may call this
   * normalizer.
   */
  normalizeWindows(
    bytes: Uint8Array,
    final: boolean,
    options: BatchOptions & { readonly key?: Uint8Array; readonly reasons?: boolean },
    sink: (window: LineWindow) => void,
  ): number {
    checkBytes(bytes);
    checkCallOptions(options);
    const { base, key, reasons = false } = options;
    if (key !== undefined) checkFingerprintOptions(key, 128);
    // The sink may write to the caller's.
    const extras = { key: key === undefined ? null : new Uint8Array(key), reasons };
    return this.#engine.normalizeLines(bytes, final, this.#resolveBase(base), extras, sink);
  }

  /**
   * What normalizing does to a URL: each rule that changed it, in order, before and after. For an
   * error, its code and its place. Throws only for a base that is not an absolute URL.
   */
  explain(url: UrlText, base?: UrlText): Explanation {
    const normalizedBase = this.#resolveBase(base);
    const text = textOf(url);
    if (text === null) return { ...NOT_A_STRING, steps: [] };
    return explain(utf8ByteString(text), normalizedBase, this.#loadPlan());
  }

  /**
   * The same for a URL as a byte string, as engines read it.
   * @internal
   */
  explainBytes(url: string, base?: UrlText): Explanation {
    return explain(url, this.#resolveBase(base), this.#loadPlan());
  }

  /** The normalized URL in SURT form: `com,example)/path?query`. Throws as `normalize` does. */
  surt(url: UrlText, base?: UrlText): string {
    return toSurt(this.normalize(url, base));
  }

  #one(url: UrlText, base: string): RowResult {
    const text = textOf(url);
    return text === null ? NOT_A_STRING : this.#engine.normalizeOne(text, base);
  }

  #column(column: Column, options: BatchOptions, reasons: boolean): ReasonedColumn {
    checkCallOptions(options);
    checkColumn(column);
    const base = this.#resolveBase(options.base);
    const normalized = this.#engine.normalizeColumn(column, base, reasons);
    checkColumnSize(normalized.data.length);
    return normalized;
  }

  #resolveBase(base: UrlText | undefined): string {
    const outcome = this.#tryBase(base);
    if (outcome.error === null) return outcome.url;
    const message = `${explainStatus("BAD_BASE")} (${outcome.error}): ${shorten(base)}`;
    throw new UrlmillError("BAD_BASE", message, outcome.offset);
  }

  /**
   * The base in normal form, once for calls with the same one. No rule applies to it: what a trailing
   * slash or a file name means to a reference must stay.
   */
  #tryBase(given: UrlText | undefined): RowResult {
    if (given === undefined) return { url: "", error: null };
    const base = textOf(given);
    if (base === null) return NOT_A_STRING;
    if (base === this.#baseGiven) return { url: this.#baseUrl, error: null };
    const plan = { ...this.#loadPlan(), rewrites: false, siteRules: null };
    const written = writeRow(utf8ByteString(base), null, plan);
    if (typeof written !== "string") return { url: null, error: written.code, offset: written.at };
    this.#baseGiven = base;
    this.#baseUrl = written;
    return { url: written, error: null };
  }

  #loadPlan(): LoadedPlan {
    this.#loadedPlan ??= decodePlan(this.#plan);
    return this.#loadedPlan;
  }
}

/** The outcome of what is not a text. */
const NOT_A_STRING = { url: null, error: "NOT_A_STRING", offset: -1 } as const;

/** How many rows a batch has; of lines, a guess. */
function rowsExpected(urls: ReadBatch): number {
  if (urls instanceof Uint8Array) return 1 + (urls.length >> 5);
  return "offsets" in urls ? urls.offsets.length - 1 : urls.length;
}

/** A URL for a message; what is not a text is shown by its type. */
function shorten(url: unknown): string {
  const text = textOf(url) ?? (url === null ? "null" : typeof url);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
