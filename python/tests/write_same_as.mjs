// Reads {rules, pages: [url, html, link]} as JSON from standard input, and writes what the Node package makes of each page.
import { PageTrust } from "../../dist/learn/index.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { rules, pages } = JSON.parse(Buffer.concat(chunks).toString());
const trust = new PageTrust(rules);
const same = pages.map(([url, html, link]) => trust.sameAs(url, html, { link }));
process.stdout.write(JSON.stringify(await Promise.all(same)));
