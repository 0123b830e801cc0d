import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY } from "../../site/links.mjs";
import { CHROMIUM } from "../shared/chromium.ts";
import { type ServedFolder, serveFolder } from "../shared/serve-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "build/site");
// It installs the packages of site/, and builds documents and playground into one folder.
execFileSync(process.execPath, ["site/build.mjs"], { cwd: root, stdio: "inherit" });
const PAGES = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .sort();

let served: ServedFolder;
let browser: Browser;

beforeAll(async () => {
  served = await serveFolder(folder);
  browser = await chromium.launch({ executablePath: CHROMIUM as string, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/**
 * Opens a page, hands it to `use`, and expects that it asked nobody else and logged nothing. A script whose address fits
 * `late` is withheld until `release` is called.
 */
async function withPage(
  name: string,
  use: (page: Page, release: () => void) => Promise<void>,
  late?: RegExp,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  if (late !== undefined) await page.route(late, (route) => released.then(() => route.continue()));
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(served.url) && !/^(?:blob|data):/.test(request.url()))
      complaints.push(request.url());
  });
  await page.goto(served.url + name);
  await use(page, release);
  await page.close();
  expect(complaints).toEqual([]);
}

interface PageLinks {
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/** Returns the addresses of a page's links, and the anchors that it has. */
async function linksOf(name: string): Promise<PageLinks> {
  let found: PageLinks = { links: [], ids: new Set() };
  await withPage(name, async (page) => {
    const links = await page.$$eval("a[href]", (all) =>
      all.map((a) => (a as HTMLAnchorElement).href),
    );
    const ids = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
    found = { links, ids: new Set(ids) };
  });
  return found;
}

/** Says whether a link leads to nothing: to no page or anchor of the site, or to no file of the repository. */
function isBroken(link: string, pages: ReadonlyMap<string, PageLinks>): boolean {
  const { origin, pathname, hash } = new URL(link);
  if (link.startsWith(`${REPOSITORY}/`)) {
    return !existsSync(join(root, pathname.replace(/^\/urlmill\/urlmill\/blob\/main\//, "")));
  }
  if (!served.url.startsWith(origin)) return false;
  const name = pathname.slice(1).replace(/(^|\/)$/, "$1index.html");
  if (!existsSync(join(folder, name))) return true;
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor !== "" && pages.has(name) && !pages.get(name)?.ids.has(anchor);
}

test("the site has a page for each document, and the playground", () => {
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
  expect(PAGES).toEqual([...documents, "playground/index.html"].sort());
});

test("each link of each page opens", async () => {
  const pages = new Map<string, PageLinks>();
  for (const name of PAGES) pages.set(name, await linksOf(name));
  const broken = [...pages].flatMap(([name, { links }]) =>
    links.filter((link) => isBroken(link, pages)).map((link) => `${name}: ${link}`),
  );
  expect([...pages.values()].flatMap(({ links }) => links).length).toBeGreaterThan(500);
  expect(broken).toEqual([]);
});

test("the search finds utm, and leads to what it found", async () => {
  await withPage("index.html", async (page) => {
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("#localsearch-input").fill("utm");
    await page.locator(".result", { hasText: "trackingParams" }).first().click();
    await page.waitForURL(/#trackingparams$/);
    // The address changes first, and the page comes after it.
    await page.locator("#trackingparams").waitFor();
  });
});

test.each(["semicolon", "Excel", "kill"])("the search finds %s", async (word) => {
  await withPage("index.html", async (page) => {
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator("#localsearch-input").fill(word);
    await page
      .locator(".result", { hasText: new RegExp(word, "i") })
      .first()
      .waitFor();
  });
});

test("a page that is opened as a file says that it needs a server", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
  expect(await page.locator("body").innerText()).toContain("npx vitepress preview");
  await page.close();
});

test("the field of the home says which lines are one page, as one types", async () => {
  await withPage("index.html", async (page) => {
    const field = page.locator(".url-field");
    expect(await field.innerText()).toContain("3 lines → 1 page");
    await field.getByRole("textbox").fill("http://a\nHTTP://A/#x\nhttp://b/?c\nd\n");
    await field.getByText("4 lines → 2 pages").waitFor();
    const [first, ...others] = await field.locator(".page").allInnerTexts();
    expect(first).toBe("http://a\nHTTP://A/#x\n→ http://a/");
    expect(others).toHaveLength(2);
    expect(others[1]).toContain("no scheme");
    expect(await field.locator("mark").allInnerTexts()).toEqual(["HTTP", "A", "#x"]);
  });
});

test("the field of the home keeps what was typed before its script ran", async () => {
  const use = async (page: Page, release: () => void) => {
    const field = page.locator(".url-field");
    await field.getByRole("textbox").fill("http://a\nhttp://b");
    release();
    await field.getByText("2 lines → 2 pages").waitFor();
  };
  await withPage("index.html", use, /url-field/);
});

/** Expects that a page is not wider than its window, and shows each block of code as a whole. */
async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect([width, scrollWidth]).toEqual([width, width]);
  const cut = await page.$$eval("pre", (blocks) =>
    blocks.filter((block) => block.scrollWidth > block.clientWidth).map((block) => block.innerText),
  );
  expect(cut).toEqual([]);
}

/** Expects that a page has the colours asked for, and nothing that axe finds. */
async function expectCleanIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.waitForFunction((wanted) => {
    const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
    return (Number(red) > 128 ? "light" : "dark") === wanted;
  }, colorScheme);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document),
  );
  const found = violations.map(({ id, nodes }) => [
    colorScheme,
    id,
    nodes.slice(0, 3).map(({ html }) => html),
  ]);
  expect(found).toEqual([]);
}

test.each(PAGES)("%s has nothing that axe finds, light and dark, and fits 360 px", async (name) => {
  await withPage(name, async (page) => {
    await page.evaluate(axe.source);
    await expectNoSidewaysScroll(page, 360);
    await expectCleanIn(page, "dark");
    await expectNoSidewaysScroll(page, 1280);
    await expectCleanIn(page, "light");
  });
});
