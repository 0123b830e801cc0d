import type { UrlText } from "./engine/engine.ts";
import type { UrlList } from "./normalizer/batch.ts";
import type { TryResult } from "./normalizer/calls.ts";
import { type DedupeOptions, dedupeItems } from "./normalizer/dedupe.ts";
import type { Normalizer } from "./normalizer/normalizer.ts";
import { keptNormalizer, prepare } from "./normalizers.ts";
import type { NormalizerOptions } from "./options/catalog.generated.ts";

export { type CallErrorCode, UrlmillError } from "./base/errors.ts";
export {
  explainStatus,
  isError,
  Status,
  type StatusCode,
  type StatusName,
  statusName,
  type UrlErrorCode,
} from "./base/status.ts";
export type {
  Column,
  Fingerprints,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  UrlText,
} from "./engine/engine.ts";
export type { ExceptedRule, ExplainedStep, Explanation } from "./engine/explain/explain.ts";
export type { KernelSource } from "./engine/wasm/kernel-module.ts";
export type { UrlBatch, UrlList } from "./normalizer/batch.ts";
export type {
  BatchOptions,
  BytesOptions,
  FingerprintOptions,
  NormalizedLines,
  TryFailure,
  TryResult,
  TrySuccess,
  WindowOptions,
} from "./normalizer/calls.ts";
export type { DedupeOptions } from "./normalizer/dedupe.ts";
export type { Normalizer } from "./normalizer/normalizer.ts";
export { loadKernel } from "./normalizers.ts";
export type {
  DefaultScheme,
  EngineChoice,
  NormalizerOptions,
  SiteOptions,
} from "./options/catalog.generated.ts";

/**
 * Creates a normalizer for the given options; without options it uses preset `safe`.
 *
 * Throws `BAD_OPTION` for an option that it does not know or cannot take. Throws `BAD_RULES` if the text in
 * `rules` is not a file of rules, and `ENGINE_UNAVAILABLE` if `engine` is `"wasm"` and WebAssembly does not
 * run.
 *
 * @example
 * const n = createNormalizer({ preset: "crawl" });
 * n.normalize("HTTP://Example.com/b?utm_source=x&a=1#top"); // "http://example.com/b?a=1"
 */
export function createNormalizer(options?: NormalizerOptions): Normalizer {
  return prepare(options).normalizer;
}

/**
 * Returns the canonical form of one URL. Options are those of `createNormalizer`; equal options are compiled once.
 * Throws `UrlmillError` with the code and byte offset of the error in the URL, and what `createNormalizer` throws.
 *
 * @example
 * import { normalize } from "urlmill";
 * normalize("HTTP://Example.com/b?utm_source=x&q=1#top", { preset: "crawl" }); // "http://example.com/b?q=1"
 */
export function normalize(url: UrlText, options?: NormalizerOptions): string {
  return keptNormalizer(options).normalize(url);
}

/**
 * Normalizes one URL, and returns an error as a result. It throws only for options, as `createNormalizer` does.
 *
 * @example
 * import { tryNormalize } from "urlmill";
 * tryNormalize("example.com").ok; // false
 */
export function tryNormalize(url: UrlText, options?: NormalizerOptions): TryResult {
  return keptNormalizer(options).tryNormalize(url);
}

/**
 * Returns whether two URLs have the same canonical form. Throws `UrlmillError` if one of them is not a URL, and what
 * `createNormalizer` throws.
 *
 * @example
 * import { sameUrl } from "urlmill";
 * sameUrl("http://a/?x&y#top", "HTTP://A/?y&x", { preset: "crawl" }); // true
 */
export function sameUrl(a: UrlText, b: UrlText, options?: NormalizerOptions): boolean {
  const normalizer = keptNormalizer(options);
  return normalizer.normalize(a) === normalizer.normalize(b);
}

/**
 * Returns the URLs of a list without repeats: of those with the same canonical form, the first stays, as it was given.
 * A text that is not a URL stays, too; repeats of the same text go. From a list comes an array, from an async iterable
 * an async iterable, which gives each URL soon after it came.
 *
 * With the option `url`, the list has objects, and `url` returns the URL of one. An object whose text is not a URL
 * stays, also if another has the same text.
 *
 * URLs are compared by fingerprints of 128 bits under a random key, so that two that differ are never taken for one.
 *
 * Throws what `createNormalizer` throws, and `BAD_INPUT` for one string, and for an item that has no text; an async
 * iterable gives the items before it first. Throws `SET_FULL` if there is no memory for the fingerprints, 24 bytes a URL.
 *
 * @example
 * import { dedupe } from "urlmill";
 * dedupe(["http://a/?x&y", "HTTP://A/?y&x", "?"], { preset: "crawl" }); // ["http://a/?x&y", "?"]
 *
 * @example
 * import { dedupe } from "urlmill";
 * const links = [{ href: "http://a", text: "one" }, { href: "http://a/", text: "two" }];
 * dedupe(links, { url: ({ href }) => href }); // [{ href: "http://a", text: "one" }]
 */
export function dedupe<T extends UrlText>(urls: UrlList<T>, options?: NormalizerOptions): T[];
export function dedupe<T>(items: UrlList<T>, options: DedupeOptions<T>): T[];
export function dedupe<T extends UrlText>(
  urls: AsyncIterable<T>,
  options?: NormalizerOptions,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  items: AsyncIterable<T>,
  options: DedupeOptions<T>,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  items: UrlList<T> | AsyncIterable<T>,
  options: Partial<DedupeOptions<T>> = {},
): T[] | AsyncGenerator<T, void, undefined> {
  return dedupeItems(items, options, keptNormalizer);
}
