import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./chromium.ts";

/** The playground, built from `dist`, in Chromium. */
export interface OpenSite {
  readonly browser: Browser;
  readonly page: Page;
  /** The address of the page, a file. */
  readonly url: string;
  /** What the page logged, failed at, or asked the network for. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Builds the playground and opens it from its file, as somebody does who has saved it. `edit` changes the page before. */
export async function openSite(edit: (page: string) => string = (page) => page): Promise<OpenSite> {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-site-"));
  const build = fileURLToPath(new URL("../../site/build.mjs", import.meta.url));
  execFileSync(process.execPath, [build, folder]);
  const file = join(folder, "index.html");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM as string,
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(?:file|blob|data):/.test(request.url())) complaints.push(request.url());
  });
  const url = pathToFileURL(file).href;
  await page.goto(url);
  return {
    browser,
    page,
    url,
    complaints,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Clicks a button that saves a file, and returns the file's text. */
export async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}
