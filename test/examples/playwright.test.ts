import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { FULL_SITE, SMALL_SITE } from "../../examples/site/pages.ts";
import { Site } from "../../examples/site/site.ts";
import { expectNoWaste, runExample } from "../shared/example.ts";
import { atLength, IS_LONG } from "../shared/length.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);
if (CHROMIUM === undefined) {
  console.warn("\n  NO Chromium HERE: the test of examples/playwright.mjs is SKIPPED\n");
}

// Chromium takes 30 to 80 ms a page.
test.runIf(IS_LONG && CHROMIUM !== undefined)(
  "playwright.mjs finds each page with one fetch",
  async () => {
    const site = await Site.start(atLength(SMALL_SITE, FULL_SITE));
    try {
      expect(await runExample("playwright.mjs", site.url, CHROMIUM as string)).toBe(
        `${site.size} pages, ${site.size} fetches`,
      );
      expectNoWaste(site);
    } finally {
      await site.close();
    }
  },
);
