import { expect } from "vitest";
import { Site } from "../../examples/site/site.ts";
import { expectNoWaste, runExample } from "../shared/example.ts";
import { testAtLength } from "../shared/length.ts";

testAtLength("crawlee.mjs finds each page with one fetch", async () => {
  const site = await Site.start();
  try {
    expect(await runExample("crawlee.mjs", site.url)).toBe("360 pages, 360 fetches");
    expectNoWaste(site);
  } finally {
    await site.close();
  }
});
