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
 * fetched once. The options are those of `createUniqueKey`.
 *
 * The function returns false for a URL that the options refuse, such as `mailto:a@b` with preset `crawl`.
 * Crawlee then leaves it out and calls `onSkippedRequest`. Throws what `createNormalizer` throws.
 *
 * @example
 * import { transformRequest } from "urlmill/crawlee";
 * const transform = transformRequest({ preset: "crawl", directoryIndex: true });
 * transform({ url: "http://a/index.html?b&a" }).uniqueKey; // "http://a/?a&b"
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
