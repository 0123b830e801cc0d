import type { UniqueKeyOptions } from "./key-options.ts";
import { type KeyedRequest, UniqueKeys } from "./unique-key.ts";

/** Holds the members of Crawlee's `RequestOptions` that are read and written here. */
export interface CrawleeRequest extends KeyedRequest {
  /** Holds the URL to fetch. It is never changed. */
  readonly url: string;
  /** Holds the key by which Crawlee tells whether it already has the request. */
  readonly uniqueKey?: string | undefined;
}

/**
 * Creates a function for the option `transformRequestFunction` of Crawlee's `enqueueLinks`. It sets the
 * `uniqueKey` of each request and returns the request. Links that write one page in different ways are then
 * fetched once. `startRequest` does the same for the first requests. The options are those of `createUniqueKey`.
 *
 * The function returns false for a URL that the options refuse, such as `mailto:a@b` with preset `crawl`.
 * Crawlee then leaves it out and calls `onSkippedRequest`. Throws what `createNormalizer` throws.
 *
 * @example
 * import { transformRequest } from "urlmill/crawlee";
 * const transform = transformRequest({ preset: "crawl" });
 * transform({ url: "http://a/?b&a" }); // { url: "http://a/?b&a", uniqueKey: "http://a/?a&b" }
 * transform({ url: "mailto:a@b" }); // false
 */
export function transformRequest(
  options: UniqueKeyOptions = {},
): <Request extends CrawleeRequest>(
  request: Request,
) => (Request & { readonly uniqueKey: string }) | false {
  const keys = new UniqueKeys(options);
  return (request) => {
    const key = keys.tryKeyOf(request.url, request);
    return key !== null && Object.assign(request, { uniqueKey: key });
  };
}

/**
 * Creates a function that sets the `uniqueKey` of a request that starts a crawl, and returns the request. Give it the same
 * options as `transformRequest`: a link to the start page is then the same request. Throws what `createNormalizer`
 * throws.
 *
 * The function throws what `Normalizer.normalize` throws, because a crawl cannot start with a URL that the options refuse.
 *
 * @example
 * import { startRequest } from "urlmill/crawlee";
 * const start = startRequest({ preset: "crawl" });
 * start({ url: "http://a/?b&a#top" }); // { url: "http://a/?b&a#top", uniqueKey: "http://a/?a&b" }
 * start({ url: "example.com" }); // throws NO_SCHEME
 */
export function startRequest(
  options: UniqueKeyOptions = {},
): <Request extends CrawleeRequest>(request: Request) => Request & { readonly uniqueKey: string } {
  const keys = new UniqueKeys(options);
  return (request) => Object.assign(request, { uniqueKey: keys.keyOf(request.url, request) });
}
