import { sha256 } from "../base/sha256.ts";
import { createNormalizer } from "../index.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { checkOptionsObject } from "../options/options.ts";
import { crawleeOptions, type UniqueKeyOptions } from "./key-options.ts";
import { crawleeSpelling } from "./spelling.ts";

/** Holds the members of Crawlee's `RequestOptions` in which two requests to one URL can differ. */
export interface KeyedRequest {
  /**
   * Names the method of the request, in any case.
   *
   * @default "GET"
   */
  readonly method?: string | undefined;
  /**
   * Holds the body of the request.
   *
   * @default none
   */
  readonly payload?: string | Uint8Array | undefined;
  /**
   * Makes the fragment part of the key, unless the option `fragment` of the keys is set.
   *
   * @default false
   */
  readonly keepUrlFragment?: boolean | undefined;
  /**
   * Makes method and payload part of the key, or keeps them out of it.
   *
   * @default true for a request with a payload or a method that is not GET. Crawlee's default is false, which merges all
   * forms that are sent to one URL.
   */
  readonly useExtendedUniqueKey?: boolean | undefined;
}

/**
 * Makes the keys of Crawlee's requests from normalized URLs.
 *
 * @internal
 */
export class UniqueKeys {
  readonly #options: NormalizerOptions;
  readonly #isCrawlees: boolean;
  readonly #hasFragment: boolean;
  readonly #normalizer: Normalizer;
  #withFragment: Normalizer | null = null;

  constructor(given: UniqueKeyOptions = {}) {
    checkOptionsObject(given, '{ preset: "crawlee" }');
    const { preset = "crawl", ...options } = given;
    this.#isCrawlees = preset === "crawlee";
    this.#hasFragment = options.fragment !== undefined;
    this.#options = preset === "crawlee" ? crawleeOptions(options) : { ...options, preset };
    this.#normalizer = createNormalizer(this.#options);
  }

  /** Returns the key of a request. Throws what `Normalizer.normalize` throws. */
  keyOf(url: string, request: KeyedRequest): string {
    return this.#extend(this.#normalizerFor(request).normalize(url), request);
  }

  /** Returns the key of a request, or null if the options refuse its URL. */
  tryKeyOf(url: string, request: KeyedRequest): string | null {
    const normalized = this.#normalizerFor(request).tryNormalize(url).url;
    return normalized === null ? null : this.#extend(normalized, request);
  }

  #normalizerFor({ keepUrlFragment = false }: KeyedRequest): Normalizer {
    if (!keepUrlFragment || this.#hasFragment) return this.#normalizer;
    this.#withFragment ??= createNormalizer({ ...this.#options, fragment: "remove-empty" });
    return this.#withFragment;
  }

  #extend(normalized: string, { method, payload, useExtendedUniqueKey }: KeyedRequest): string {
    const key = this.#isCrawlees ? crawleeSpelling(normalized) : normalized;
    const verb = method?.toUpperCase() ?? "GET";
    const hasPayload = payload !== undefined && payload.length > 0;
    if (!(useExtendedUniqueKey ?? (verb !== "GET" || hasPayload))) return key;
    return `${verb}(${hasPayload ? hashPayload(payload) : ""}):${key}`;
  }
}

/** Returns the eight characters that Crawlee writes for a payload. */
function hashPayload(payload: string | Uint8Array): string {
  const digest = btoa(String.fromCharCode(...sha256(payload)));
  return digest.replaceAll("+", "").replaceAll("/", "").replaceAll("=", "").slice(0, 8);
}

/**
 * Creates a function that returns the `uniqueKey` of a request: its normalized URL. For a request with a
 * payload, or a method other than GET, it is `METHOD(hash):URL`, as Crawlee writes it with
 * `useExtendedUniqueKey`. The options are those of `createNormalizer`; `preset` is `"crawl"` if they do not
 * name one, and may be `"crawlee"`.
 *
 * Preset `crawlee` gives the same keys as Crawlee 3, character by character, so that a crawl with a stored
 * queue can move over. They differ from Crawlee's in these cases:
 *
 * - User name and password are kept; Crawlee merges pages that differ in them.
 * - Bytes of a query that are not UTF-8 are kept; Crawlee writes U+FFFD for each and merges them.
 * - A parameter after a tracker and a `;` is kept (`utm_id=x;page=2`); Crawlee drops it with the tracker and merges pages.
 * - Method and payload count; Crawlee merges such requests without `useExtendedUniqueKey`.
 * - All slashes at the end of a path are removed; Crawlee removes one.
 * - A path is written as RFC 3986 has it (`%7E` is `~`, `%e9` is `%E9`, `[` is `%5B`); Crawlee makes two keys.
 * - A scheme without `//`, such as `mailto:`, does not get it, and a final slash of its path stays.
 * - A text that is not a URL is an error; Crawlee takes the text as its key.
 *
 * Throws what `createNormalizer` throws; the function throws what `Normalizer.normalize` throws.
 *
 * @example
 * import { createUniqueKey } from "urlmill/crawlee";
 * const keyOf = createUniqueKey({ preset: "crawlee" });
 * keyOf("HTTP://www.Example.com/b/?utm_source=x&c=d e#top"); // "http://www.example.com/b?c=d+e"
 * keyOf("http://a/form", { method: "post", payload: "b=1" }); // "POST(yeLrIaJv):http://a/form"
 */
export function createUniqueKey(
  options: UniqueKeyOptions = {},
): (url: string, request?: KeyedRequest) => string {
  const keys = new UniqueKeys(options);
  return (url, request = {}) => keys.keyOf(url, request);
}

let defaultKeys: UniqueKeys | null = null;

/**
 * Returns the `uniqueKey` of a request under preset `crawl`, as the functions of `createUniqueKey` do. Throws
 * what `Normalizer.normalize` throws.
 *
 * @example
 * uniqueKey("http://a/b;jsessionid=1?d&c&gclid=2"); // "http://a/b?c&d"
 */
export function uniqueKey(url: string, request: KeyedRequest = {}): string {
  defaultKeys ??= new UniqueKeys();
  return defaultKeys.keyOf(url, request);
}
