import { planOf } from "./compile/compile.ts";
import type { UrlText } from "./engine/engine.ts";
import type { UrlList } from "./normalizer/batch.ts";
import type { TryResult } from "./normalizer/calls.ts";
import { type DedupeOptions, dedupeItems } from "./normalizer/dedupe.ts";
import { KeptNormalizers } from "./normalizer/kept-normalizers.ts";
import { Normalizer } from "./normalizer/normalizer.ts";
import type { NormalizerOptions } from "./options/catalog.generated.ts";
import { checkOptionsObject, resolveOptions } from "./options/options.ts";
import * as javascript from "./platform/javascript.ts";

export { UrlmillError } from "./base/errors.ts";
export { Status, statusName } from "./base/status.ts";
export type { Normalizer } from "./normalizer/normalizer.ts";

type JsOptions = Omit<NormalizerOptions, "engine" | "module">;

/**
 * Creates a normalizer that runs only the JavaScript engine, with the same results as `createNormalizer` from
 * `urlmill`. It never uses WebAssembly, so it runs under a content security policy without
 * `wasm-unsafe-eval`. Throws `UrlmillError` with code `BAD_OPTION` or `BAD_RULES`.
 *
 * @example
 * import { createNormalizer } from "urlmill/js";
 * createNormalizer().engine; // "js"
 */
export function createNormalizer(
  options: Omit<NormalizerOptions, "engine" | "module"> = {},
): Normalizer {
  checkOptionsObject(options, '{ preset: "crawl" }');
  const code = () => javascript;
  const plan = planOf(resolveOptions({ ...options, engine: "js" }), code);
  const engine = new javascript.JsEngine(plan, "urlmill/js has no other engine");
  return new Normalizer(engine, plan, code);
}

let kept: KeptNormalizers<JsOptions> | undefined;

function keptNormalizer(options: JsOptions = {}): Normalizer {
  kept ??= new KeptNormalizers(createNormalizer);
  return kept.get(options);
}

/**
 * Returns the canonical form of one URL, as `normalize` from `urlmill` does.
 *
 * @example
 * import { normalize } from "urlmill/js";
 * normalize("HTTP://A/#b", { preset: "crawl" }); // "http://a/"
 */
export function normalize(url: UrlText, options?: JsOptions): string {
  return keptNormalizer(options).normalize(url);
}

/**
 * Normalizes one URL, and returns an error as a result, as `tryNormalize` from `urlmill` does.
 *
 * @example
 * import { tryNormalize } from "urlmill/js";
 * tryNormalize("example.com").ok; // false
 */
export function tryNormalize(url: UrlText, options?: JsOptions): TryResult {
  return keptNormalizer(options).tryNormalize(url);
}

/**
 * Returns whether two URLs have the same canonical form, as `sameUrl` from `urlmill` does.
 *
 * @example
 * import { sameUrl } from "urlmill/js";
 * sameUrl("http://a", "HTTP://A:80/"); // true
 */
export function sameUrl(a: UrlText, b: UrlText, options?: JsOptions): boolean {
  const normalizer = keptNormalizer(options);
  return normalizer.normalize(a) === normalizer.normalize(b);
}

/**
 * Returns the URLs of a list, or objects that have one, without repeats, as `dedupe` from `urlmill` does.
 *
 * @example
 * import { dedupe } from "urlmill/js";
 * dedupe(["http://a", "HTTP://A/"]); // ["http://a"]
 */
export function dedupe<T extends UrlText>(urls: UrlList<T>, options?: JsOptions): T[];
export function dedupe<T>(
  items: UrlList<T>,
  options: Omit<DedupeOptions<T>, "engine" | "module">,
): T[];
export function dedupe<T extends UrlText>(
  urls: AsyncIterable<T>,
  options?: JsOptions,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  items: AsyncIterable<T>,
  options: Omit<DedupeOptions<T>, "engine" | "module">,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  items: UrlList<T> | AsyncIterable<T>,
  options: Omit<Partial<DedupeOptions<T>>, "engine" | "module"> = {},
): T[] | AsyncGenerator<T, void, undefined> {
  return dedupeItems(items, options, keptNormalizer);
}
