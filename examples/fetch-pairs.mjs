// Fetches the pairs of URLs that `urlmill learn plan` wrote, and writes after each pair what its pages are.
// robots.txt is obeyed.
//
//   npm install urlmill htmlparser2 robots-parser
//   urlmill learn --base https://example.org access.log -o proposals.tsv
//   urlmill learn plan --base https://example.org --rules proposals.tsv access.log -o pairs.tsv
//   node examples/fetch-pairs.mjs pairs.tsv > fetched.tsv
//   urlmill learn verdict fetched.tsv -o rules.tsv
import { readFileSync } from "node:fs";
import robotsParser from "robots-parser";
import { pageFingerprints } from "urlmill/learn";

const robots = new Map();

async function mayFetch(url) {
  const { origin } = new URL(url);
  if (!robots.has(origin)) {
    const response = await fetch(`${origin}/robots.txt`);
    robots.set(origin, robotsParser(response.url, response.ok ? await response.text() : ""));
  }
  return !robots.get(origin).isDisallowed(url);
}

/** Returns the fingerprint of the text that a reader sees, or "unknown" for what is not a page or may not be fetched. */
async function fingerprintOf(url) {
  if (!(await mayFetch(url))) return "unknown";
  const response = await fetch(url);
  return response.ok ? (await pageFingerprints(await response.text())).text : "unknown";
}

for (const line of readFileSync(process.argv[2], "utf8").trimEnd().split("\n")) {
  const [rule, , ...urls] = line.split("\t");
  const columns = [line];
  // One page after the other, so that the site has no more to do than with one reader.
  for (const url of /^\d/.test(rule) ? urls : []) columns.push(await fingerprintOf(url));
  console.log(columns.join("\t"));
}
