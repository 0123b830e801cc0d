import { join } from "node:path";
import { expect, test } from "vitest";
import { SMALL_SITE } from "../../examples/site/pages.ts";
import { Site } from "../../examples/site/site.ts";
import { addUnseen, transformRequest } from "../../src/crawlee/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { expectNoWaste } from "../shared/example.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// Crawlee says much about each crawl, unless this is set before it is loaded.
process.env["APIFY_LOG_LEVEL"] = "ERROR";
const { CheerioCrawler, Configuration } = await import("@crawlee/cheerio");

const OPTIONS = { preset: "crawl", directoryIndex: true } as const;

/** Crawls a site with Crawlee; what a set has seen is not fetched. */
async function crawl(site: Site, seen: SeenSet): Promise<void> {
  const transform = transformRequest(OPTIONS);
  const enqueue = async (urls: readonly string[]): Promise<void> => {
    const requests = urls.map((url) => transform({ url })).filter((request) => request !== false);
    await addUnseen(requests, seen, (unseen) =>
      crawler.addRequests(unseen, { waitForAllRequestsToBeAdded: true }),
    );
  };
  const crawler = new CheerioCrawler(
    {
      async requestHandler({ $, request }) {
        const hrefs = $("a").map((_, anchor) => $(anchor).attr("href") ?? []);
        await enqueue(hrefs.toArray().map((href) => new URL(href, request.loadedUrl).href));
      },
    },
    new Configuration({ persistStorage: false }),
  );
  await enqueue([site.url]);
  await crawler.run();
}

test("a crawl of Crawlee fetches each page once, and a later one with the same journal none", async () => {
  const folder = tempFolder();
  const site = await Site.start(SMALL_SITE);
  try {
    for (const isFirst of [true, false]) {
      await using seen = await SeenSet.open(join(folder, "crawl.seen"), OPTIONS);
      await crawl(site, seen);
      expect(await seen.stats()).toMatchObject({ size: site.size, held: 0 });
      if (isFirst) expectNoWaste(site);
      else expect(site.fetches).toBe(0);
      site.reset();
    }
  } finally {
    await site.close();
  }
});
