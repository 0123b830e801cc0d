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

/** Returns the text of a robots.txt. If the site does not answer, everything is forbidden (RFC 9309, section 2.3.1.4). */
async function textOf(file) {
  const response = await fetch(file).catch(() => undefined);
  if (response === undefined || response.status >= 500) return "User-agent: *\nDisallow: /";
  return response.ok ? response.text() : "";
}

async function mayFetch(url) {
  // What it redirects to is for this site, too.
  const file = `${new URL(url).origin}/robots.txt`;
  if (!robots.has(file)) robots.set(file, robotsParser(file, await textOf(file)));
  return !robots.get(file).isDisallowed(url);
}

/** Returns the fingerprint of the text that a reader sees, or "unknown" for what is not a page or cannot be fetched. */
async function fingerprintOf(url) {
  if (!(await mayFetch(url))) return "unknown";
  const html = await fetch(url)
    .then((response) => (response.ok ? response.text() : undefined))
    .catch((error) => console.error(`${url}: ${error.cause ?? error}`));
  return html === undefined ? "unknown" : (await pageFingerprints(html)).text;
}

for (const line of readFileSync(process.argv[2], "utf8").trimEnd().split("\n")) {
  const [rule, , ...urls] = line.split("\t");
  const columns = [line];
  // One page after the other, so that the site has no more to do than with one reader.
  for (const url of /^\d/.test(rule) ? urls : []) columns.push(await fingerprintOf(url));
  console.log(columns.join("\t"));
}
