import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { FULL_SITE, SMALL_SITE } from "../../examples/site/pages.ts";
import { Site } from "../../examples/site/site.ts";
import { expectNoWaste, runExample } from "../shared/example.ts";
import { atLength } from "../shared/length.ts";

test("fetch.mjs finds each page with one fetch", async () => {
  const site = await Site.start(atLength(SMALL_SITE, FULL_SITE));
  try {
    expect(await runExample("fetch.mjs", site.url)).toBe(
      `${site.size} pages, ${site.size} fetches`,
    );
    expectNoWaste(site);
  } finally {
    await site.close();
  }
});

/** A site of links and of redirects, which are paths, by path and query. */
const REDIRECTING: Readonly<Record<string, string>> = {
  "/": '<a href="/old">old</a><a href="/older">older</a>',
  "/old": "/new",
  "/older": "/new",
  "/new": '<a href="/new">new</a><a href="/last?utm_source=x">last</a>',
  "/last?utm_source=x": "/last",
  "/last": '<a href="/end">end</a>',
  "/end": "<p>end</p>",
};

test("fetch.mjs takes the target of a redirect as a page that is seen", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const page = REDIRECTING[url] ?? "";
    if (page.startsWith("/")) response.writeHead(301, { location: page }).end();
    else response.end(page);
  }).listen(0, "localhost");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    expect(await runExample("fetch.mjs", `http://localhost:${port}/`)).toBe("4 pages, 5 fetches");
    // The redirect of /older leads to /new, which is not read again. /last has the key of the link to it, and is read.
    expect(asked).toEqual([
      "/",
      "/old",
      "/new",
      "/older",
      "/new",
      "/last?utm_source=x",
      "/last",
      "/end",
    ]);
  } finally {
    server.close();
  }
});
