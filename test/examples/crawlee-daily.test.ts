import { expect, vi } from "vitest";
import { Site } from "../../examples/site/site.ts";
import { expectNoWaste, runExample, startExample } from "../shared/example.ts";
import { testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const PROGRAM = "crawlee-daily.mjs";

/** Calls `use` with a site and a folder. */
async function onSite(use: (site: Site, folder: string) => Promise<void>): Promise<void> {
  const folder = tempFolder();
  const site = await Site.start();
  try {
    await use(site, folder);
  } finally {
    await site.close();
  }
}

testAtLength("crawlee-daily.mjs fetches each page once, and later only the start page", () =>
  onSite(async (site, folder) => {
    expect(await runExample(PROGRAM, folder, site.url)).toBe("360 pages");
    expectNoWaste(site);
    site.reset();
    expect(await runExample(PROGRAM, folder, site.url)).toBe("1 pages");
    expect(site.fetches).toBe(1);
  }),
);

testAtLength("crawlee-daily.mjs goes on after it was stopped", () =>
  onSite(async (site, folder) => {
    const first = startExample(PROGRAM, folder, site.url);
    await vi.waitUntil(() => site.pages > 100, { timeout: 60_000 });
    first.interrupt();
    await first.lastLine;
    expect(site.pages).toBeLessThan(site.size);
    await runExample(PROGRAM, folder, site.url);
    expect({ pages: site.pages, missing: site.missing }).toEqual({ pages: 360, missing: [] });
  }),
);
