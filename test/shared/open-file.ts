import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./chromium.ts";

/** A file in Chromium. */
export interface OpenFile {
  readonly browser: Browser;
  readonly page: Page;
  readonly url: string;
  /** What the page logged, failed at, or asked the network for. */
  readonly complaints: string[];
}

/** Opens a page from its file, as somebody does who has saved it. Requests for other URLs than `own` are complaints. */
export async function openFile(
  file: string,
  viewport: { width: number; height: number },
  own = /^file:/,
): Promise<OpenFile> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM as string,
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ viewport });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  page.on("request", (request) => {
    if (!own.test(request.url())) complaints.push(request.url());
  });
  const url = pathToFileURL(file).href;
  await page.goto(url);
  return { browser, page, url, complaints };
}
