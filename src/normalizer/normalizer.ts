import { ByteBuilder } from "../engine/byte-builder.ts";
import type {
  Column,
  ColumnResults,
  Engine,
  Fingerprints,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  RowResult,
  UrlText,
} from "../engine/engine.ts";
import type { appliedRules, Explanation, explain } from "../engine/explain/explain.ts";
import type { rowInForm, urlkeyOf, writeBase } from "../engine/js/row.ts";
import { textOf } from "../engine/strings.ts";
import type { decodePlan, LoadedPlan } from "../plan/decode/decode.ts";
import { profileIdOf } from "../plan/profile-id.ts";
import type { Rule } from "../site-rules/rule.ts";
import type { urlByteString } from "../url/bytes.ts";
import { type ReadBatch, readBatch, type UrlBatch, type UrlList } from "./batch.ts";
import {
  type BatchOptions,
  type BytesOptions,
  baseError,
  baseFailureOf,
  type ColumnOptions,
  type FingerprintOptions,
  NOT_A_STRING,
  type NormalizedLines,
  resultOf,
  type TryResult,
  urlError,
  type WindowOptions,
} from "./calls.ts";
import {
  checkBytes,
  checkCallOptions,
  checkColumn,
  checkColumnSize,
  checkFingerprintOptions,
  checkInto,
} from "./check-calls.ts";
import { firstHalves } from "./fingerprints.ts";
import type { toSurt } from "./surt.ts";

/** Holds the functions that read URLs in JavaScript. Platforms load them when they are first needed. */
export interface ReadingCode {
  readonly appliedRules: typeof appliedRules;
  readonly decodePlan: typeof decodePlan;
  readonly explain: typeof explain;
  readonly rowInForm: typeof rowInForm;
  readonly toSurt: typeof toSurt;
  readonly urlByteString: typeof urlByteString;
  readonly urlkeyOf: typeof urlkeyOf;
  readonly writeBase: typeof writeBase;
}

/**
 * Turns URLs into their canonical form (`urlmill help specification`). `createNormalizer` makes one. No result
 * depends on an earlier call.
 *
 * @example
 * import { createNormalizer } from "urlmill";
 * const n = createNormalizer();
 * n.normalize("HTTP://Example.COM:80/a/./b/../%7efoo"); // "http://example.com/a/~foo"
 */
export class Normalizer {
  readonly #engine: Engine;
  readonly #plan: Uint8Array;
  readonly #reading: () => ReadingCode;
  #loadedPlan: LoadedPlan | null = null;
  #profileId = "";
  #fingerprintKey: Uint8Array<ArrayBuffer> | null = null;
  #baseGiven: string | undefined;
  #baseUrl = "";

  /** @internal */
  constructor(engine: Engine, plan: Uint8Array, reading: () => ReadingCode) {
    this.#engine = engine;
    this.#plan = plan;
    this.#reading = reading;
  }

  /**
   * Returns a short name for everything that a result depends on besides the input: options, lists and
   * versions. Store it with keys that outlive the process: keys with different ids cannot be compared.
   */
  get profileId(): string {
    this.#profileId ||= profileIdOf(this.#plan);
    return this.#profileId;
  }

  /**
   * Returns a copy of the plan, the compiled options, for the kernel in another runtime (docs/kernel.md). A
   * kernel refuses a plan of another version, so keep the options to make it again.
   *
   * @example
   * createNormalizer({ preset: "crawl" }).plan.length % 4; // 0
   */
  get plan(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#plan);
  }

  /**
   * Returns a copy of the key of this normalizer's fingerprints: 16 bytes, random for each normalizer. Store
   * it with fingerprints that outlive the process. Without it, later fingerprints cannot be compared with
   * them.
   */
  get fingerprintKey(): Uint8Array<ArrayBuffer> {
    this.#fingerprintKey ??= globalThis.crypto.getRandomValues(new Uint8Array(16));
    return this.#fingerprintKey.slice();
  }

  /** Returns the name of the engine that runs: WebAssembly, or JavaScript with the same results. */
  get engine(): "wasm" | "js" {
    return this.#engine.name;
  }

  /**
   * Says, for people, why the engine is JavaScript: the caller asked for it, or WebAssembly does not run
   * here. Is null if the engine is WebAssembly.
   *
   * @example
   * createNormalizer({ engine: "js" }).engineReason; // 'engine "js" was asked for'
   */
  get engineReason(): string | null {
    return this.#engine.reason;
  }

  /**
   * Returns the compiled kernel, for other threads and for sets; null if the engine is JavaScript.
   *
   * @internal
   */
  get kernel(): WebAssembly.Module | null {
    return this.#engine.module;
  }

