// Crawls sites with Crawlee, day after day: each run fetches the start pages, and pages that no run has fetched before. A run
// that was stopped goes on where it was.
//
//   npm install urlmill @crawlee/cheerio
//   node examples/crawlee-daily.mjs crawl https://example.org/
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";
import { addUnseen, transformRequest } from "urlmill/crawlee";
import { SeenSet } from "urlmill/seen";

// The folder holds the set of all URLs so far, and the queue of the last run.
const [folder = "crawl", ...starts] = process.argv.slice(2);
const seen = await SeenSet.open(`${folder}/seen`, { preset: "crawl", directoryIndex: true });
const transform = transformRequest({ preset: "crawl", directoryIndex: true });

let pages = 0;
const crawler = new CheerioCrawler(
  {
    async requestHandler({ $, request }) {
      pages++;
      const base = request.loadedUrl ?? request.url;
      const links = $("a[href]")
        .toArray()
        .map((link) => $(link).attr("href") ?? "")
        .filter((href) => URL.canParse(href, base))
        .map((href) => new URL(href, base))
        .filter(({ origin }) => origin === new URL(base).origin)
        .map(({ href }) => transform({ url: href }))
        .filter((link) => link !== false);
      // The set records what is new after the queue has it on disk, so a run that dies loses nothing.
      await addUnseen(links, seen, (unseen) =>
        crawler.addRequests(unseen, { waitForAllRequestsToBeAdded: true }),
      );
    },
    // One process has the queue. With locks, a stopped run would go on only after minutes.
    experiments: { requestLocking: false },
  },
  new Configuration({
    purgeOnStart: false,
    storageClientOptions: { localDataDirectory: `${folder}/queue` },
  }),
);

// The queue still has the start pages of earlier runs, so those of this run need keys of their own.
await seen.addBatch(starts);
const now = new Date().toISOString();
await crawler.run(starts.map((url) => ({ url, uniqueKey: `${url} at ${now}` })));

await seen.close();
console.log(`${pages} pages`);
