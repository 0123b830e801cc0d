import { isError } from "../base/status.ts";
import { readBatch, type UrlList } from "../normalizer/batch.ts";
import type { SeenSet } from "../seen/index.ts";
import type { CrawleeRequest } from "./transform-request.ts";

/** Holds the outcome of the requests that were given to `addUnseen`. */
export interface UnseenResult<Request> {
  /** Lists the requests that were added to the queue. */
  readonly added: readonly Request[];
  /** Lists the requests that were left out because the set has their URL. */
  readonly seen: readonly Request[];
  /** Lists the requests that were left out because the options of the set refuse their URL. */
  readonly refused: readonly Request[];
}

/**
 * Adds to a queue the requests whose URLs a set has not seen. The set may be in memory, in a journal that
 * outlives the crawl, or shared by many machines.
 *
 * The set records the URLs after `add` is fulfilled, so a process that ends before that does not lose them: they
 * are new again. If `add` rejects, its error is thrown, and the URLs are new again in this process too. Until
 * they are recorded, other processes that share the set may add them to their own queues.
 *
 * Requests with a payload, a method that is not GET, or `keepUrlFragment` are always added, because the set
 * knows only URLs. The queue tells by their `uniqueKey` whether it has them. Throws what `SeenSet.addBatch`
 * throws, so `BAD_INPUT` for one string.
 *
 * @example
 * import { SeenSet } from "urlmill/seen";
 * import { addUnseen } from "urlmill/crawlee";
 * const seen = new SeenSet({ preset: "crawl" });
 * const queue = [{ url: "http://b/" }];
 * const links = [{ url: "http://a/?b&c" }, { url: "HTTP://A/?c&b#d" }, { url: "mailto:a@b" }];
 * const { refused } = await addUnseen(links, seen, async (requests) => queue.push(...requests));
 * queue; // [{ url: "http://b/" }, { url: "http://a/?b&c" }]
 * refused; // [{ url: "mailto:a@b" }]
 */
export async function addUnseen<Request extends CrawleeRequest | string>(
  requests: UrlList<Request>,
  seen: SeenSet,
  add: (requests: Request[]) => PromiseLike<unknown>,
): Promise<UnseenResult<Request>> {
  const all = [...readBatch(requests as UrlList, "strings")] as Request[];
  const asked = all.filter(isOnlyUrl);
  const held = await seen.addBatch(asked.map(urlOf), { hold: true });
  const result = { added: [] as Request[], seen: [] as Request[], refused: [] as Request[] };
  let row = 0;
  for (const request of all) {
    const answer = isOnlyUrl(request) ? (held.answers[row++] as number) : NEW;
    if (answer === NEW) result.added.push(request);
    else if (isError(answer)) result.refused.push(request);
    else result.seen.push(request);
  }
  try {
    await add([...result.added]);
  } catch (error) {
    // The set may be closed, and then it holds nothing.
    await seen.release(held).catch(() => {});
    throw error;
  }
  await seen.commit(held);
  return result;
}

/** The answer of a set for a URL that it has not seen. */
const NEW = 1;

/** Returns whether two requests with the URL of this one are the same request. */
function isOnlyUrl(request: CrawleeRequest | string): boolean {
  if (typeof request === "string") return true;
  const { method = "GET", payload = "", keepUrlFragment = false } = request;
  return method.toUpperCase() === "GET" && payload.length === 0 && !keepUrlFragment;
}

function urlOf(request: CrawleeRequest | string): string {
  return typeof request === "string" ? request : request.url;
}
