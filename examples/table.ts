// `npm run examples`: crawls the local site with Crawlee, by Crawlee's own key and by urlmill's, and prints what each
// found. Fails if urlmill does not find each page with one fetch, or if README.md has another table.
import { readFileSync } from "node:fs";
import { CheerioCrawler, Configuration, log, type RequestTransform } from "@crawlee/cheerio";
import { transformRequest } from "urlmill/crawlee";
import { Site } from "./site/site.ts";

const FETCH_LIMIT = 5_000;

log.setLevel(log.LEVELS.ERROR);
const site = await Site.start();

/** Crawls the site from its home page; returns the row of the table. */
async function crawl(name: string, transform?: RequestTransform): Promise<string> {
  site.reset();
  const crawler = new CheerioCrawler(
    {
      // One request at a time, so that a limited crawl stops after the same pages each time.
      maxConcurrency: 1,
      maxRequestsPerCrawl: FETCH_LIMIT,
      async requestHandler({ enqueueLinks }) {
        await enqueueLinks(transform && { transformRequestFunction: transform });
      },
    },
    new Configuration({ persistStorage: false }),
  );
  const first = transform === undefined ? { url: site.url } : transform({ url: site.url });
  if (!first) throw new Error(`${site.url} is not a URL`);
  await crawler.run([first]);
  if (site.missing.length > 0) throw new Error(`${site.missing[0]} is not a page of the site`);
  const [fetches, waste] = [site.fetches, site.waste].map((count) => count.toLocaleString("en"));
  return `| ${name} | ${site.pages} of ${site.size} | ${fetches} | ${waste} |`;
}

try {
  const rows = [
    "| 360 pages, at most 5,000 fetches | pages found | fetches | waste |",
    "|---|---:|---:|---:|",
    await crawl("Crawlee's own key"),
    await crawl(
      "urlmill as `uniqueKey`",
      transformRequest({ preset: "crawl", directoryIndex: true }),
    ),
  ];
  const table = rows.join("\n");
  console.log(table);
  const isComplete = site.pages === site.size && site.waste === 0;
  const isInReadme = readFileSync("README.md", "utf8").includes(table);
  if (!isComplete) console.error("With urlmill's key each page must be found with one fetch.");
  if (!isInReadme) console.error("README.md has another table: put this one there.");
  if (!isComplete || !isInReadme) process.exitCode = 1;
} finally {
  await site.close();
}
