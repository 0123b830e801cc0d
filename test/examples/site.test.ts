import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOf, FULL_SITE, makePages } from "../../examples/site/pages.ts";
import { Site } from "../../examples/site/site.ts";
import { spell } from "../../examples/site/spell.ts";

const pages = makePages(FULL_SITE);
let site: Site;

beforeAll(async () => {
  site = await Site.start();
});
afterAll(() => site.close());

/** The links of a page as its HTML has them. */
async function linksAt(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href as string);
  return hrefs.filter((href) => href !== "data:,").map((href) => href.replaceAll("&amp;", "&"));
}

test("the site has 360 pages, which links lead to from the first", () => {
  const reached = new Set(["/"]);
  for (const address of reached) {
    for (const link of pages.get(address)?.links ?? []) reached.add(link);
  }
  expect(pages.size).toBe(360);
  expect([...reached].sort()).toEqual([...pages.keys()].sort());
});

test("a page answers under all spellings that links have", async () => {
  site.reset();
  const place = { origin: new URL(site.url).origin, path: "/section/1/", session: "a1b2" };
  const base = new URL(place.path, site.url);
  const addresses = ["/", "/~author7/", "/thread.php?board=2&thread=31"];
  const hrefs = addresses.flatMap((address) => {
    const page = pages.get(address);
    if (page === undefined) throw new Error(`${address} is not a page`);
    return Array.from({ length: 60 }, (_, seed) => spell(page, place, `${address} ${seed}`));
  });
  const urls = [...new Set(hrefs.map((href) => new URL(href, base).href.replace(/#.*/, "")))];
  await Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer()));
  expect(urls.length).toBeGreaterThan(100);
  expect(site.fetches).toBe(urls.length);
  expect(site.missing).toEqual([]);
  expect(site.pages).toBe(addresses.length);
  expect(site.waste).toBe(urls.length - addresses.length);
});

test("links have session ids, trackers and all other spellings", () => {
  const place = { origin: "http://localhost:8080", path: "/section/1/", session: "a1b2" };
  const hrefs = [...pages.values()].map((page) => spell(page, place, addressOf(page)));
  const spellings = {
    "a session id in the path": /;jsessionid=a1b2/,
    "a session id in the query": /PHPSESSID=a1b2/,
    "a campaign": /utm_source=/,
    "the id of a click": /gclid=|fbclid=|msclkid=|yclid=/,
    "another order of parameters": /thread=\d+&board=/,
    "a fragment": /#post/,
    "a name of a directory's file": /\/index\.(html|php)/,
    "a relative path": /^\.\.\//,
    "dot segments": /\/\.\/old\/\.\.\//,
    "a triplet that is not needed": /%7E/,
    "an empty query": /\/\?(#|$)/,
    "scheme and host in upper case, and a port with a zero": /^HTTP:\/\/LOCALHOST:08080\//,
  };
  const missing = Object.entries(spellings).filter(
    ([, form]) => !hrefs.some((href) => form.test(href)),
  );
  expect(missing).toEqual([]);
});

test("links depend on the URL that was asked for alone, and one without a session gets one", async () => {
  const url = new URL("/thread.php?thread=3&board=1", site.url).href;
  const links = await linksAt(url);
  expect(await linksAt(url)).toEqual(links);
  expect(await linksAt(`${url}&gclid=1`)).not.toEqual(links);
  const inSession = await linksAt(`${new URL("/~author3/", site.url).href}?PHPSESSID=a1b2`);
  const ids = inSession.flatMap((href) => /(?:jsessionid|PHPSESSID)=(\w+)/.exec(href)?.[1] ?? []);
  expect(new Set(ids)).toEqual(new Set(["a1b2"]));
});

test("what is not a page is counted as missing", async () => {
  site.reset();
  expect((await fetch(new URL("/none", site.url))).status).toBe(404);
  expect(site).toMatchObject({ missing: ["/none"], pages: 0, fetches: 1 });
});