  /**
   * Returns the canonical form of one URL. Throws `UrlmillError` with the code and byte offset of the error
   * in the URL, and `BAD_BASE` if the base is not an absolute URL.
   *
   * @example
   * n.normalize("../c", "http://example.com/a/b/"); // "http://example.com/a/c"
   */
  normalize(url: UrlText, base?: UrlText): string {
    return urlOf(this.#one(url, this.#resolveBase(base)), url);
  }

  /**
   * Normalizes one URL, and returns an error as a result. Nothing in `url` or `base` makes it throw.
   *
   * @example
   * n.tryNormalize("HTTP://A"); // { ok: true, url: "http://a/", status: Status.CHANGED }
   * n.tryNormalize("a"); // { ok: false, url: null, status: 3, code: "NO_SCHEME", message: "no scheme, and no base or default scheme to read it by: a" }
   */
  tryNormalize(url: UrlText, base?: UrlText): TryResult {
    const normalizedBase = this.#tryBase(base);
    if (normalizedBase.error !== null) return baseFailureOf(normalizedBase.error, base);
    return resultOf(this.#one(url, normalizedBase.url), url);
  }

  /**
   * Normalizes strings and `URL` objects, from an array or any other iterable. An unchanged string comes back
   * as the same string. A row that is neither gets the status `NOT_A_STRING`. Throws `BAD_INPUT` for one
   * string and for anything that cannot be iterated.
   *
   * @example
   * n.normalizeBatch(["http://a", "http://b/", "x"]).urls; // ["http://a/", "http://b/", null]
   */
  normalizeBatch(urls: UrlList, options: BatchOptions = {}): NormalizedStrings {
    checkCallOptions(options);
    const rows = readBatch(urls, "strings");
    return this.#engine.normalizeStrings(rows, this.#resolveBase(options.base));
  }

  /**
   * Normalizes lines of bytes, read as UTF-8. A line ends at LF or CR LF; the last may lack its end. A byte
   * order mark is part of its line, which is then not a URL. So leave out the first three bytes of a file
   * that begins with one. Throws `BAD_INPUT` for anything but a `Uint8Array`.
   *
   * @example
   * n.normalizeLines(Buffer.from("HTTP://A\nhttp://b/\n")).status; // Uint8Array.of(1, 0)
   *
   * @example
   * const into = new Uint8Array(1 << 20);
   * n.normalizeLines(Buffer.from("HTTP://A\n"), { into }).bytes.buffer === into.buffer; // true
   */
  normalizeLines<B extends ArrayBufferLike = ArrayBuffer>(
    bytes: Uint8Array,
    options: BytesOptions<B> = {},
  ): NormalizedLines<B | ArrayBuffer> {
    checkBytes(bytes);
    checkCallOptions(options);
    const { base, into } = options;
    checkInto(into, bytes);
    const out = ByteBuilder.inside(into, bytes.length + (bytes.length >> 4) + 64);
    const status = ByteBuilder.withRoom(1 + (bytes.length >> 4));
    this.normalizeWindows(bytes, true, { base }, (window) => {
      out.append(window.output);
      status.append(window.status);
    });
    return { bytes: out.bytes(), status: status.bytes(), lines: status.length };
  }

  /**
   * Normalizes the rows of a column, read as UTF-8. Throws `BAD_COLUMN` for anything but bytes with
   * Int32 offsets that fit them, and `BATCH_TOO_LARGE` if the result is longer than 2 GiB.
   *
   * @example
   * const column = { data: Buffer.from("HTTP://Ahttp://b/"), offsets: Int32Array.of(0, 8, 17) };
   * n.normalizeColumn(column).offsets; // Int32Array.of(0, 9, 18)
   */
  normalizeColumn<B extends ArrayBufferLike = ArrayBuffer>(
    column: Column,
    options: BytesOptions<B> = {},
  ): NormalizedColumn<B | ArrayBuffer> {
    checkCallOptions(options);
    const { base, into } = options;
    const { data, offsets, status } = this.columnResults(column, { base, into });
    return { data, offsets, status };
  }

  /**
   * Normalizes the rows of a column once, with their fingerprints and the steps that changed each row, if they are
   * asked for.
   *
   * @internal
   */
  columnResults<B extends ArrayBufferLike = ArrayBuffer>(
    column: Column,
    options: ColumnOptions<B>,
  ): ColumnResults<B | ArrayBuffer> {
    const { key = null, reasons = false, into } = options;
    checkColumn(column);
    checkInto(into, column);
    const base = this.#resolveBase(options.base);
    const results = this.#engine.normalizeColumn(column, base, { key, reasons, into });
    checkColumnSize(results.data.length);
    return results;
  }

  /**
   * Returns a fingerprint of each normalized URL: SipHash-1-3 (Aumasson and Bernstein) of its bytes, with 128
   * bits of output. Equal URLs have equal fingerprints. Different URLs have equal ones with a chance of
   * 2^-128, or 2^-64 with 64 bits. That holds even if somebody who does not know the key picks the URLs. A
   * row with an error gets zeros. Bytes are lines, as `normalizeLines` takes them.
   *
   * Throws `BAD_OPTION` for a key that is not a `Uint8Array` of 16 bytes and for other sizes in bits, and
   * what the method for that kind of batch throws.
   *
   * @example
   * const { fingerprints } = n.fingerprintBatch(["http://a", "HTTP://A/"], { bits: 64 });
   * Buffer.compare(fingerprints.subarray(0, 8), fingerprints.subarray(8)); // 0
   */
  fingerprintBatch<B extends ArrayBufferLike = ArrayBuffer>(
    batch: UrlBatch,
    options: FingerprintOptions<B> = {},
  ): Fingerprints<B | ArrayBuffer> {
    checkCallOptions(options);
    const { base, key = this.fingerprintKey, bits = 128, into } = options;
    checkFingerprintOptions(key, bits);
    const used = { base, key, bits };
    const urls = readBatch(batch);
    checkInto(into, urls);
    const room = rowsExpected(urls);
    const fingerprints = ByteBuilder.inside(into, room * (bits >> 3));
    const status = ByteBuilder.withRoom(room);
    this.fingerprintPieces(urls, used, (piece, codes) => {
      fingerprints.append(piece);
      status.append(codes);
    });
    return { fingerprints: fingerprints.bytes(), status: status.bytes() };
  }

  /**
   * Hands the fingerprints and status bytes of a batch to `receive`, some rows at a time. So it takes less
   * memory than `fingerprintBatch`. The views are valid until `receive` returns; `receive` may call this
   * normalizer. Throws what `fingerprintBatch` throws.
   *
   * @example
   * const { fingerprintKey: key } = n;
   * n.fingerprintPieces(["http://a"], { key, bits: 64 }, (pieces) => console.log(pieces.length));
   */
  fingerprintPieces(
    batch: UrlBatch,
    options: BatchOptions & { readonly key: Uint8Array; readonly bits: 128 | 64 },
    receive: (fingerprints: Uint8Array, status: Uint8Array) => void,
  ): void {
    checkCallOptions(options);
    const { base, key, bits } = options;
    checkFingerprintOptions(key, bits);
    const urls = readBatch(batch);
    // A copy, because `receive` may write to the caller's key.
    const ownKey = new Uint8Array(key);
    const take =
      bits === 128
        ? receive
        : (fingerprints: Uint8Array, status: Uint8Array): void =>
            receive(firstHalves(fingerprints), status);
    const baseUrl = this.#resolveBase(base);
    if (urls instanceof Uint8Array) {
      const extras = { key: ownKey, texts: false, reasons: false };
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
   * Normalizes lines as they arrive: hands them to `receive` window by window and returns the number of bytes it
   * took. Without `final` it leaves the bytes after the last LF; give them again before the next bytes. The
   * views of a window are valid until `receive` returns; `receive` may call this normalizer. Throws what
   * `normalizeLines` throws.
   *
   * @example
   * const lines = Buffer.from("HTTP://A\nhttp://b/");
   * n.normalizeWindows(lines, false, {}, ({ output }) => console.log(output.length)); // 9
   */
  normalizeWindows(
    bytes: Uint8Array,
    final: boolean,
    options: WindowOptions,
    receive: (window: LineWindow) => void,
  ): number {
    checkBytes(bytes);
    checkCallOptions(options);
    const { base, key, texts = false, reasons = false } = options;
    if (key !== undefined) checkFingerprintOptions(key, 128);
    // A copy, because `receive` may write to the caller's key.
    const extras = { key: key === undefined ? null : new Uint8Array(key), texts, reasons };
    return this.#engine.normalizeLines(bytes, final, this.#resolveBase(base), extras, receive);
  }

  /**
   * Returns the steps that change a URL, in order, with the URL before and after each. For an error, returns
   * its code and byte offset. Throws `BAD_BASE` if the base is not an absolute URL, and no other error.
   *
   * @example
   * n.explain("HTTP://A/").steps[0].after; // "http://A/"
   */
  explain(url: UrlText, base?: UrlText): Explanation {
    const normalizedBase = this.#resolveBase(base);
    const text = textOf(url);
    if (text === null) return { ...NOT_A_STRING, steps: [] };
    const plan = this.#loadPlan();
    const { explain, urlByteString } = this.#reading();
    return explain(urlByteString(text, plan.maxLength), normalizedBase, plan);
  }

  /**
   * Explains a URL that is a byte string, as engines read it.
   *
   * @internal
   */
  explainBytes(url: string, base?: UrlText): Explanation {
    return this.#reading().explain(url, this.#resolveBase(base), this.#loadPlan());
  }

  /**
   * Returns the rules of sites that change a URL, in order. `url` is a byte string, as the options leave it.
   *
   * @internal
   */
  appliedRules(url: string): Rule[] {
    return this.#reading().appliedRules(url, this.#loadPlan());
  }

  /**
   * Returns the normalized URL in Sort-friendly URI Reordering Transform, for indexes that keep a domain
   * together. It is an output form: do not use it as a key. Throws what `normalize` throws.
   *
   * @example
   * n.surt("http://www.example.com/x?q"); // "com,example,www)/x?q"
   */
  surt(url: UrlText, base?: UrlText): string {
    return this.#reading().toSurt(this.normalize(url, base));
  }

  /**
   * Returns the key of a URL in indexes of web archives (`urlkey` of CDX and CDXJ), byte for byte as the canonicalizer of
   * the Internet Archive makes it (the package `surt` of Python). It is made of the URL as it is given. If this normalizer
   * has a base, options, rules or aliases that can change a URL, the URL is normalized first. Different pages can share a
   * key. `form`: `"urlkey-www"` keeps the `www.` of a host. Throws `UrlmillError`: `EMPTY`, `BAD_PORT`, `TOO_LONG`,
   * `BAD_OPTION` for another form, and what `normalize` throws if it comes first.
   *
   * @example
   * n.urlkey("https://WWW.Example.com/A//b/?y&x#top"); // "com,example)/a/b?x&y"
   */
  urlkey(url: UrlText, base?: UrlText, form: "urlkey" | "urlkey-www" = "urlkey"): string {
    const { urlkeyOf } = this.#reading();
    return urlOf(urlkeyOf(textOf(url), this.#resolveBase(base), form, this.#loadPlan()), url);
  }

  /**
   * Returns the template of a URL: the text that URLs of one page type share. The URL is normalized first. In the path each run
   * of decimal digits becomes `<N>`, each run of 16 or more hexadecimal digits `<H>`, and each UUID `<U>`; percent-encoded
   * triplets stay. Parameters are sorted, without values, each name once; a name that is such an id has its mark. The fragment
   * goes unless it is a route (`#/`, `#!`), which is read as a path. Different pages share a template. Throws what `normalize`
   * throws, and `TOO_LONG` for a longer template.
   *
   * @example
   * n.template("https://a.example/item/123?sort=up&page=2"); // "https://a.example/item/<N>?page&sort"
   */
  template(url: UrlText, base?: UrlText): string {
    const { rowInForm } = this.#reading();
    return urlOf(
      rowInForm(textOf(url), this.#resolveBase(base), "template", this.#loadPlan()),
      url,
    );
  }

  #one(url: UrlText, base: string): RowResult {
    const text = textOf(url);
    return text === null ? NOT_A_STRING : this.#engine.normalizeOne(text, base);
  }

  #resolveBase(base: UrlText | undefined): string {
    const outcome = this.#tryBase(base);
    if (outcome.error === null) return outcome.url;
    throw baseError(outcome.error, base, outcome.offset);
  }

  /** Returns the base in normal form, and keeps it for calls with the same base. */
  #tryBase(given: UrlText | undefined): RowResult {
    if (given === undefined) return { url: "", error: null };
    const base = textOf(given);
    if (base === null) return NOT_A_STRING;
    if (base === this.#baseGiven) return { url: this.#baseUrl, error: null };
    const written = this.#reading().writeBase(base, this.#loadPlan());
    if (typeof written !== "string") return { url: null, error: written.code, offset: written.at };
    this.#baseGiven = base;
    this.#baseUrl = written;
    return { url: written, error: null };
  }

  #loadPlan(): LoadedPlan {
    this.#loadedPlan ??= this.#reading().decodePlan(this.#plan);
    return this.#loadedPlan;
  }
}

/** Returns the result of one URL, or throws its error. */
function urlOf(outcome: RowResult, url: UrlText): string {
  if (outcome.error === null) return outcome.url;
  throw urlError(outcome.error, url, outcome.offset);
}

/** Returns how many rows a batch has; for lines, a guess. */
function rowsExpected(urls: ReadBatch): number {
  if (urls instanceof Uint8Array) return 1 + (urls.length >> 5);
  return "offsets" in urls ? urls.offsets.length - 1 : urls.length;
}
