// Crawls a site with fetch: each page once, however its links are spelled.
//
//   node examples/fetch.mjs https://example.org/
import { sameUrl } from "urlmill";
import { SeenSet } from "urlmill/seen";

const [start] = process.argv.slice(2);
const { origin } = new URL(start);

// What two spellings of one page may differ in. For a crawl that outlives the process: SeenSet.open("crawl.seen", options).
const options = { preset: "crawl", directoryIndex: true };
const seen = new SeenSet(options);
await seen.addBatch([start]);

const queue = [start];
let pages = 0;
// The loop goes on to what is added to the queue while it runs.
for (const url of queue) {
  // A link that leads nowhere does not end the crawl.
  const response = await fetch(url).catch(({ cause }) => console.error(`${url}: ${cause}`));
  if (response === undefined) continue;
  // A redirect leads to another page: it is seen now, and left out if it was seen before.
  const isOther = !sameUrl(response.url, url, options);
  if (isOther && !(await seen.add(response.url))) continue;

  const html = await response.text();
  if (response.ok) pages++;

  const hrefs = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)]
    .map(([, href]) => href.replaceAll("&amp;", "&"))
    .filter((href) => URL.canParse(href, response.url))
    .filter((href) => new URL(href, response.url).origin === origin);
  // One byte for each link: 1 is new, 0 was seen, another is not a URL.
  const answers = await seen.addBatch(hrefs, { base: response.url });
  const links = hrefs.filter((_, row) => answers[row] === 1);
  // Fetch the link as it was written: the normalized URL is the key, and no more.
  queue.push(...links.map((href) => new URL(href, response.url).href));
}

await seen.close();
console.log(`${pages} pages, ${queue.length} fetches`);
