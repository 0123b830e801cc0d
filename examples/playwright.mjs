// Crawls a site in Chromium: each page once, however its links are spelled.
//
//   npm install urlmill playwright-core
//   node examples/playwright.mjs https://example.org/ [/usr/bin/chromium]
import { chromium } from "playwright-core";
import { SeenSet } from "urlmill/seen";

const [start, executablePath] = process.argv.slice(2);
const { origin } = new URL(start);
const TABS = 4;

const seen = new SeenSet({ preset: "crawl", directoryIndex: true });
await seen.addBatch([start]);

const browser = await chromium.launch({ executablePath });
const context = await browser.newContext();
const tabs = await Promise.all(Array.from({ length: TABS }, () => context.newPage()));
let [pages, fetches] = [0, 0];

/** Opens a URL and returns the links on it that nobody has seen. */
async function visit(tab, url) {
  fetches++;
  // A link that leads nowhere, or to a file, does not end the crawl.
  const response = await tab
    .goto(url, { waitUntil: "domcontentloaded" })
    .catch(({ message }) => console.error(message));
  if (!response) return [];
  if (response.ok()) pages++;
  // The browser has resolved them: no base is needed.
  const found = await tab.$$eval("a[href]", (anchors) => anchors.map(({ href }) => href));
  const links = found.filter((href) => URL.canParse(href) && new URL(href).origin === origin);
  const answers = await seen.addBatch(links);
  return links.filter((_, row) => answers[row] === 1);
}

// One round for each distance from the first page.
let round = [start];
while (round.length > 0) {
  const urls = round.values();
  const found = [];
  await Promise.all(
    tabs.map(async (tab) => {
      for (const url of urls) found.push(...(await visit(tab, url)));
    }),
  );
  round = found;
}

await browser.close();
await seen.close();
console.log(`${pages} pages, ${fetches} fetches`);
