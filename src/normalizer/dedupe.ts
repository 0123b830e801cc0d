import { UrlmillError } from "../base/errors.ts";
import { gather } from "../base/gather.ts";
import { isError } from "../base/status.ts";
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
  if (!isIterable(items, Symbol.iterator)) return dedupeLater(items as AsyncIterable<T>, unique);
  const list = [...(items as Iterable<T>)];
  return unique.keep(
    list,
    list.map((item) => unique.textOf(item)),
  );
}

async function* dedupeLater<T>(
  items: AsyncIterable<T>,
  unique: UniqueItems<T>,
): AsyncGenerator<T, void, undefined> {
  const read = (item: T) => ({ item, text: unique.textOf(item) });
  for await (const batch of gather(items, () => 1, ITEMS, read)) {
    yield* unique.keep(
      batch.map(({ item }) => item),
      batch.map(({ text }) => text),
    );
  }
}

/** Tells which items are the first with their URL, by keyed fingerprints of 128 bits as a set in memory has them. */
class UniqueItems<T> {
  readonly #normalizer: Normalizer;
  readonly #urlOf: DedupeOptions<T>["url"] | null;
  readonly #options: { readonly key: Uint8Array; readonly bits: 128 };
  readonly #fingerprints = new JsTable(128);
  /** The texts that are not URLs. */
  readonly #texts = new Set<string>();
  /** Counts the items whose text was read. */
  #read = 0;

  constructor(normalizer: Normalizer, urlOf: DedupeOptions<T>["url"] | null) {
    this.#normalizer = normalizer;
    this.#urlOf = urlOf;
    this.#options = { key: normalizer.fingerprintKey, bits: 128 };
  }

  /** Returns the text of the next item, "" for one whose URL is null. Throws `BAD_INPUT` for an item that has no text. */
  textOf(item: T): string {
    const urlOf = this.#urlOf;
    const url = urlOf === null ? item : urlOf(item);
    const text = urlOf !== null && url === null ? "" : textOf(url);
    if (text === null) throw this.#notText(url);
    this.#read++;
    return text;
  }

  /** Returns those items of a list that are the first with their URL. `texts`: what `textOf` returned for each. */
  keep(items: readonly T[], texts: readonly string[]): T[] {
    const kept: T[] = [];
    let row = 0;
    this.#normalizer.fingerprintPieces(texts, this.#options, (fingerprints, status) => {
      for (const answer of this.#answers(fingerprints, status)) {
        const isNew = isError(answer) ? this.#isNewText(texts[row] as string) : answer === 1;
        if (isNew) kept.push(items[row] as T);
        row++;
      }
    });
    return kept;
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
  #isNewText(text: string): boolean {
    if (this.#urlOf !== null) return true;
    const { size } = this.#texts;
    return this.#texts.add(text).size > size;
  }

  #notText(url: unknown): UrlmillError {
    const which = `${this.#urlOf === null ? "item" : "the URL of item"} ${this.#read}`;
    const hint = this.#urlOf === null ? "; for objects, give the option url: (item) => …" : "";
    return new UrlmillError(
      "BAD_INPUT",
      `${which} is ${tagOf(url)}, neither a string nor a URL object${hint}`,
    );
  }
}
