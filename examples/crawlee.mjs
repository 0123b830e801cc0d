// Crawls a site with Crawlee: each page once, however its links are spelled.
//
//   npm install urlmill @crawlee/cheerio
//   node examples/crawlee.mjs https://example.org/
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";
import { startRequest, transformRequest } from "urlmill/crawlee";

const [start] = process.argv.slice(2);

// These set the uniqueKey of a request. The URL that is fetched stays as the link has it.
const startWith = startRequest({ preset: "crawl", directoryIndex: true });
const transform = transformRequest({ preset: "crawl", directoryIndex: true });

const options = {
  async requestHandler({ enqueueLinks }) {
    await enqueueLinks({ transformRequestFunction: transform });
  },
};
const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false }));

// The first request needs its key as well, or a link to it is another request.
const { requestsFinished, requestsTotal } = await crawler.run([startWith({ url: start })]);
console.log(`${requestsFinished} pages, ${requestsTotal} fetches`);
