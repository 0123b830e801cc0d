// One of several crawlers, on one machine or many, that share a queue and what they have seen in Redis. Start
// it as often as you like, with the same arguments:
//
//   npm install urlmill ioredis
//   node examples/redis.mjs https://example.org/ redis://localhost:6379
import { Redis } from "ioredis";
import { SeenSet } from "urlmill/seen";
import { redis } from "urlmill/seen/redis";

const [start, server] = process.argv.slice(2);
const { origin } = new URL(start);
const client = new Redis(server);
const QUEUE = "crawl:queue";
/** Counts URLs that are queued or being fetched: when there is none, all crawlers are done. */
const OPEN = "crawl:open";

// All crawlers take the options and the key that the first has stored with the set; other options are an error.
const options = { preset: "crawl", directoryIndex: true };
const seen = await SeenSet.open(redis(client, { name: "crawl:seen" }), options);

/** Queues those URLs that no crawler has seen. */
async function enqueue(urls, base) {
  // Counted before they are seen: nobody may find the crawl done in between.
  await client.incrby(OPEN, urls.length);
  const answers = await seen.addBatch(urls, { base });
  const added = urls.filter((_, row) => answers[row] === 1).map((url) => new URL(url, base).href);
  if (added.length > 0) await client.rpush(QUEUE, ...added);
  await client.decrby(OPEN, urls.length - added.length);
}

async function crawl(url) {
  // A link that leads nowhere does not end the crawl.
  const response = await fetch(url).catch(({ cause }) => console.error(`${url}: ${cause}`));
  if (response === undefined) return false;
  const html = await response.text();
  const hrefs = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)]
    .map(([, href]) => href.replaceAll("&amp;", "&"))
    .filter((href) => URL.canParse(href, response.url))
    .filter((href) => new URL(href, response.url).origin === origin);
  await enqueue(hrefs, response.url);
  return response.ok;
}

let [pages, fetches] = [0, 0];
await enqueue([start], start);
while (Number(await client.get(OPEN)) > 0) {
  // Waits at most a tenth of a second for a URL, because another crawler may be fetching the last page.
  const taken = await client.blpop(QUEUE, 0.1);
  if (taken === null) continue;
  fetches++;
  if (await crawl(taken[1])) pages++;
  await client.decr(OPEN);
}

await seen.close();
client.disconnect();
console.log(`${pages} pages, ${fetches} fetches`);
