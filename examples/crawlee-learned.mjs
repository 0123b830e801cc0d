// Crawls a site with Crawlee by learned rules: what a fetched page says of its other URLs is not fetched, as far as the
// rules trust that. For an index, URLs need not be fetched whose pages no index wants, by lines of the rules.
//
//   npm install urlmill @crawlee/cheerio htmlparser2
//   node examples/crawlee-learned.mjs rules.tsv https://example.org/
//   node examples/crawlee-learned.mjs rules.tsv https://example.org/ yes noindex,exhausted
import { readFileSync } from "node:fs";
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";
import { createUniqueKey, startRequest, transformRequest } from "urlmill/crawlee";
import { PageTrust, SkipFilter } from "urlmill/learn";

const [file, start, isTrusted = "yes", reasons = ""] = process.argv.slice(2);
const rules = readFileSync(file, "utf8");
const keys = { preset: "crawl", directoryIndex: true, rules };
const keyOf = createUniqueKey(keys);
const transform = transformRequest(keys);
const trust = new PageTrust(rules, { trust: isTrusted === "yes" });
const skips = new SkipFilter(rules, reasons === "" ? [] : reasons.split(","));

// Holds the keys of the other URLs of fetched pages.
const same = new Set();
let pages = 0;

const options = {
  // A URL may be in the queue already when a page says that it is the same.
  preNavigationHooks: [
    ({ request }) => {
      request.skipNavigation = same.has(request.uniqueKey);
    },
  ],
  async requestHandler({ body, enqueueLinks, request, response }) {
    if (request.skipNavigation) return;
    pages++;
    for (const url of await trust.sameAs(request.loadedUrl, String(body), response.headers)) {
      same.add(keyOf(url));
    }
    await enqueueLinks({
      transformRequestFunction(link) {
        const keyed = transform(link);
        if (!keyed || same.has(keyed.uniqueKey)) return false;
        return skips.why(keyed.uniqueKey) === null && keyed;
      },
    });
  },
};
const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false }));
await crawler.run([startRequest(keys)({ url: start })]);
console.log(`${pages} pages`);
