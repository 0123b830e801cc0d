import { expect, test } from "vitest";
import { Site } from "../../examples/site/site.ts";
import { codeBlocks, readDocument } from "../shared/code-blocks.ts";
import { expectNoWaste, runExample, runPasted } from "../shared/example.ts";
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

const [simple, daily] = ["README.md", "docs/crawlers.md"].map((path) =>
  codeBlocks()
    .filter(({ place, language }) => place.startsWith(path) && language === "js")
    .filter(({ lines }) => lines.join("").includes("crawler.run"))
    .map(({ lines }) => lines.join("\n")),
) as [string[], string[]];

test("the documents have whole programs for Crawlee", () => {
  expect(daily).toEqual([...simple, expect.stringContaining("addUnseen")]);
  expect(readDocument("examples/crawlee-daily.mjs")).toContain(daily[1]);
});

testAtLength("the program of README.md finds each page with one fetch", async () => {
  const site = await Site.start();
  try {
    await runPasted(simple[0] as string, site.url);
    expectNoWaste(site);
  } finally {
    await site.close();
  }
});
