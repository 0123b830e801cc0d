import { UrlmillError } from "../base/errors.ts";
import { gather } from "../base/gather.ts";
import { isError, Status } from "../base/status.ts";
import type { UrlText } from "../engine/engine.ts";
import { textOf } from "../engine/strings.ts";
import { keyedRows } from "../fingerprints/fingerprint-rows.ts";
import { JsTable } from "../fingerprints/js-table.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { badOption, checkOptionsObject, tagOf } from "../options/options.ts";
import { checkIterable, isIterable } from "./batch.ts";
import type { Normalizer } from "./normalizer.ts";

/** Bytes of a fingerprint of 128 bits. */
const WIDTH = 16;
/** How many items of an async iterable are normalized at a time, if they are there. */
const ITEMS = 4096;

/** Holds the options of `dedupe` for objects, besides those of its normalizer. */
export interface DedupeOptions<T> extends NormalizerOptions {
  /**
   * Returns the URL of an item. An item whose URL is null stays, as one whose text is not a URL; `undefined` is `BAD_INPUT`.
   *
   * @default the item itself
   */
  readonly url: (item: T) => UrlText | null;
}

/** Does what `dedupe` does. `normalizerOf` returns the normalizer of options. */
export function dedupeItems<T>(
  items: Iterable<T> | AsyncIterable<T>,
  given: Partial<DedupeOptions<T>>,
  normalizerOf: (options: NormalizerOptions) => Normalizer,
): T[] | AsyncGenerator<T, void, undefined> {
  checkIterable(items);
  checkOptionsObject(given, '{ preset: "crawl" }');
  const { url, ...options } = given;
  if (url !== undefined && typeof url !== "function") {
    throw badOption("url", url, "a function that returns the URL of an item");
  }
  const unique = new UniqueItems(normalizerOf(options), url ?? null);
  return isIterable(items, Symbol.iterator)
    ? unique.keep(Array.isArray(items) ? items : Array.from(items as Iterable<T>))
    : dedupeLater(items as AsyncIterable<T>, unique);
}

async function* dedupeLater<T>(
  items: AsyncIterable<T>,
  unique: UniqueItems<T>,
): AsyncGenerator<T, void, undefined> {
  for await (const batch of gather(items, () => 1, ITEMS)) yield* unique.keep(batch);
}

/** Tells which items are the first with their URL, by keyed fingerprints of 128 bits as a set in memory has them. */
class UniqueItems<T> {
  readonly #normalizer: Normalizer;
  readonly #urlOf: DedupeOptions<T>["url"] | null;
  readonly #options: { readonly key: Uint8Array; readonly bits: 128 };
  readonly #fingerprints = new JsTable(128);
  /** The texts that are not URLs. */
  readonly #texts = new Set<string>();
  /** Counts the items before those of this call. */
  #before = 0;

  constructor(normalizer: Normalizer, urlOf: DedupeOptions<T>["url"] | null) {
    this.#normalizer = normalizer;
    this.#urlOf = urlOf;
    this.#options = { key: normalizer.fingerprintKey, bits: 128 };
  }

  /** Returns those items of a list that are the first with their URL. */
  keep(items: readonly T[]): T[] {
    const urls = this.#urlsOf(items);
    const kept: T[] = [];
    let row = 0;
    this.#normalizer.fingerprintPieces(urls, this.#options, (fingerprints, status) => {
      for (const answer of this.#answers(fingerprints, status)) {
        const isNew = isError(answer) ? this.#isNewText(urls[row], answer, row) : answer === 1;
        if (isNew) kept.push(items[row] as T);
        row++;
      }
    });
    this.#before += items.length;
    return kept;
  }

  #urlsOf(items: readonly T[]): readonly UrlText[] {
    const urlOf = this.#urlOf;
    if (urlOf === null) return items as readonly UrlText[];
    return items.map((item) => {
      const url = urlOf(item);
      return url === null ? "" : url; // empty text is not a URL
    });
  }

  /** Returns a byte for each row: 1 if its URL is new, 0 if not, and the number of its error if it is not a URL. */
  #answers(fingerprints: Uint8Array, status: Uint8Array): Uint8Array {
    const keyed = keyedRows(fingerprints, status, WIDTH);
    const answers = this.#fingerprints.add(keyed.fingerprints);
    if (answers !== null) return keyed.spread(answers);
    const { size } = this.#fingerprints;
    throw new UrlmillError("SET_FULL", `there is no memory for more than ${size} different URLs`);
  }

  /** Returns whether a text that is not a URL is new. Two records that have no URL are two. */
  #isNewText(url: UrlText | undefined, status: number, row: number): boolean {
    if (status === Status.NOT_A_STRING) throw this.#notText(url, row);
    if (this.#urlOf !== null) return true;
    const { size } = this.#texts;
    return this.#texts.add(textOf(url) as string).size > size;
  }

  #notText(url: unknown, row: number): UrlmillError {
    const which = `${this.#urlOf === null ? "item" : "the URL of item"} ${this.#before + row}`;
    const hint = this.#urlOf === null ? "; for objects, give the option url: (item) => …" : "";
    return new UrlmillError(
      "BAD_INPUT",
      `${which} is ${tagOf(url)}, neither a string nor a URL object${hint}`,
    );
  }
}
