// Asks a site which of its listed URLs are one page, and writes rules: at most 200 pages are fetched, one after the other.
// robots.txt is obeyed.
//
//   npm install urlmill htmlparser2 robots-parser
//   node examples/probe.mjs links.txt rules.tsv
import { readFileSync, writeFileSync } from "node:fs";
import robotsParser from "robots-parser";
import {
  declarations,
  learn,
  pageFingerprints,
  probe,
  SiteCollector,
  writeRules,
} from "urlmill/learn";

const [list, output, fetches = "200"] = process.argv.slice(2);
const AGENT = "urlmill-probe";
const records = readFileSync(list, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((url) => ({ url }));
const robots = new Map();

/** Returns the text of a robots.txt. If the site does not answer, everything is forbidden (RFC 9309, section 2.3.1.4). */
async function textOf(file) {
  const response = await fetch(file).catch(() => undefined);
  if (response === undefined || response.status >= 500) return "User-agent: *\nDisallow: /";
  return response.ok ? response.text() : "";
}

async function robotsOf({ origin }) {
  // What it redirects to is for this site, too.
  const file = `${origin}/robots.txt`;
  if (!robots.has(file)) robots.set(file, robotsParser(file, await textOf(file)));
  return robots.get(file);
}

/** Returns what fetching a URL tells, as a record. */
async function recordOf(url) {
  // What may not be fetched is an answer, too, so that it is not asked for again.
  if ((await robotsOf(new URL(url))).isDisallowed(url, AGENT)) return { url, status: 403 };
  const asked = fetch(url, { redirect: "manual", headers: { "user-agent": AGENT } });
  const response = await asked.catch((error) => console.error(`${url}: ${error.cause ?? error}`));
  if (response === undefined) return { url, status: 503 };
  const { status, headers } = response;
  const html = await response.text();
  if (status >= 300 && status < 400) return { url, status, redirect: headers.get("location") };
  if (!response.ok) return { url, status };
  const said = await declarations(html, url, Object.fromEntries(headers));
  return { url, status, fp: (await pageFingerprints(html)).text, ...said };
}

for (;;) {
  const collector = new SiteCollector();
  collector.add(records);
  const { urls, fetched, changing } = probe(collector.sites(), { fetches: Number(fetches) });
  if (urls.length === 0) {
    console.log(`${fetched} URLs were fetched, ${changing} pages changed when fetched again`);
    break;
  }
  for (const url of urls) records.push(await recordOf(url));
}

const { rules, trust, skips, sites } = await learn(records);
writeFileSync(output, writeRules(rules, "tsv", [...trust, ...skips]));
const removed = sites.reduce((sum, { effect }) => sum + effect.right, 0);
console.log(`${rules.length} rules, which merge ${removed} of the fetched URLs with others`);
