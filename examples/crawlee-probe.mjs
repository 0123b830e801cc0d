// Asks a site which of its listed URLs are one page, with Crawlee, and writes rules. robots.txt is obeyed.
//
//   npm install urlmill @crawlee/cheerio htmlparser2
//   node examples/crawlee-probe.mjs links.txt rules.tsv
import { readFileSync, writeFileSync } from "node:fs";
import { CheerioCrawler, Configuration } from "@crawlee/cheerio";
import {
  declarations,
  learn,
  pageFingerprints,
  probe,
  SiteCollector,
  writeRules,
} from "urlmill/learn";

const [list, output, fetches = "200"] = process.argv.slice(2);
const lines = readFileSync(list, "utf8").split("\n").filter(Boolean);
const records = lines.map((url) => ({ url }));

const options = {
  respectRobotsTxtFile: true,
  maxConcurrency: 1,
  maxRequestRetries: 1,
  // An error is an answer, too, so that the URL is not asked for again. So is what may not be fetched.
  ignoreHttpErrorStatusCodes: Array.from({ length: 200 }, (_, at) => 400 + at),
  onSkippedRequest: ({ url }) => void records.push({ url, status: 403 }),
  failedRequestHandler: ({ request }) => void records.push({ url: request.url, status: 503 }),
  async requestHandler({ body, request: { url, loadedUrl }, response: { statusCode, headers } }) {
    const isMoved = loadedUrl !== url;
    // Crawlee does not say whether the redirect is permanent.
    if (isMoved) records.push({ url, status: 302, redirect: loadedUrl });
    if (statusCode >= 400) {
      records.push({ url: loadedUrl, status: statusCode });
      return;
    }
    const html = String(body);
    const said = await declarations(html, loadedUrl, headers);
    const fp = (await pageFingerprints(html)).text;
    records.push({ url: loadedUrl, status: statusCode, fp, ...said });
  },
};
const crawler = new CheerioCrawler(options, new Configuration({ persistStorage: false }));

for (;;) {
  const collector = new SiteCollector();
  collector.add(records);
  const { urls, fetched, changing } = probe(collector.sites(), { fetches: Number(fetches) });
  if (urls.length === 0) {
    console.log(`${fetched} URLs were fetched, ${changing} pages changed when fetched again`);
    break;
  }
  // Crawlee's own key would merge some of them, and leave out one that a later round asks for again.
  await crawler.run(urls.map((url) => ({ url, uniqueKey: `${fetched} ${url}` })));
}

const { rules, trust, skips } = await learn(records);
writeFileSync(output, writeRules(rules, "tsv", [...trust, ...skips]));
console.log(`${rules.length} rules`);
